// The data directory (docs/operations.md, "Where the data is"): only its owner may enter, whoever made it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { makeDataDir } from "../../bin/parts/environment.js"

const modeOf = (path: string) => statSync(path).mode & 0o777

describe("the data directory", () => {
  it("is its owner's alone, made here or before", () => {
    const home = mkdtempSync(join(tmpdir(), "millrace-data-"))
    try {
      makeDataDir(join(home, "deep", "new"))
      const existingDir = join(home, "before")
      mkdirSync(existingDir)
      chmodSync(existingDir, 0o755)
      makeDataDir(existingDir)
      for (const dir of [join(home, "deep", "new"), existingDir]) {
        assert.strictEqual(modeOf(dir), 0o700)
        assert.strictEqual(modeOf(join(dir, "run")), 0o700)
      }
    } finally {
      rmSync(home, { recursive: true })
    }
  })
})
