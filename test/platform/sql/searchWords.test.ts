// Words of search are the same in SQL and in the service (developer-api.md 11.1, decisions A25).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Cells } from "../../../src/platform/primitives/Cell.ts"
import { searchLine } from "../../../src/platform/text/searchLine.ts"
import { wordsIn, wordsOf } from "../../../src/platform/text/searchWords.ts"
import { layerDatabase } from "../../support/database.ts"

const words = wordsIn

/** All characters that a text may hold, in NFC, but for those that are none (U+FFFE, U+1FFFF and so on). */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code !== 0 && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe)
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
          SELECT array_remove(string_to_array(btrim(search_line(value)), ' '), ${"\u0001"}) AS words
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
    const ascii = "DLV-0014 of_Mira's 3.5\u007f(x)"
    assert.deepStrictEqual(
      words(ascii),
      [...wordsOf(ascii)].map(({ word }) => word)
    )
    const text = "Zürich 東京"
    assert.deepStrictEqual(
      [...wordsOf(text)].map(({ from, to }) => text.slice(from, to)),
      ["Zürich", "東", "京"]
    )
  })

  it("other forms of letters are those letters; vowel points and soft hyphens do not count", () => {
    const text = "Ｆｕｌｌ ﾊﾟｿ שָׁלוֹם مُحَمَّد har\u00adbour ② ㎏"
    assert.deepStrictEqual(words(text), ["full", "パ", "ソ", "שלום", "محمد", "harbour", "2", "kg"])
    assert.deepStrictEqual(
      [...wordsOf(text)].map(({ from, to }) => text.slice(from, to)),
      ["Ｆｕｌｌ", "ﾊﾟ", "ｿ", "שָׁלוֹם", "مُحَمَّد", "har\u00adbour", "②", "㎏"]
    )
  })

  it.effect("a line of words has the title, and the texts of all cells once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cells = {
        1: ['A "quoted" a\\b\nline'],
        2: ['<p>har<b>bour</b> <a href="https://x.example">w</a>ork</p><ul><li>one</li><li>two &amp; three</li></ul>'],
        3: [
          { id: 1, value: "+43 664 12", type: "work" },
          { id: 2, value: "0664/99 77", type: "home" }
        ],
        4: [{ embed_id: 1, url: "https://quay.example", title: "Quay", description: "Old <pier>" }],
        5: [{ id: 1, title: "Grease", description: "<i>tal</i>low", completed: false, assignee: null, due_at: null }],
        6: [77, { start: "2026-01-01" }],
        7: ["<b>plain</b> text"]
      }
      const [row] = yield* sql<{ line: string }>`
        SELECT search_record_line(NULL, 12, ${JSON.stringify(cells)}::jsonb, ARRAY['2', '99']) AS line`
      // The process that writes a record makes the same line.
      const untitled = JSON.parse(JSON.stringify(cells)) as Cells
      assert.strictEqual(searchLine({ title: "12", cells: untitled }, [2, 99]), row!.line)
      const texts = row!.line.split("\u0001").map((text) => text.trim())
      assert.strictEqual(texts[0], "12")
      assert.deepStrictEqual(
        texts.filter((text) => text !== "").toSorted(),
        [
          "12",
          "a quoted a b line",
          "b plain b text",
          "43 664 12",
          "0664 99 77",
          "4366412",
          "06649977",
          "https quay example",
          "quay",
          "old pier",
          "grease",
          "tallow",
          "harbour work one two three"
        ].toSorted()
      )
    })
  )

  it.effect("a line is bounded, and its words fit in the index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      /** The line's length, and the number of words that the index has of it. */
      const indexed = (text: string) =>
        Effect.map(
          sql<{ length: number; words: number }>`
            SELECT length(line) AS length, length(search_vector(9223372036854775807, 'record', line)) AS words
            FROM (SELECT search_line(${text}) AS line) AS lines`,
          (rows) => rows[0]!
        )
      assert.deepStrictEqual(yield* indexed("a ".repeat(100_000)), { length: 150_001, words: 1 })
      assert.deepStrictEqual(yield* indexed("x".repeat(5_000)), { length: 252, words: 1 })
      const letters = Array.from({ length: 60_000 }, (_, n) => String.fromCodePoint(0x20000 + n)).join("")
      assert.deepStrictEqual(yield* indexed(letters), { length: 20_001, words: 10_000 })
      const numbers = Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(" ")
      assert.strictEqual((yield* indexed(numbers)).words, 20_000)
    })
  )
})
