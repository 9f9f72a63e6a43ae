// One name for one thing (docs/architecture.md): no two exported types or services have one. Files may: each is called by what it exports.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const src = fileURLToPath(new URL("../../src", import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))

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
})
