// Digests, signatures, random ids, bytes and charsets of scripts, held against Node's own and a sender's library (developer-api.md 8.2).
import nodeCrypto from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { block, SandboxTest, valueOf } from "./support.ts"

const algorithms = ["md5", "sha1", "sha256", "sha384", "sha512"]
const encodings = ["hex", "base64", "base64url", "binary"] as const
const texts = ["", "a", "The quick brown fox", "Grüße, 漢字 \u{1f600}", "\u0000\u00ff\ud800", "x".repeat(10_000)]
const bytes = Array.from({ length: 256 }, (_, n) => n)

layer(SandboxTest, { excludeTestServices: true })("crypto and charsets of scripts (8.2)", (it) => {
  it.effect("createHash and createHmac give what Node's give, of texts and of bytes, in every encoding", () =>
    Effect.gen(function* () {
      const source = `algorithms.map((algorithm) => texts.map((text) => encodings.map((encoding) => [
        crypto.createHash(algorithm).update(text).digest(encoding),
        crypto.createHash(algorithm.toUpperCase()).update(new TextEncoder().encode(text)).update(Uint8Array.from(bytes)).digest(encoding),
        crypto.createHmac(algorithm, text).update(text).update(new Uint8Array(bytes).buffer).digest(encoding),
        crypto.createHmac(algorithm, Uint8Array.from(bytes)).update(new DataView(new Uint8Array(bytes).buffer, 9, 5)).digest(encoding),
        [...crypto.createHmac(algorithm, "").digest()]
      ])))`
      const allBytes = Buffer.from(bytes)
      const expected = algorithms.map((algorithm) =>
        texts.map((text) =>
          encodings.map((encoding) => [
            nodeCrypto.createHash(algorithm).update(text).digest(encoding),
            nodeCrypto.createHash(algorithm).update(text).update(allBytes).digest(encoding),
            nodeCrypto.createHmac(algorithm, text).update(text).update(allBytes).digest(encoding),
            nodeCrypto.createHmac(algorithm, allBytes).update(allBytes.subarray(9, 14)).digest(encoding),
            [...nodeCrypto.createHmac(algorithm, "").digest()]
          ])
        )
      )
      assert.deepStrictEqual(yield* valueOf(source, { algorithms, texts, encodings, bytes }), expected)
    })
  )

  it.effect("keys and data may be given in base64, base64url, hexadecimal or latin1", () =>
    Effect.gen(function* () {
      const source = `["base64", "base64url", "hex", "latin1"].map((encoding, n) =>
        crypto.createHmac("sha256", keys[n], { encoding }).update(keys[n], encoding).digest("hex"))`
      const key = Buffer.from([251, 255, 0, 1, 127, 200])
      const keys = (["base64", "base64url", "hex", "latin1"] as const).map((encoding) => key.toString(encoding))
      const digest = nodeCrypto.createHmac("sha256", key).update(key).digest("hex")
      assert.deepStrictEqual(yield* valueOf(source, { keys }), [digest, digest, digest, digest])
    })
  )

  it.effect("a script verifies what a sender's library has signed, and signs what it verifies", () =>
    Effect.gen(function* () {
      const secret = `whsec_${nodeCrypto.randomBytes(32).toString("base64")}`
      const library = new Webhook(secret)
      const body = JSON.stringify({ type: "order.paid", note: "Grüße" })
      const signedAt = new Date()
      const seconds = `${Math.floor(signedAt.getTime() / 1000)}`
      const source = `
        const key = secret("key").replace("whsec_", "")
        const signatureOf = (body) => "v1," + crypto.createHmac("sha256", key, { encoding: "base64" })
          .update([id, seconds, body].join(".")).digest("base64")
        const isFrom = (signature, body) => {
          const own = signatureOf(body)
          return signature.length === own.length && crypto.timingSafeEqual(signature, own)
        }
        return [signatureOf(body), isFrom(signature, body), isFrom(signature, body + " "), isFrom("v1,", body)]`
      const bindings = { id: "msg_1", seconds, body, signature: library.sign("msg_1", signedAt, body) }
      const { value } = yield* block(source, { bindings, secrets: { key: secret } })
      const [signature, ...verdicts] = value as [string, ...Array<boolean>]
      assert.deepStrictEqual(verdicts, [true, false, false])
      const headers = { "webhook-id": "msg_1", "webhook-timestamp": seconds, "webhook-signature": signature }
      assert.deepStrictEqual(library.verify(body, headers), JSON.parse(body))
      assert.throws(() => library.verify(`${body} `, headers))
    })
  )

  it.effect("randomUUID gives random ids of version 4", () =>
    Effect.gen(function* () {
      const ids = (yield* valueOf("Array.from({ length: 200 }, () => crypto.randomUUID())")) as ReadonlyArray<string>
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(new Set(ids).size, 200)
      assert.strictEqual(new Set(ids.map((id) => id[19])).size, 4)
      assert.strictEqual(yield* valueOf("uuid.version(crypto.randomUUID())"), 4)
    })
  )

  it.effect("Uint8Array reads and writes base64, base64url and hexadecimal", () =>
    Effect.gen(function* () {
      const source = `bytes.map((_, n) => {
        const some = Uint8Array.from(bytes.slice(n))
        const url = some.toBase64({ alphabet: "base64url", omitPadding: true })
        return [some.toBase64(), url, some.toHex(),
          crypto.timingSafeEqual(Uint8Array.fromBase64(some.toBase64()), some),
          crypto.timingSafeEqual(Uint8Array.fromBase64(url, { alphabet: "base64url" }), some),
          crypto.timingSafeEqual(Uint8Array.fromHex(some.toHex().toUpperCase()), some)]
      })`
      const expected = bytes.map((_, n) => {
        const some = Buffer.from(bytes.slice(n))
        return [some.toString("base64"), some.toString("base64url"), some.toString("hex"), true, true, true]
      })
      assert.deepStrictEqual(yield* valueOf(source, { bytes }), expected)
    })
  )

  it.effect("TextDecoder reads the charsets of the Encoding standard by their labels", () =>
    Effect.gen(function* () {
      const labels = [
        ...["utf-8", "UTF8", "utf-16", "utf-16le", "utf-16be", "windows-1252", "latin1", "ascii", "cp1252"],
        ...["windows-1250", "windows-1251", "windows-1254", "koi8-r", "macintosh", "ibm866", "x-user-defined"],
        ...Array.from({ length: 16 }, (_, n) => n + 1).flatMap((n) => (n === 12 ? [] : [`iso-8859-${n}`])),
        ...[" Shift_JIS ", "euc-jp", "iso-2022-jp", "euc-kr", "big5", "gbk", "gb18030"]
      ]
      const samples = [bytes, [0xff, 0xfe, 0x41, 0x00], [0xfe, 0xff, 0x00, 0x41], [0xa4, 0xe9, 0xa4], [0xc3, 0xa9], []]
      const source = `labels.map((label) => [new TextDecoder(label).encoding, samples.map((sample) => {
        const strict = new TextDecoder(label, { fatal: true, ignoreBOM: true })
        let read = null
        try { read = strict.decode(Uint8Array.from(sample).buffer) } catch {}
        return [new TextDecoder(label).decode(Uint8Array.from(sample)), read]
      })])`
      const strictly = (label: string, sample: ReadonlyArray<number>) => {
        try {
          return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(sample))
        } catch {
          return null
        }
      }
      const expected = labels.map((label) => [
        new TextDecoder(label).encoding,
        samples.map((sample) => [new TextDecoder(label).decode(Uint8Array.from(sample)), strictly(label, sample)])
      ])
      assert.deepStrictEqual(yield* valueOf(source, { labels, samples }), expected)
      assert.strictEqual(yield* valueOf("new TextDecoder('iso-8859-1').decode(new Uint8Array([0x80]))"), "€")
    })
  )

  it.effect("one digest takes 8 MiB, and the same digest no more", () =>
    Effect.gen(function* () {
      const source = `
        const half = "x".repeat(4 * 1024 * 1024)
        const digest = crypto.createHash("sha256").update(half).update(half)
        try { digest.update("x") } catch (error) { return [error.message, digest.digest("hex")] }`
      const { value } = yield* block(source)
      assert.deepStrictEqual(value, [
        "crypto takes at most 8388608 bytes for one digest",
        nodeCrypto
          .createHash("sha256")
          .update("x".repeat(8 * 1024 * 1024))
          .digest("hex")
      ])
    })
  )
})
