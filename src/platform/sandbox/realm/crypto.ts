// `crypto` of scripts (developer-api.md 8.2), in the shape of Node's: digests and HMACs of texts and bytes, random ids, comparison in constant
// time. What is to be digested is gathered here, within the isolate's memory, and goes to the process once, at the end. Every digest is an
// object of its own without a class: what a script hangs on one is on no other.
import { DIGEST_ALGORITHMS, TEXT_CHARS } from "../textCalls.ts"
import { atob, btoa, fromHex, hexOf, plainOf, unpadded, urlOf } from "./base64.ts"
import { bytesOf, isBytes, latinOf, toBytes, utf8Of } from "./bytes.ts"
import { askHost } from "./host.ts"

const algorithmOf = (given: unknown): string => {
  const name = `${given}`.toLowerCase().replace(/^sha-/, "sha")
  const algorithm = DIGEST_ALGORITHMS.find((one) => one === name)
  if (algorithm === undefined)
    throw new TypeError(`crypto has no digest ${`${given}`.slice(0, 100)}: ${DIGEST_ALGORITHMS.join(", ")}`)
  return algorithm
}

const unknownEncoding = (encoding: unknown) =>
  new TypeError(`The encoding ${`${encoding}`.slice(0, 100)} is not known: utf8, hex, base64, base64url, latin1`)

/** A character for each byte of a text. Stricter than Node, which leaves out what is no base64 and no hexadecimal. */
const latinIn = (text: string, encoding: unknown): string => {
  switch (encoding === undefined || encoding === null ? "utf8" : `${encoding}`.toLowerCase()) {
    case "utf8":
    case "utf-8":
      // Most of what is signed is ASCII, whose UTF-8 it is itself.
      return /[^\0-\x7f]/.test(text) ? latinOf(utf8Of(text)) : text
    case "hex":
      return latinOf(fromHex(text))
    case "base64":
    case "base64url":
      // Either alphabet, as Node reads them.
      return atob(plainOf(text))
    case "latin1":
    case "binary":
      return latinOf(Uint8Array.from(text, (c) => c.charCodeAt(0)))
    default:
      throw unknownEncoding(encoding)
  }
}

const latin = (data: unknown, encoding?: unknown): string => {
  if (typeof data === "string") return latinIn(data, encoding)
  if (isBytes(data)) return latinOf(toBytes(data))
  throw new TypeError("crypto takes strings and bytes (Uint8Array, ArrayBuffer)")
}

const encodeDigest = (digest: string, encoding: unknown): string | Uint8Array => {
  if (encoding === undefined || encoding === null || encoding === "buffer") return bytesOf(digest)
  switch (`${encoding}`.toLowerCase()) {
    case "hex":
      return hexOf(bytesOf(digest))
    case "base64":
      return btoa(digest)
    case "base64url":
      return unpadded(urlOf(btoa(digest)))
    case "latin1":
    case "binary":
      return digest
    default:
      throw unknownEncoding(encoding)
  }
}

const makeDigest = (algorithm: string, key: string | null) => {
  let data = ""
  let isOver = false
  const begin = () => {
    if (isOver) throw new Error("Digest already called")
  }
  const self = Object.freeze({
    update: (more: unknown, encoding?: unknown) => {
      begin()
      const added = latin(more, encoding)
      if (data.length + added.length > TEXT_CHARS)
        throw new RangeError(`crypto takes at most ${TEXT_CHARS} bytes for one digest`)
      data += added
      return self
    },
    digest: (encoding?: unknown) => {
      begin()
      isOver = true
      const digest = askHost("digest", algorithm, key, data)
      data = ""
      if (digest === null) throw new Error(`The digest ${algorithm} is not available`)
      return encodeDigest(digest, encoding)
    }
  })
  return self
}

/** Looks at every byte, whatever differs. */
const timingSafeEqual = (a: unknown, b: unknown): boolean => {
  const leftBytes = bytesOf(latin(a))
  const rightBytes = bytesOf(latin(b))
  if (leftBytes.length !== rightBytes.length) throw new RangeError("Input buffers must have the same byte length")
  let difference = 0
  for (let i = 0; i < leftBytes.length; i++) difference |= leftBytes[i]! ^ rightBytes[i]!
  return difference === 0
}

const randomUUID = (): string => {
  const hex = askHost("random", 16)
  if (hex === null) throw new Error("Random bytes are not available")
  const variant = "89ab"[Number.parseInt(hex[16]!, 16) & 3]!
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

export const crypto = Object.freeze({
  createHash: (algorithm: unknown) => makeDigest(algorithmOf(algorithm), null),
  createHmac: (algorithm: unknown, key: unknown, options: { encoding?: unknown } = {}) => {
    const bytes = latin(key, options.encoding)
    if (bytes.length > TEXT_CHARS) throw new RangeError(`crypto takes at most ${TEXT_CHARS} bytes as a key`)
    return makeDigest(algorithmOf(algorithm), bytes)
  },
  randomUUID,
  timingSafeEqual
})
