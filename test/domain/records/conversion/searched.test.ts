// Search entries of converted values (developer-api.md 11.1, 11.4): words of a plain text become those of a formatted one, and the reverse.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { conversionLayer, valued } from "./support.ts"

layer(conversionLayer, { excludeTestServices: true })("search entries of converted values", (it) => {
  const cases = [
    ["single_text", "R&D <lynx>", "multi_text"],
    ["multi_text", "<p>R&amp;D &lt;lynx&gt;</p>", "single_text"]
  ] as const
  for (const [from, value, to] of cases) {
    it.effect(`${from} to ${to}: a search finds the words that the new value has, and no others`, () =>
      Effect.gen(function* () {
        const { app, call, converted, recordIds } = yield* valued(from, undefined, [value])
        const find = (word: string) =>
          Effect.map(call("GET", `/v1/search?app_id=${app.app_id}&kinds=record&q=${word}`), ({ json }) =>
            json.results.map(({ id }: { id: number }) => id)
          )
        assert.deepStrictEqual(yield* find("lynx"), recordIds)
        const { counts } = yield* converted({ field_type: to })
        assert.strictEqual(counts.converted, 1)
        assert.deepStrictEqual(yield* find("lynx"), recordIds)
        assert.deepStrictEqual([yield* find("amp"), yield* find("lt")], [[], []])
      })
    )
  }
})
