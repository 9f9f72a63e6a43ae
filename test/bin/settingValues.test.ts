// decisions P15: a value that cannot be read stops the start before anything is made or started, with all others that cannot.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { plainEnvironment } from "../support/environment.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { root } from "./launcher.ts"

describe("values of settings (P15)", () => {
  it("are all checked before the database is made", () => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-values-"))
    try {
      const { status, stderr, stdout } = spawnSync(process.execPath, ["bin/start.js"], {
        cwd: root,
        env: { ...plainEnvironment(), DATA_DIR: dir, PORT: "eighty", WEBHOOK_PER_MINUTE: "many", MAIL_FROM: "" },
        encoding: "utf8",
        timeout: ENDS_MILLIS
      })
      assert.strictEqual(status, 1, stdout)
      assert.include(stderr, "The configuration has 2 mistake(s)")
      assert.include(stderr, "PORT:")
      assert.include(stderr, "WEBHOOK_PER_MINUTE:")
      assert.notInclude(readdirSync(dir), "postgres")
      assert.notInclude(readdirSync(dir), "secret-key")
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
