// decisions O8: a file's name shows what the file is; nothing in it turns it round, hides a part of it or leads elsewhere.
import { assert, describe, it } from "@effect/vitest"
import { baseName, fileName } from "../../../src/platform/text/fileName.ts"

const names: ReadonlyArray<readonly [sent: string, kept: string]> = [
  ["invoice.pdf", "invoice.pdf"],
  // Shown as `invoice_exe.pdf`.
  ["invoice_\u202efdp.exe", "invoice_fdp.exe"],
  ["\u2066a\u2069\u200e\u200f\u061c.txt", "a.txt"],
  ["a\u200b\ufeff\u2060\u00ad.txt", "a.txt"],
  ["a\u{e0041}\u{e007f}.txt", "a.txt"],
  ["two\u2028lines.txt", "twolines.txt"],
  ["a\r\nb\u0000c\td\u0085e", "a b c d e"],
  ["../../etc/passwd", ".. .. etc passwd"],
  ["C:\\a.txt", "C: a.txt"],
  ["  blank  ", "blank"],
  // Letters that need what is drawn as nothing.
  ["👩‍👩‍👧 ❤️ می‌خواهم.txt", "👩‍👩‍👧 ❤️ می‌خواهم.txt"],
  ["Größe 漢字.pdf", "Größe 漢字.pdf"],
  ["\ud800x", "\ufffdx"],
  ["", "file"],
  ["..", "file"],
  ["\u202e", "file"]
]

describe("the name of a file from outside", () => {
  it("loses what deceives and keeps its letters", () => {
    for (const [sent, kept] of names) assert.strictEqual(fileName(sent), kept, JSON.stringify(sent))
    assert.strictEqual(fileName(".", "response"), "response")
  })

  it("is cut before its extension, never within a letter", () => {
    assert.strictEqual(fileName(`${"x".repeat(400)}.pdf`), `${"x".repeat(251)}.pdf`)
    assert.strictEqual(fileName("😀".repeat(200)), "😀".repeat(127))
    assert.isTrue(fileName(`${"😀".repeat(200)}.pdf`).isWellFormed())
    assert.strictEqual(fileName("x".repeat(400)).length, 255)
  })

  it("is the last part of a path", () => {
    assert.strictEqual(baseName("C:\\fakepath\\a.txt"), "a.txt")
    assert.strictEqual(baseName("a/b/c.txt"), "c.txt")
    assert.strictEqual(baseName("c.txt"), "c.txt")
  })
})
