// Calls that a script's realm makes to its process and waits for (developer-api.md 8.2), as both sides know them.

export type TextFunction = "url" | "random" | "digest" | "charset" | "decode"

/** Null for what cannot be. Bytes are a character each. */
export type AskText = (
  name: TextFunction,
  a: string | number,
  b: string | null,
  c: string | boolean | null,
  d: string | boolean | null
) => string | null

/** Characters of each text, so bytes that one digest takes, or one decoding: more than an answer of `http` brings. */
export const TEXT_CHARS = 8 * 1024 * 1024

export const DIGEST_ALGORITHMS = ["md5", "sha1", "sha256", "sha384", "sha512"] as const
