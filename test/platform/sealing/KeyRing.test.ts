// decisions P4, P11: SECRET_KEY lists several keys, newest first, each with an id that what it encrypts carries.
import { createCipheriv, randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type KeyRing, newKey, readRing, ringKey, subkey } from "../../../src/platform/config/KeyRing.ts"
import { unwrap } from "../../../src/platform/sealing/envelope.ts"
import { passing } from "../../../src/platform/sealing/SealedColumn.ts"
import { makeRing } from "../../../src/platform/sealing/Secrets.ts"

const context = passing("table/1")
const ring = (...texts: ReadonlyArray<string>) => readRing(texts.join(", ")) as KeyRing
const [a, b, c] = [newKey(), newKey(), newKey()]

/** As every release before P11 wrote it. */
const sealedWithoutId = (key: string, plain: string) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", subkey(Buffer.from(key, "base64"), "encrypt"), nonce)
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()])
}

describe("decisions P11: the ring", () => {
  it("is one key or a comma list; ids are the keys' own", () => {
    assert.deepStrictEqual(
      ring(b, a).map(({ id }) => id),
      [b, a].map((text) => ringKey(Buffer.from(text, "base64")).id)
    )
    assert.match(ring(a)[0].id, /^[0-9a-f]{8}$/)
    assert.strictEqual(ring(a)[0].id, ring(a)[0].id)
    for (const wrong of ["", "short", `${a},`, `${a},${a}`, `${a}, short`, `name:${a}`, `${a}${b}`])
      assert.isUndefined(readRing(wrong), wrong)
  })

  it.effect("the newest encrypts, all decrypt, and a value says whose it is", () =>
    Effect.gen(function* () {
      const old = makeRing(ring(a))
      const both = makeRing(ring(b, a))
      const oldText = old.encrypt("hello", context)
      const newText = both.encrypt("hello", context)
      assert.strictEqual(unwrap(oldText)?.id, ring(a)[0].id)
      assert.strictEqual(unwrap(newText)?.id, ring(b)[0].id)
      assert.strictEqual(yield* both.decrypt(oldText, context), "hello")
      assert.strictEqual(yield* both.decrypt(newText, context), "hello")
      for (const wrong of [
        old.decrypt(newText, context),
        makeRing(ring(c)).decrypt(oldText, context),
        both.decrypt(oldText, passing("table/2")),
        both.decrypt(oldText.slice(0, -1), context),
        both.decrypt(new Uint8Array(3), context)
      ])
        assert.strictEqual((yield* Effect.flip(wrong))._tag, "SecretUnreadable")
    })
  )

  it.effect("values of earlier releases, which carry no id, open with whichever key made them", () =>
    Effect.gen(function* () {
      const sealed = sealedWithoutId(a, "hello")
      assert.strictEqual(yield* makeRing(ring(a)).decrypt(sealed, context), "hello")
      assert.strictEqual(yield* makeRing(ring(c, b, a)).decrypt(sealed, context), "hello")
      assert.strictEqual((yield* Effect.flip(makeRing(ring(c, b)).decrypt(sealed, context)))._tag, "SecretUnreadable")
    })
  )

  it("the newest signs, all verify", () => {
    const [old, both, fresh] = [makeRing(ring(a)), makeRing(ring(b, a)), makeRing(ring(b))]
    const signature = old.sign("cursor", "text")
    assert.isTrue(both.verify("cursor", "text", signature))
    assert.isFalse(fresh.verify("cursor", "text", signature))
    assert.isTrue(fresh.verify("cursor", "text", both.sign("cursor", "text")))
    assert.isFalse(both.verify("file", "text", signature))
  })
})
