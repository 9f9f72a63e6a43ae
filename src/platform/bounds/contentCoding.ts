// Undoes content codings (RFC 9110 8.4) within a bound on the output, so that a few bytes do not become gigabytes (decisions P6, W9).
// Unpacking is zlib's, in its own threads.
import type { Transform } from "node:stream"
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress
} from "node:zlib"

/** Value of `Accept-Encoding`. */
export const CODINGS = "gzip, deflate, br, zstd"
/** Most codings within each other; no honest sender uses more. */
const LAYERS_AT_MOST = 3
const CHUNK_BYTES = 64 * 1024
/** Window of 8 MiB, RFC 9659's bound on a decoder's memory. */
const WINDOW_LOG = 23

/** Codings in the order in which they were applied; `identity` and empty entries are skipped. */
export const codingsOf = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .split(",", 2 * LAYERS_AT_MOST + 2)
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity")

/** True for zlib's format, which is what `deflate` means; some senders omit its header. */
const isZlib = (bytes: Uint8Array): boolean =>
  bytes.length > 1 && (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0

const ZLIB_HEAD = Uint8Array.of(0x78, 0x9c)

const options = { chunkSize: CHUNK_BYTES }
const unpackers: Readonly<Record<string, (bytes: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(options),
  "x-gzip": () => createGunzip(options),
  deflate: (bytes) => (isZlib(bytes) ? createInflate(options) : createInflateRaw(options)),
  br: () => createBrotliDecompress(options),
  zstd: () => createZstdDecompress({ ...options, params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } })
}

/** True if all codings can be undone. */
export const canUnpack = (codings: ReadonlyArray<string>): boolean =>
  codings.length <= LAYERS_AT_MOST && codings.every((coding) => Object.hasOwn(unpackers, coding))

/** Stream that undoes one coding; unbounded, and without the leniency for `deflate`. */
export const unpackerOf = (coding: string): Transform => unpackers[coding]!(ZLIB_HEAD)

interface Unpacked {
  /** Complete output, or the part before the end. */
  readonly bytes: Uint8Array
  /** `larger`: more than the bound; `broken`: not of this coding, or cut off. */
  readonly end: "whole" | "larger" | "broken"
}

const unpackOne = (bytes: Uint8Array, coding: string, maxBytes: number): Promise<Unpacked> =>
  new Promise((resolve) => {
    const unpacker = unpackers[coding]!(bytes)
    const chunks: Array<Uint8Array> = []
    let size = 0
    const finish = (end: Unpacked["end"]) => {
      unpacker.destroy()
      const unpackedBytes = Buffer.concat(chunks, size)
      resolve({ bytes: unpackedBytes.length > maxBytes ? unpackedBytes.subarray(0, maxBytes) : unpackedBytes, end })
    }
    unpacker.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) finish("larger")
    })
    unpacker.on("end", () => finish("whole"))
    unpacker.on("error", () => finish("broken"))
    unpacker.end(bytes)
  })

/** Undoes the codings of a body, at most `maxBytes` long at every layer. @param codings that `canUnpack` has accepted */
export const unpack = async (
  bytes: Uint8Array,
  codings: ReadonlyArray<string>,
  maxBytes: number
): Promise<Unpacked> => {
  let inner: Unpacked = { bytes, end: "whole" }
  for (const coding of codings.toReversed()) {
    const { end } = inner
    inner = await unpackOne(inner.bytes, coding, maxBytes)
    if (end !== "whole") inner = { ...inner, end }
  }
  return inner
}
