// The layers of docs/architecture/layers.md hold: a module imports what its row names and nothing else, rows name only rows above them, and
// no files import each other in a circle.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

interface Row {
  readonly name: string
  readonly uses: ReadonlyArray<string>
}

/** `| \`module\` | what it is | uses |`, from the lowest layer up. */
const rows: ReadonlyArray<Row> = readFileSync(join(root, "docs/architecture/layers.md"), "utf8")
  .split(/^## Layers$/m)[1]!
  .split(/^## /m)[0]!
  .split("\n")
  .flatMap((line) => {
    const [, name, , uses] = line.split("|").map((cell) => cell.trim())
    const match = /^`([\w/]+)`$/.exec(name ?? "")
    return match === null ? [] : [{ name: match[1]!, uses: [...uses!.matchAll(/`([\w/]+)`/g)].map(([, use]) => use!) }]
  })
const names = rows.map(({ name }) => name)

const files = ["src", "workflows", "activities"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`)
  )
  .concat("temporal.config.ts")
  .filter((name) => name.endsWith(".ts"))
const knownFiles = new Set(files)

/** The longest row that the file lies in; files right below `src` put everything together. */
const roomOf = (file: string) => {
  const path = file === "temporal.config.ts" ? "engine/temporal" : dirname(file).replace(/^src\/?/, "")
  return names.filter((name) => path === name || path.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0]
}
const isComposition = (file: string) => dirname(file) === "src"

const imports = new Map(
  files.map((file) => {
    const importMatches = readFileSync(join(root, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)
    return [file, [...importMatches].map(([, path]) => relative(root, join(root, dirname(file), path!)))] as const
  })
)

/** A row may be named by itself or by a folder that it lies in. */
const allows = (uses: ReadonlyArray<string>, module: string) =>
  uses.some((use) => module === use || module.startsWith(`${use}/`))

describe("layers (docs/architecture/layers.md)", () => {
  it("every file lies in a module of the table, and every row is a module", () => {
    const homeless = files.filter((file) => !isComposition(file) && roomOf(file) === undefined)
    assert.deepStrictEqual(homeless, [])
    const lived = new Set(files.map(roomOf))
    assert.deepStrictEqual(
      names.filter((name) => !lived.has(name)),
      []
    )
  })

  it("a row names only rows above it: arrows go down, and no two modules import each other", () => {
    for (const [at, { name, uses }] of rows.entries())
      for (const use of uses) {
        const meant = rows.flatMap((row, i) => (allows([use], row.name) && row.name !== name ? [i] : []))
        assert.isNotEmpty(meant, `${name} names ${use}, which is no module`)
        for (const i of meant) assert.isBelow(i, at, `${name} stands above ${rows[i]!.name}`)
      }
  })

  it("a file imports what its module may use", () => {
    const wrong: Array<string> = []
    for (const [file, targets] of imports) {
      const ownRoom = roomOf(file)
      if (ownRoom === undefined) continue
      const { uses } = rows.find(({ name }) => name === ownRoom)!
      for (const target of targets) {
        if (!knownFiles.has(target)) continue
        const other = roomOf(target)
        if (other === ownRoom || (other !== undefined && allows(uses, other))) continue
        wrong.push(`${file} -> ${target}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it("a row names nothing that its module does not use", () => {
    for (const { name, uses } of rows) {
      const used = files.filter((file) => roomOf(file) === name).flatMap((file) => imports.get(file)!.map(roomOf))
      for (const use of uses)
        assert.isTrue(
          used.some((module) => module !== undefined && module !== name && allows([use], module)),
          `${name} does not use ${use}`
        )
    }
  })

  it("no circle of files", () => {
    const visitedFiles = new Set<string>()
    const walk = (file: string, path: ReadonlyArray<string>): void => {
      if (path.includes(file)) assert.fail([...path.slice(path.indexOf(file)), file].join(" -> "))
      if (visitedFiles.has(file)) return
      for (const target of imports.get(file) ?? []) if (knownFiles.has(target)) walk(target, [...path, file])
      visitedFiles.add(file)
    }
    for (const file of files) walk(file, [])
  })
})
