// The table of docs/architecture/rules.md, "Where each rule stands", is true: each rule in the file that is named, in these words, and in no other.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const rows = readFileSync(join(root, "docs/architecture/rules.md"), "utf8")
  .split(/^## Where each rule stands$/m)[1]!
  .split(/^## /m)[0]!
  .split("\n")
  .flatMap((line) => {
    const row = /^\| (.+?) \| `([^`]+)` \| `([^`]+)` \|$/.exec(line)
    return row === null ? [] : [{ rule: row[1]!, file: row[2]!, words: row[3]! }]
  })

const sources = ["src", "workflows", "activities"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`)
  )
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }))

describe("docs/architecture/rules.md, where each rule stands", () => {
  it("names the one file that states it", () => {
    assert.isAbove(rows.length, 10)
    const occurrences = rows.map(({ rule, words }) => ({
      rule,
      stands: sources.flatMap(({ name, text }) => Array.from({ length: text.split(words).length - 1 }, () => name))
    }))
    assert.deepStrictEqual(
      occurrences,
      rows.map(({ file, rule }) => ({ rule, stands: [file] }))
    )
  })
})
