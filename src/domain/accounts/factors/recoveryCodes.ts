// Recovery codes: ten of 80 random bits, so that a plain hash keeps them; each is good once (decisions, "The second step").
import { randomInt } from "node:crypto"
import { hashToken } from "../../../platform/sealing/Secrets.ts"

export const CODES = 10

/** Crockford's base32: no letter that is taken for a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
const GROUPS = 4
const LENGTH = 16

const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: LENGTH / GROUPS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")
  ).join("-")

export const newCodes = (): ReadonlyArray<string> => Array.from({ length: CODES }, newCode)

/** Hash of a code, equal for all its spellings; undefined if the text is no code. */
export const hashOfCode = (typed: string): Uint8Array | undefined => {
  const code = typed.slice(0, 100).toLowerCase().replaceAll("-", "").replaceAll(" ", "")
  const read = code.replaceAll("o", "0").replaceAll("i", "1").replaceAll("l", "1")
  return read.length === LENGTH ? hashToken(`recovery ${read}`) : undefined
}
