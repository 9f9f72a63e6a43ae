// SECRET_KEY as a ring (decisions P4, P11): one key or several, newest first, each known by an id. Written as a comma list of 32 bytes
// in base64, each with a name of one's own before it (`2026:…`) or known by its fingerprint.
import { createHmac, hkdfSync, randomBytes } from "node:crypto"

export interface RingKey {
  /** What values carry that it encrypted; tells nothing of the key. */
  readonly id: string
  /** Identifies the key without revealing it, whatever it is called. */
  readonly fingerprint: string
  readonly bytes: Uint8Array
}

/** Newest first: the first encrypts and signs, all decrypt and verify. */
export type KeyRing = readonly [RingKey, ...ReadonlyArray<RingKey>]

export const subkey = (key: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", `millrace/${purpose}`, 32))

/** The id of a key without a name of its own. */
export const idOf = (fingerprint: string): string => Buffer.from(fingerprint, "base64url").toString("hex").slice(0, 8)

export const ringKey = (bytes: Uint8Array, name?: string): RingKey => {
  const fingerprint = createHmac("sha256", subkey(bytes, "fingerprint")).update("millrace").digest("base64url")
  return { id: name ?? idOf(fingerprint), fingerprint, bytes }
}

const WRITTEN = /^(?:([A-Za-z0-9][\w-]{0,31}):)?([A-Za-z0-9+/_-]+={0,2})$/

const readKey = (text: string): RingKey | undefined => {
  const [, name, encoded = ""] = WRITTEN.exec(text) ?? []
  const bytes = new Uint8Array(Buffer.from(encoded, "base64"))
  return bytes.length === 32 ? ringKey(bytes, name) : undefined
}

/** `undefined` where an entry is no key, or two are the same or have the same id. */
export const readRing = (text: string): KeyRing | undefined => {
  const keys = text.split(",").map((entry) => readKey(entry.trim()))
  const known = keys.filter((key) => key !== undefined)
  const distinct = (of: (key: RingKey) => string) => new Set(known.map(of)).size === keys.length
  if (!distinct(({ id }) => id) || !distinct(({ fingerprint }) => fingerprint)) return undefined
  return known as unknown as KeyRing
}

/** A new key as SECRET_KEY takes it. */
export const newKey = (): string => randomBytes(32).toString("base64")
