// RFC 9110 8.4; decisions P6, W9: bodies are unpacked, and what comes out is bounded.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { canUnpack, codingsOf, unpack } from "../../../src/platform/bounds/contentCoding.ts"

const text = "Zwölf Boxkämpfer ".repeat(50)
const packers = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync
}

it.each(Object.entries(packers))("%s is undone", async (coding, packed) => {
  const { bytes, end } = await unpack(packed(text), [coding], 10_000)
  assert.deepStrictEqual([Buffer.from(bytes).toString(), end], [text, "whole"])
})

it("deflate without its head, and one coding within another", async () => {
  assert.strictEqual(Buffer.from((await unpack(deflateRawSync(text), ["deflate"], 10_000)).bytes).toString(), text)
  const both = await unpack(brotliCompressSync(gzipSync(text)), codingsOf("GZIP , identity, br"), 10_000)
  assert.deepStrictEqual([Buffer.from(both.bytes).toString(), both.end], [text, "whole"])
})

it("what is not of its coding or cut off is broken, with what came before the end", async () => {
  assert.strictEqual((await unpack(Buffer.from("plain"), ["gzip"], 100)).end, "broken")
  const packed = gzipSync(text)
  assert.strictEqual((await unpack(packed.subarray(0, packed.length - 9), ["gzip"], 10_000)).end, "broken")
})

it("a bomb ends at the bound, at every layer", async () => {
  const zeros = Buffer.alloc(4_000_000)
  for (const [coding, packed] of Object.entries(packers)) {
    const { bytes, end } = await unpack(packed(zeros), [coding], 1_000)
    assert.deepStrictEqual([bytes.length, end], [1_000, "larger"], coding)
  }
  const nested = await unpack(gzipSync(gzipSync(zeros)), ["gzip", "gzip"], 1_000)
  assert.strictEqual(nested.end, "larger")
})

it("what is not known, or in more layers than anybody sends, is not undone", () => {
  assert.deepStrictEqual(codingsOf(undefined), [])
  assert.deepStrictEqual(codingsOf(" identity, "), [])
  assert.isTrue(canUnpack(["gzip", "br", "zstd"]))
  assert.isFalse(canUnpack(["gzip", "gzip", "gzip", "gzip"]))
  for (const coding of ["aws-chunked", "utf-8", "toString", "compress"]) assert.isFalse(canUnpack([coding]))
  assert.isFalse(canUnpack(codingsOf(Array.from({ length: 5_000 }, () => "gzip").join(","))))
})
