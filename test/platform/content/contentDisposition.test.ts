// RFC 6266, RFC 8187: the name of a file, as servers write it.
import { assert, it } from "@effect/vitest"
import { nameInDisposition } from "../../../src/platform/content/contentDisposition.ts"

/** As a header arrives: a character for each byte. */
const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1")

const cases: ReadonlyArray<readonly [header: string | undefined, name: string | undefined]> = [
  [undefined, undefined],
  ["inline", undefined],
  ["attachment; filename=plain.txt", "plain.txt"],
  ['attachment; filename="a; b \\"c\\".txt"', 'a; b "c".txt'],
  ["attachment; filename=\"fallback.txt\"; filename*=UTF-8''K%C3%A4se%20%E2%82%AC.txt", "Käse €.txt"],
  ["attachment; filename*=UTF-8'de'K%C3%A4se.txt; filename=\"K_se.txt\"", "Käse.txt"],
  ["attachment; filename*=iso-8859-1'en'%A3%20rates.txt", "£ rates.txt"],
  ['attachment; FileName*=broken; filename="right.txt"', "right.txt"],
  [bytes('attachment; filename="Käse.txt"'), "Käse.txt"],
  ['attachment; filename="K\xe4se.txt"', "Käse.txt"],
  ['attachment; filename="K%C3%A4se.txt"', "Käse.txt"],
  ['attachment; filename="100%.txt"', "100%.txt"],
  ['attachment; filename="=?UTF-8?B?S8Okc2UudHh0?="', "Käse.txt"],
  ['attachment; filename="=?utf-8?Q?K=C3=A4se_?= =?utf-8?Q?2.txt?="', "Käse 2.txt"],
  ['attachment; filename="C:\\files\\a.txt"', "C:\\files\\a.txt"],
  ['attachment; filename="unended', "unended"],
  ["attachment; filename=\"\"; filename*=UTF-8''", undefined],
  ["attachment; name=x; size=3;;; filename = spaced.txt", "spaced.txt"]
]

it.each(cases)("%s", (header, name) => {
  assert.strictEqual(nameInDisposition(header), name)
})

it("a hostile header takes no longer than any other", () => {
  const from = process.cpuUsage()
  for (const part of [';"', "; filename=", '="', "; =?", "%", "\\"])
    nameInDisposition(`attachment${part.repeat(8_000)}`)
  const { user } = process.cpuUsage(from)
  assert.isBelow(user / 1_000, 500)
})
