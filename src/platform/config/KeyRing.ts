// Parses SECRET_KEY as a ring (decisions P4, P11): a comma list of 32 bytes in base64, newest first. A key's id is derived from the key. An
// assigned id could later name another key, and a value of the former would be taken for one of the latter.
import { createHmac, hkdfSync, randomBytes } from "node:crypto"

export interface RingKey {
  /** Id carried by the values that the key encrypted; reveals nothing of the key. */
  readonly id: string
  /** Identifies the key without revealing it. */
  readonly fingerprint: string
  readonly bytes: Uint8Array
}

/** Keys, newest first: the first encrypts and signs, all decrypt and verify. */
export type KeyRing = readonly [RingKey, ...ReadonlyArray<RingKey>]

export const subkey = (key: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", `millrace/${purpose}`, 32))

/** Id of a key: the beginning of its fingerprint. */
export const idOf = (fingerprint: string): string => Buffer.from(fingerprint, "base64url").toString("hex").slice(0, 8)

export const ringKey = (bytes: Uint8Array): RingKey => {
  const fingerprint = createHmac("sha256", subkey(bytes, "fingerprint")).update("millrace").digest("base64url")
  return { id: idOf(fingerprint), fingerprint, bytes }
}

const readKey = (text: string): RingKey | undefined => {
  const bytes = new Uint8Array(Buffer.from(/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? text : "", "base64"))
  return bytes.length === 32 ? ringKey(bytes) : undefined
}

/** Parses the ring; `undefined` if an entry is no key, or two are the same. */
export const readRing = (text: string): KeyRing | undefined => {
  const keys = text.split(",").map((entry) => readKey(entry.trim()))
  const validKeys = keys.filter((key) => key !== undefined)
  return new Set(validKeys.map(({ id }) => id)).size === keys.length ? (validKeys as unknown as KeyRing) : undefined
}

/** Generates a key in the form of SECRET_KEY. */
export const newKey = (): string => randomBytes(32).toString("base64")
