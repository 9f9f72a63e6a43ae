// docs/operations.md, "Where the data is": a database of another release of Temporal's server is set aside, and never worked on.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { fitDatabase } from "../../bin/parts/temporalStore.js"

describe("the embedded Temporal's database", () => {
  let dir = ""
  let printedLines: Array<string> = []
  const database = () => join(dir, "temporal.db")
  const fit = (server: string) => fitDatabase(database(), server, (line) => printedLines.push(line))
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "millrace-store-"))
    printedLines = []
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it("of the same server goes on", () => {
    fit("1.32.0")
    writeFileSync(database(), "of 1.32.0")
    fit("1.32.0")
    assert.strictEqual(readFileSync(database(), "utf8"), "of 1.32.0")
    assert.deepStrictEqual(printedLines, [])
  })

  it("of nobody knows whom, or of another server, is kept beside with its log, and said", () => {
    writeFileSync(database(), "of an earlier release")
    writeFileSync(`${database()}-wal`, "its log")
    fit("1.32.0")
    assert.isFalse(existsSync(database()))
    assert.isFalse(existsSync(`${database()}-wal`))
    assert.strictEqual(readFileSync(join(dir, "former.db"), "utf8"), "of an earlier release")
    assert.strictEqual(readFileSync(join(dir, "former.db-wal"), "utf8"), "its log")
    assert.match(printedLines[0] ?? "", /made by another release of its server, and this one is 1\.32\.0/)
    writeFileSync(database(), "of 1.32.0")
    fit("1.33.0")
    assert.strictEqual(readFileSync(join(dir, "former.db"), "utf8"), "of 1.32.0")
    // The log of one set aside before would be read as if it were this one's.
    assert.isFalse(existsSync(join(dir, "former.db-wal")))
    assert.match(printedLines[1] ?? "", /made by its server 1\.32\.0, and this one is 1\.33\.0/)
  })
})
