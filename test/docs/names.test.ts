// One name for one thing (docs/architecture.md): no two exported types of one name, no two files of one name but the fixed parts of
// rooms, types and doors.
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const src = fileURLToPath(new URL("../../src", import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))

const fixedParts = new Set([
  "Api.ts",
  "handlers.ts",
  "layer.ts",
  "index.ts",
  "spec.ts",
  "run.ts",
  "routes.ts",
  "registry.ts"
])

const shared = (places: ReadonlyArray<readonly [name: string, file: string]>) => {
  const filesByName = new Map<string, Set<string>>()
  for (const [name, file] of places) filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file))
  return [...filesByName]
    .filter(([, where]) => where.size > 1)
    .map(([name, where]) => `${name}: ${[...where].join(", ")}`)
}

describe("names", () => {
  it("no two exported types have one", () => {
    const types = files.flatMap((file) =>
      [...readFileSync(join(src, file), "utf8").matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
        ([, name]) => [name!, file] as const
      )
    )
    assert.deepStrictEqual(shared(types), [])
  })

  it("no two files have one, in whatever case, but the fixed parts", () => {
    const named = files.filter((file) => !fixedParts.has(basename(file)))
    assert.deepStrictEqual(shared(named.map((file) => [basename(file).toLowerCase(), file] as const)), [])
  })
})
