// The walk from an event to its POST, in docs/engine.md, is true: the files in line are as many as it says and ten at most, they import each
// other, and whatever else of engine and webhooks they import is named beside them.
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = globSync("src/**/*.ts", { cwd: root })

/** Files of `src` that an inline code names by the end of their path. */
const filesIn = (text: string) =>
  [...text.matchAll(/`([\w/]+\.ts)`/g)].map(([, name]) => {
    const matches = sources.filter((source) => source.endsWith(`/${name}`))
    assert.lengthOf(matches, 1, `${name}: ${matches.join(", ")}`)
    return matches[0]!
  })

const section = readFileSync(join(root, "docs/engine.md"), "utf8")
  .split("\n## Event to POST\n")[1]!
  .split("The POST is sent.")[0]!
const rows = section.split("\n").flatMap((line) => {
  const [, number, file, , , companions] = line.split("|")
  return Number.isInteger(Number.parseInt(number ?? "", 10))
    ? [{ file: filesIn(file!)[0]!, companions: filesIn(companions!) }]
    : []
})
const lineFiles = rows.map(({ file }) => file)
const companions = rows.flatMap((row) => row.companions)
const [, inLine, inAll] = /\*\*(\d+) files in line, (\d+) with/.exec(section)!

const importsOf = (file: string, pattern: RegExp) =>
  [...readFileSync(join(root, file), "utf8").matchAll(pattern)].map(([, path]) => join(dirname(file), path!))
const anyImport = /^import [^"]*"(\.[^"]+)"/gm
/** Imports of more than types. */
const valueImport = /^import (?!type |\{(?:\s*type \w+,?)+\s*\})[^"]*"(\.[^"]+)"/gm

describe("docs/engine.md, event to POST", () => {
  it("counts the files in line, ten at most, and those that also run", () => {
    assert.strictEqual(lineFiles.length, Number(inLine))
    assert.isAtMost(lineFiles.length, 10)
    assert.strictEqual(new Set([...lineFiles, ...companions]).size, Number(inAll))
  })

  it("names files that import each other", () => {
    const imported = new Set(lineFiles.flatMap((file) => importsOf(file, anyImport)))
    assert.deepStrictEqual(
      lineFiles.filter((file) => !imported.has(file)),
      ["src/engine/relay/Relay.ts", "src/engine/actors/activationLoop.ts", "src/domain/webhooks/webhooksActor.ts"]
    )
    for (const { companions, file } of rows) {
      const imports = new Set([file, ...companions].flatMap((one) => importsOf(one, anyImport)))
      assert.deepStrictEqual(
        companions.filter((one) => !imports.has(one)),
        []
      )
    }
  })

  it("leaves out nothing of engine and webhooks that they import", () => {
    const named = new Set([...filesIn(section), ...filesIn("`webhooks/writeResults.ts` `resultStatements.ts`")])
    const imports = new Set(lineFiles.flatMap((file) => importsOf(file, valueImport)))
    assert.deepStrictEqual(
      [...imports].filter((file) => /^src\/(engine|domain\/webhooks)\//.test(file) && !named.has(file)),
      []
    )
  })
})
