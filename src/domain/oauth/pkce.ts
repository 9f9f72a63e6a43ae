// PKCE with S256 only (service.md 4.1, 5.5; RFC 7636).
import { createHash } from "node:crypto"
import { sameSecret } from "../../platform/sealing/Secrets.ts"

/** 43 characters of base64url without padding. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** 43 to 128 unreserved characters. */
const isVerifier = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url")

export const verifies = (verifier: string, challenge: string): boolean =>
  isVerifier(verifier) && sameSecret(challengeOf(verifier), challenge)
