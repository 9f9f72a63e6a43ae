// The TypeScript client knows of the API what its endpoints say, and nothing else.
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { generated } from "../../clients/typescript/generate/generated.ts"

describe("clients/typescript/src/generated", () => {
  it("is what npm run client writes", async () => {
    for (const [name, text] of Object.entries(await generated())) {
      const kept = readFileSync(new URL(`../../clients/typescript/src/generated/${name}`, import.meta.url), "utf8")
      assert.isTrue(kept === text, `${name} is of an earlier description: npm run client`)
    }
  })

  it("names each type once", () => {
    const types = readFileSync(new URL("../../clients/typescript/src/generated/types.ts", import.meta.url), "utf8")
    const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name!)
    assert.isAbove(names.length, 300)
    assert.deepStrictEqual(
      names.filter((name) => /\d$/.test(name)),
      []
    )
  })
})
