// decisions P15: `config print` asks the running service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { afterAll } from "vitest"
import { LAUNCHER } from "../../../bin/parts/environment.js"
import { rowsOf, shownOf } from "../../../src/interfaces/cli/configCommands.ts"
import { AppConfig } from "../../../src/platform/config/Config.ts"
import { tellSettings, toldSettings } from "../../../src/platform/config/sharedSettings.ts"

const dir = mkdtempSync(join(tmpdir(), "millrace-told-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const SECRET_KEY = Buffer.alloc(32, 7).toString("base64")
const tellAs = (env: Record<string, string>) =>
  tellSettings.pipe(
    Effect.provide(AppConfig.layer),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { DATABASE_URL: "postgres://u:hunter2@h/d", SECRET_KEY, DATA_DIR: dir, ...env } })
    )
  )

describe("what the running service has in force (P15)", () => {
  it.effect("each process tells it, without secrets, for as long as it lives", () =>
    Effect.gen(function* () {
      yield* tellAs({ PORT: "9000", MILLRACE_SOURCES: '{"PORT":".env"}' })
      const file = join(dir, "run", "settings-all-1.json")
      const text = readFileSync(file, "utf8")
      assert.notInclude(text, "hunter2")
      assert.notInclude(text, SECRET_KEY)
      const [told] = yield* toldSettings(dir)
      assert.strictEqual(told?.process, "all 1")
      const port = told?.settings.find(({ setting }) => setting === "PORT")
      assert.deepStrictEqual(port, { setting: "PORT", value: "9000", from: ".env" })
      writeFileSync(file, text.replace(/"start":"[^"]*"/, '"start":"another process"'))
      assert.deepStrictEqual(yield* toldSettings(dir), [])
    })
  )

  it.effect("where no service has ever run nobody tells anything", () =>
    Effect.map(toldSettings(join(dir, "nowhere")), (told) => assert.deepStrictEqual(told, []))
  )

  it("is shown once where the processes agree, with what is set otherwise now", () => {
    const settingsOf = (process: string, port: string, level: string) => ({
      process,
      settings: [
        { setting: "PORT", value: port, from: "environment" },
        { setting: "LOG_LEVEL", value: level, from: ".env" },
        { setting: "DATABASE_URL", value: "postgres://embedded", from: LAUNCHER }
      ]
    })
    const currentRows = [
      { setting: "PORT", value: "8080", from: "default" },
      { setting: "LOG_LEVEL", value: "debug", from: ".env" },
      { setting: "DATABASE_URL", value: null, from: "default" }
    ]
    assert.deepStrictEqual(
      shownOf([settingsOf("all 1", "9000", "info"), settingsOf("all 2", "9000", "debug")], currentRows),
      [
        { setting: "PORT", value: "9000", from: "environment", next: "8080" },
        { setting: "LOG_LEVEL", value: "info", from: ".env", process: "all 1", next: "debug" },
        { setting: "LOG_LEVEL", value: "debug", from: ".env", process: "all 2" },
        { setting: "DATABASE_URL", value: "postgres://embedded", from: LAUNCHER }
      ]
    )
  })

  it("a setting that has been cleared since is shown to be not set at the next start", () => {
    const toldSettings = [
      { process: "all 1", settings: [{ setting: "SMTP_URL", value: "smtp://127.0.0.1", from: ".env" }] }
    ]
    const shownRows = shownOf(toldSettings, [{ setting: "SMTP_URL", value: null, from: "default" }])
    assert.deepStrictEqual(shownRows[0]!.next, null)
    assert.deepStrictEqual(rowsOf(shownRows)[0]!.next, "not set")
  })
})
