// One folding of text (decisions A25): SQL and the evaluator give the same answer, for every character that is assigned.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { FOLDED_RANGES, fold, foldCase, foldings } from "../../../src/platform/text/folding.ts"
import { appLayer } from "../../support/app.ts"

const assigned = (): ReadonlyArray<string> => {
  const characters: Array<string> = []
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (!/\p{Cn}|\p{Co}/u.test(character)) characters.push(character)
  }
  return characters
}

/** Pieces of words in many scripts, as they meet each other. */
const PIECES = [
  ..."aZ ßẞİıIiςΣσäÄöñÑøŁéÉàÅçŞşğĞйЙёЁ日本がк한글אبΐΌ",
  "\u0301",
  "\u0307",
  "e\u0301",
  "ﬃ",
  "ŉ",
  "ǰ",
  "𐐀",
  "🙂",
  "12",
  "'",
  '"',
  "\\"
]
const samples = (() => {
  let state = 7
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  return Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + next(9) }, () => PIECES[next(PIECES.length)]!).join("")
  )
})()

layer(appLayer(), { excludeTestServices: true })("one folding of text (A25)", (it) => {
  const same = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
    const sql = yield* SqlClient.SqlClient
    // Keys are of the lower case that the locale of the database has (migration 0044).
    const rows = yield* sql<{ cased: string; folded: string; of_key: string }>`
      SELECT fold_case(text) AS cased, fold_text(text) AS folded, fold_text(lower(text)) AS of_key FROM unnest(${texts}::text[]) WITH ORDINALITY AS t (text, n) ORDER BY n`
    const wrong = texts.filter(
      (text, n) => rows[n]!.cased !== foldCase(text) || rows[n]!.folded !== fold(text) || rows[n]!.of_key !== fold(text)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it.effect("SQL folds every assigned character as the evaluator does, alone and within a word", () =>
    Effect.gen(function* () {
      const allCharacters = assigned()
      assert.isAbove(allCharacters.length, 150_000)
      for (let from = 0; from < allCharacters.length; from += 20_000)
        yield* same(allCharacters.slice(from, from + 20_000))
      yield* same(
        allCharacters.filter((character) => fold(character) !== character).map((character) => `Σ${character}x`)
      )
    })
  )

  it.effect("and texts of all of them", () => same(samples))
})

describe("the table", () => {
  it("holds what a folding leaves alone: no folded character has another folding", () => {
    for (const [fold, folds] of [
      [foldCase, foldings.case],
      ["all", foldings.all]
    ] as const) {
      for (const [character, folded] of folds)
        for (const foldedCharacter of folded)
          assert.isFalse(folds.has(foldedCharacter), `${String(fold)} ${character} ${folded}`)
    }
  })

  it("lies within the ranges that are looked at", () => {
    for (const character of foldings.all.keys()) {
      const code = character.codePointAt(0)!
      if (code > 0x7f)
        assert.isTrue(
          FOLDED_RANGES.some(([first, last]) => code >= first && code <= last),
          character
        )
    }
  })

  it("case goes, with the special cases; accents go where they do not count", () => {
    const rows: ReadonlyArray<readonly [string, string, string]> = [
      ["ΟΔΟΣ", "οδοσ", "οδοσ"],
      ["οδος", "οδοσ", "οδοσ"],
      ["İzmir", "izmir", "izmir"],
      ["IĞDIR ığdır", "iğdir iğdir", "igdir igdir"],
      ["Straße STRASSE", "strasse strasse", "strasse strasse"],
      ["ÉCOLE", "école", "ecole"],
      ["e\u0301cole", "e\u0301cole", "ecole"],
      ["Привет Ёж", "привет ёж", "привет еж"],
      ["ΐ ΰ Ϊ́", "ΐ ΰ ΐ", "ι υ ι"],
      ["ﬃ ŉ ǰ", "ffi ʼn ǰ", "ffi ʼn j"],
      ["≠ ガ Ø", "≠ ガ ø", "≠ ガ ø"]
    ]
    for (const [text, cased, folded] of rows) {
      assert.strictEqual(foldCase(text), cased)
      assert.strictEqual(fold(text), folded)
    }
  })
})
