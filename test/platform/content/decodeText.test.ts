// RFC 9110 8.3.2, RFC 8259 8.1, RFC 7303 3: bytes from outside become the text that was meant.
import { assert, it } from "@effect/vitest"
import { decodeText, isWrittenText } from "../../../src/platform/content/decodeText.ts"

const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(text, "utf16le")
  return big ? bytes.swap16() : bytes
}
const latin = (text: string) => Buffer.from(text, "latin1")

const cases: ReadonlyArray<readonly [what: string, bytes: Uint8Array, type: string | undefined, text: string]> = [
  ["UTF-8 by default", Buffer.from("Müller"), "text/csv", "Müller"],
  ["ISO-8859-1", latin("Müller"), "text/csv; charset=ISO-8859-1", "Müller"],
  ["in quotes, with blanks", latin("Müller"), 'text/csv; header=present;  Charset = "latin1" ; x=1', "Müller"],
  ["in single quotes", latin("Müller"), "text/csv; charset='latin1'", "Müller"],
  ["windows-1252", Buffer.from([0x80, 0x93, 0x41]), "text/plain;charset=windows-1252", "€“A"],
  ["Shift_JIS", Buffer.from([0x82, 0xa0]), "text/plain; charset=Shift_JIS", "あ"],
  ["GB 18030 by its older name", Buffer.from([0xc4, 0xe3]), "text/plain; charset=GB2312", "你"],
  ["KOI8-R", Buffer.from([0xc1]), "text/plain; charset=koi8-r", "а"],
  ["UTF-16 by its mark", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16("ü")]), "text/csv", "ü"],
  ["UTF-16, the other way round", Buffer.concat([Buffer.from([0xfe, 0xff]), utf16("ü", true)]), undefined, "ü"],
  ["UTF-16 by its name", utf16("ü"), "text/csv; charset=utf-16le", "ü"],
  ["a mark goes before what the header says", Buffer.from("\ufeffü"), "text/csv; charset=latin1", "ü"],
  ["JSON behind a mark", Buffer.from('\ufeff{"a":1}'), "application/json", '{"a":1}'],
  ["JSON in its charset", latin('{"a":"ü"}'), "application/json;charset=ISO-8859-1", '{"a":"ü"}'],
  [
    "XML by its declaration",
    latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>'),
    "application/xml",
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>'
  ],
  ["HTML by its meta", latin("<html><meta charset=latin1>ü"), "text/html", "<html><meta charset=latin1>ü"],
  [
    "a declaration that cannot be true",
    Buffer.from('<?xml version="1.0" encoding="UTF-16"?>ü'),
    "text/xml",
    '<?xml version="1.0" encoding="UTF-16"?>ü'
  ],
  ["text that names none and is no UTF-8", latin("Müller"), "text/csv", "Müller"],
  ["bytes that are none", Buffer.from([0x89, 0xff]), "image/png", "\ufffd\ufffd"],
  ["nothing", new Uint8Array(0), "text/plain; charset=", ""]
]

it.each(cases)("%s", (_what, bytes, type, text) => {
  assert.strictEqual(decodeText(bytes, type).text, text)
})

it("a charset that nobody knows is told, and read as if none were named", () => {
  const { charset, text, unknown } = decodeText(Buffer.from("ü"), "text/plain; charset=klingon")
  assert.deepStrictEqual([text, charset, unknown], ["ü", "utf-8", "klingon"])
})

it("what people write is told from bytes", () => {
  assert.isTrue(isWrittenText(Buffer.from("ü\n")))
  assert.isFalse(isWrittenText(latin("ü")))
  assert.isFalse(isWrittenText(Buffer.from("a\0b")))
})
