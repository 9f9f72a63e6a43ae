// service.md 2.2; decisions O5, O24: where a redirect URI leads, as the consent page says it.
import { assert, describe, it } from "@effect/vitest"
import { targetOf } from "../../../src/domain/oauth/redirectTarget.ts"

describe("where a redirect URI leads", () => {
  const local = ["localhost", "localhost.", "quay.localhost", "127.0.0.1", "127.9.9.9", "0.0.0.0", "[::1]", "[::]"]
  const mapped = ["[::ffff:127.0.0.1]", "[::ffff:0.0.0.0]", "2130706433", "0x7f.1"]
  for (const host of [...local, ...mapped])
    it(`${host} is this machine`, () => assert.strictEqual(targetOf(`https://${host}/cb`).type, "loopback"))

  const elsewhere = ["127.evil.example", "127.0.0.1.evil.example", "localhost.example", "[::2]", "[::ffff:8.8.8.8]"]
  for (const host of elsewhere)
    it(`${host} is a website`, () => assert.strictEqual(targetOf(`https://${host}/cb`).type, "website"))

  it("a scheme of its own is an app", () =>
    assert.deepStrictEqual(targetOf("com.example.app:/cb"), { type: "app", scheme: "com.example.app" }))
})
