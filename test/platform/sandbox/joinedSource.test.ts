// developer-api.md 8.1: places of errors are those of the text that its author wrote, where a reference is one character.
import { assert, it } from "@effect/vitest"
import { joined } from "../../../src/platform/sandbox/joinedSource.ts"

it("a reference is one character, whatever stands for it in the source", () => {
  const names = ["$ref0", "$ref10", 'secret("stripe_key")']
  const texts = ["", "a + ", "\n", "x\n  y", "\r\n.z\r", "(() => {\u2028", " b", "\n\n"]
  for (let n = 0; n < 2_000; n++) {
    const pieces = Array.from({ length: 1 + (n % 7) }, (_, place) => {
      const pieceIndex = (n * 31 + place * 17 + (n >> 3)) % 11
      return pieceIndex < names.length ? { name: names[pieceIndex]! } : texts[pieceIndex - names.length]!
    })
    const { positionOf, source } = joined(pieces)
    assert.strictEqual(source, pieces.map((piece) => (typeof piece === "string" ? piece : piece.name)).join(""))
    // Both texts from the start, character by character.
    let [line, column, authorColumn] = [1, 1, 1]
    const expectHere = () =>
      assert.deepStrictEqual(
        positionOf({ line, column }),
        { line, column: authorColumn },
        JSON.stringify([pieces, line, column])
      )
    const advance = (text: string) => {
      for (const [character] of text.matchAll(/\r\n|[\s\S]/g)) {
        expectHere()
        if (/[\r\n\u2028]/.test(character)) [line, column, authorColumn] = [line + 1, 1, 1]
        else [column, authorColumn] = [column + 1, authorColumn + 1]
      }
    }
    for (const [place, piece] of pieces.entries()) {
      // A line end that two texts make together is none that people write.
      if (typeof piece === "string" && piece.startsWith("\n") && String(pieces[place - 1]).endsWith("\r")) break
      if (typeof piece === "string") advance(piece)
      else {
        for (let part = 0; part < piece.name.length; part++) {
          expectHere()
          column++
        }
        authorColumn++
      }
    }
  }
})
