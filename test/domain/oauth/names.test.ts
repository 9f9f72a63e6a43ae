// decisions O8, O24: what is left of a name that a client gave itself.
import { assert, describe, it } from "@effect/vitest"
import { clientName, showable } from "../../../src/domain/oauth/clients/clientNames.ts"

describe("O24: names of clients", () => {
  it("O24: a name of invisible characters alone is none", () => {
    const codes = [
      0x20, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200d, 0x202e, 0x2060, 0x2066
    ]
    const more = [0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1d173, 0xe0001, 0xe0041, 0xe0100, 0x301]
    for (const code of [...codes, ...more]) {
      assert.isUndefined(clientName(String.fromCodePoint(code).repeat(3)), code.toString(16))
    }
    assert.isUndefined(clientName(""))
    assert.isUndefined(clientName("\u200b \u3164\t\u2800\u202e"))
  })

  it("O24: what is invisible goes, blanks are one, marks do not climb", () => {
    assert.strictEqual(clientName("Good\u202e\u2066 App\u200b\u3164\ufe0f\u{e0041}"), "Good App")
    assert.strictEqual(clientName("  Harbor \u3000\u2003\u2800  Board\n"), "Harbor Board")
    assert.strictEqual(clientName(`A${"\u0301".repeat(500)}b`), `A${"\u0301".repeat(4)}b`)
    assert.strictEqual(clientName("\u0301Harbor"), "Harbor")
    for (const name of ["Hafen-Büro", "ハーバー", "ميناء", "हार्बर", "Tiếng Việt", "🚢 Boats", "C++ & <Tools>"]) {
      assert.strictEqual(showable(name), name)
    }
  })

  it("O24: a long one is cut to 80 visible characters, never through one", () => {
    assert.strictEqual(clientName("x".repeat(5_000)), "x".repeat(80))
    assert.strictEqual(clientName("e\u0301".repeat(200)), "e\u0301".repeat(80))
    assert.strictEqual(clientName("🇩🇪".repeat(100)), "🇩🇪".repeat(80))
    assert.strictEqual(clientName(`${"x".repeat(79)} y`), "x".repeat(79))
  })
})
