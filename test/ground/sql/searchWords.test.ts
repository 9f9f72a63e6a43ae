// Words of search are the same in SQL and in the service (developer-api.md 11.1, decisions A25).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { wordsOf } from "../../../src/ground/text/searchWords.ts"
import { layerDatabase } from "../../support/database.ts"

const words = (text: string) => [...wordsOf(text)].map(({ word }) => word)

/** All characters that a text may hold, in NFC. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code !== 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => character.normalize("NFC") === character)

layer(layerDatabase)("words", (it) => {
  it.effect("every character ends a word, stands alone or belongs to one, in SQL as in the service", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const texts: Array<string> = []
      for (let from = 0; from < characters.length; from += 500)
        texts.push(
          characters
            .slice(from, from + 500)
            .map((character) => `a${character}B`)
            .join("\n")
        )
      for (let from = 0; from < texts.length; from += 100) {
        const batch = texts.slice(from, from + 100)
        const rows = yield* sql<{ words: ReadonlyArray<string> }>`
          SELECT ARRAY(SELECT left(w, 40) FROM unnest(search_words(value)) w WHERE w <> ${"\u0001"}) AS words
          FROM unnest(${batch}::text[]) WITH ORDINALITY AS t (value, n) ORDER BY n`
        for (const [n, row] of rows.entries()) assert.deepStrictEqual(row.words, words(batch[n]!))
      }
    })
  )

  it("words are folded, cut, and stand where they are in the text", () => {
    assert.deepStrictEqual(words("  Crème-brûlée, 2 STÜCK; DLV-0014 "), [
      "creme",
      "brulee",
      "2",
      "stuck",
      "dlv",
      "0014"
    ])
    assert.deepStrictEqual(words("東京タワー x"), ["東", "京", "タ", "ワ", "ー", "x"])
    assert.deepStrictEqual(words("?! – …"), [])
    assert.deepStrictEqual(words("a".repeat(100)), ["a".repeat(40)])
    const text = "Zürich 東京"
    assert.deepStrictEqual(
      [...wordsOf(text)].map(({ from, to }) => text.slice(from, to)),
      ["Zürich", "東", "京"]
    )
  })
})
