// A run of the suite that is interrupted leaves no process, no port and no folder behind (CONTRIBUTING.md, "Real parts").
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isAlive, readJson } from "../../bin/parts/os.js"
import { plainEnvironment } from "../support/environment.ts"
import { eventually } from "../support/eventually.ts"
import { root } from "./launcher.ts"

const CONFIG = ["--config", "test/bin/fixtures/vitest.servers.config.ts"]

/** The servers whose processes its files name, as far as they are there. */
const serversOf = (folder: string) =>
  ["postgres", "temporal"].flatMap((name) => {
    const identity = readJson(join(folder, `${name}.pid`))
    return identity !== undefined && isAlive(identity) ? [{ name, identity }] : []
  })

describe("a run of the tests that is interrupted", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    it.live(`leaves nothing behind after ${signal}`, () =>
      Effect.gen(function* () {
        const dir = mkdtempSync(join(tmpdir(), "millrace-interrupted-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(dir, { recursive: true, force: true })))
        const file = join(dir, "servers")
        const run = spawn(process.execPath, [join(root, "bin/test.js"), ...CONFIG], {
          cwd: root,
          env: { ...plainEnvironment(), INTERRUPTED_FILE: file },
          stdio: "ignore"
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => run.kill()))
        const runEnd = new Promise((resolve) => run.once("close", resolve))
        yield* eventually(
          "the test works",
          Effect.sync(() => existsSync(file)),
          (isWorking) => isWorking
        )
        const folder = readFileSync(file, "utf8")
        const servers = serversOf(folder)
        assert.deepStrictEqual(
          servers.map(({ name }) => name),
          ["postgres", "temporal"]
        )
        run.kill(signal)
        yield* Effect.promise(() => runEnd)
        yield* eventually(
          "its servers have ended",
          Effect.sync(() => servers.filter(({ identity }) => isAlive(identity)).map(({ name }) => name)),
          (names) => names.length === 0
        )
        assert.isFalse(existsSync(folder), folder)
      })
    )
})
