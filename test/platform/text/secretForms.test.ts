// developer-api.md 7.13: a named secret is found again however an answer has written it, and nothing else is taken for it.
import { assert, describe, it } from "@effect/vitest"
import { HIDDEN } from "../../../src/platform/text/redaction.ts"
import { bytesWithoutSecrets, formsOf, holdsSecret, withoutSecrets } from "../../../src/platform/text/secretForms.ts"

const SECRET = `s3cr+t/va=l "7f3b" <ü>`
const forms = formsOf(SECRET)
const hideSecrets = (value: unknown) => withoutSecrets(value, forms)

describe("forms of a secret", () => {
  it.each([
    ["as it is", (text: string) => text],
    ["for an address", encodeURIComponent],
    [
      "for an address, in small letters",
      (text: string) => encodeURIComponent(text).replace(/%../g, (c) => c.toLowerCase())
    ],
    ["within an address", encodeURI],
    ["in a form", (text: string) => new URLSearchParams({ a: text }).toString().slice(2)],
    ["in JSON within a text", (text: string) => JSON.stringify(text).slice(1, -1)],
    ["in HTML", (text: string) => text.replace(/[<>"]/g, (c) => ({ "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!)],
    ["in hexadecimal", (text: string) => Buffer.from(text).toString("hex")],
    ["in base64", (text: string) => Buffer.from(text).toString("base64")],
    ["in base64url", (text: string) => Buffer.from(text).toString("base64url")]
  ] as const)("%s", (_, write) => {
    assert.deepStrictEqual(hideSecrets([`a ${write(SECRET)} b`]), [`a ${HIDDEN} b`])
  })

  it("within JSON in base64, wherever it begins", () => {
    for (const prefix of ["", "a", "ab"]) {
      const body = Buffer.from(JSON.stringify({ [prefix]: SECRET })).toString("base64")
      const hiddenJson = JSON.stringify(hideSecrets({ body }))
      assert.include(hiddenJson, HIDDEN)
      // Six bytes of it, at each place that base64 may begin at.
      const part = JSON.stringify(SECRET).slice(3, 15)
      for (const from of [0, 1, 2])
        assert.notInclude(hiddenJson, Buffer.from(part.slice(from, from + 6)).toString("base64"))
    }
  })

  it("within a longer text in base64, wherever it begins", () => {
    for (const user of ["", "a", "ab", "abc", "operator"]) {
      const credentials = Buffer.from(`${user}:${SECRET}:more`)
      for (const encoding of ["base64", "base64url"] as const) {
        const hiddenText = hideSecrets(`Basic ${credentials.toString(encoding)}`) as string
        assert.include(hiddenText, HIDDEN)
        const decodedRest = Buffer.from(hiddenText.replace("Basic ", "").replace(HIDDEN, ""), encoding).toString()
        for (let start = 0; start + 4 <= SECRET.length; start++)
          assert.notInclude(decodedRest, SECRET.slice(start, start + 4))
      }
    }
  })

  it("in names and numbers of JSON, at any depth", () => {
    const digits = formsOf("71829364551")
    const value = { list: [{ "71829364551": 71829364551 }], other: 7182936455, is: "a71829364551b" }
    const expectedValue = { list: [{ [HIDDEN]: HIDDEN }], other: 7182936455, is: `a${HIDDEN}b` }
    assert.deepStrictEqual(withoutSecrets(value, digits), expectedValue)
  })

  it("lines of a longer one are hidden alone, short ones are not", () => {
    const key = formsOf("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nabc\n-----END KEY-----\n")
    assert.strictEqual(withoutSecrets("MIIEvQIBADANBgkqhkiG", key), HIDDEN)
    assert.strictEqual(withoutSecrets("abc", key), "abc")
  })

  it("bytes of any kind", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(SECRET), Buffer.from([0xfe])])
    const expectedBytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(HIDDEN), Buffer.from([0xfe])])
    assert.deepStrictEqual(Buffer.from(bytesWithoutSecrets(bytes, forms)), expectedBytes)
    const plainBytes = Buffer.from([1, 2, 3])
    assert.strictEqual(bytesWithoutSecrets(plainBytes, forms), plainBytes)
  })

  it("a value that holds none is the very same", () => {
    const value = { a: [1, "s3cr+t/va", null] }
    assert.strictEqual(hideSecrets(value), value)
    assert.isFalse(holdsSecret(value, forms))
    assert.isTrue(holdsSecret({ a: [SECRET] }, forms))
  })
})
