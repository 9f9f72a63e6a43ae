// Functions that the script environment has its process do (developer-api.md 8.2): addresses, random bytes, digests and charsets, by Node's
// own implementations. Ours would have to be as exact, and be slower inside the isolate, and an object of Node's would be a handle out of it. So
// nothing but texts goes back and forth: each is a function of texts (a character for a byte) that keeps nothing between two calls and never
// throws, since an error would carry the process's own lines into the isolate. The isolate waits meanwhile, and the watch counts time and
// memory of the whole process (8.3). A call takes 8 MiB at most, which is a tenth of a second at its longest, and less than a whole one for
// bytes that are chosen to be slow to decode: so late may the watch be.
import { createHash, createHmac, randomBytes } from "node:crypto"
import { DIGEST_ALGORITHMS, TEXT_CHARS, type TextFunction } from "../textCalls.ts"
import { parseUrl } from "./parseUrl.ts"

const algorithms: ReadonlySet<unknown> = new Set(DIGEST_ALGORITHMS)

const isText = (given: unknown): given is string => typeof given === "string" && given.length <= TEXT_CHARS

/** Hexadecimal. */
const random = (bytes: unknown) => randomBytes(Math.min(1024, Math.max(0, Number(bytes) || 0))).toString("hex")

/** Digest of the data; an HMAC if there is a key. */
const digest = (algorithm: unknown, key: unknown, data: unknown): string | null => {
  if (!isText(data) || !algorithms.has(algorithm)) return null
  if (key !== null && !isText(key)) return null
  const hash = key === null ? createHash(`${algorithm}`) : createHmac(`${algorithm}`, Buffer.from(key, "latin1"))
  return hash.update(data, "latin1").digest().toString("latin1")
}

/** The name of a charset by any of its labels. */
const charset = (label: unknown): string | null => (isText(label) ? new TextDecoder(label).encoding : null)

const decode = (name: unknown, bytes: unknown, fatal: unknown, ignoreBOM: unknown): string | null =>
  isText(name) && isText(bytes)
    ? new TextDecoder(name, { fatal: fatal === true, ignoreBOM: ignoreBOM === true }).decode(
        Buffer.from(bytes, "latin1")
      )
    : null

const functions: Readonly<Record<TextFunction, (...given: ReadonlyArray<unknown>) => string | null>> = {
  url: parseUrl,
  random,
  digest,
  charset,
  decode
}
const functionsByName = new Map<unknown, (typeof functions)[TextFunction]>(Object.entries(functions))

/** Null for what there is not, and for what cannot be. */
export const textFunction = (name: unknown, ...given: ReadonlyArray<unknown>): string | null => {
  try {
    return functionsByName.get(name)?.(...given) ?? null
  } catch {
    return null
  }
}
