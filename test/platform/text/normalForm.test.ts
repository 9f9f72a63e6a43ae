// decisions P8: one spelling for what looks the same, in linear time.
import { assert, describe, it } from "@effect/vitest"
import { isLonger, spelled } from "../../../src/domain/records/fields/input/characters.ts"
import { normalForm } from "../../../src/platform/text/normalForm.ts"
import { webAddress } from "../../../src/platform/text/webAddress.ts"
import { cpuMillis } from "../../support/turns.ts"

const forms = ["NFC", "NFKC", "NFKD"] as const
/** Each of them takes the runtime's own normalization seconds. */
const runs = ["\u0301\u0323", "\u0345\u0301\u0323\u0327", "\u0f73\u0f71", "\u0344\u0323", "\uff9e\u0301"]

describe("normal forms (P8)", () => {
  it("a text of any length is spelled as the runtime spells it, where runs of marks are as long as those of people", () => {
    const marked = `a${"\u0301\u0323".repeat(15)}`
    for (const text of [
      "e\u0301",
      "\u1100\u1161\u11a8",
      "\u2126",
      "\uff76\uff9e",
      marked,
      "\u{1109a}\u{110ba}",
      "\ufdfa"
    ]) {
      const long = `${text} b`.repeat(300)
      for (const form of forms) assert.strictEqual(normalForm(long, form), long.normalize(form), `${form} ${text}`)
    }
  })

  it("no letter begins with a mark once it is normalized: what is beside a run stays apart from it", () => {
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const letter = String.fromCodePoint(code)
      if (/^[\p{M}\uff9e\uff9f\u0e33\u0eb3]/u.test(letter)) continue
      for (const form of forms)
        if (/^\p{M}/u.test(letter.normalize(form))) assert.fail(`${form} of ${code.toString(16)}`)
    }
  })

  it("attack: a long run of marks stays as it is written, twice as well as once, in no time", () => {
    for (const run of runs) {
      const text = `e\u0301${run.repeat(150_000 / run.length)}e\u0301`
      for (const form of forms) {
        const normalText = normalForm(text, form)
        assert.strictEqual(normalForm(normalText, form), normalText)
        assert.isBelow(
          cpuMillis(() => normalForm(text, form)),
          50,
          form
        )
      }
      assert.isBelow(
        cpuMillis(() => isLonger(text, 500) || spelled(text)),
        50
      )
    }
    assert.isTrue(spelled(`${"\u0301\u0323".repeat(500)}e\u0301`).endsWith("\u00e9"))
  })
})

describe("web addresses (P8)", () => {
  it("are http or https, with a host that a name server may know", () => {
    assert.strictEqual(webAddress("https://b\u00fccher.example/ä?q#h")?.hostname, "xn--bcher-kva.example")
    assert.strictEqual(webAddress(`http://${"u".repeat(600)}:p@h.example/`)?.host, "h.example")
    assert.strictEqual(webAddress(`https://h.example/${"p".repeat(9000)}`)?.host, "h.example")
    for (const text of [
      "",
      "h.example",
      "ftp://h.example",
      "javascript:alert(1)",
      "https://",
      `https://${"a".repeat(513)}`
    ])
      assert.isNull(webAddress(text), text)
  })

  it("attack: marks in a host, in escapes or behind what the parser leaves out, take no time", () => {
    const marks = "\u0301\u0323".repeat(30_000)
    for (const text of [`http://a${marks}`, `http:\\\\a${encodeURI(marks)}`, `ht\ntp:/\t/x@a\t${marks}/`])
      assert.isBelow(
        cpuMillis(() => webAddress(text)),
        50
      )
  })
})
