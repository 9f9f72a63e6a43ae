// Authenticator apps (RFC 6238): six digits of thirty seconds, from a secret that app and service share. One step to either side is taken, for
// clocks that differ.
import { Secret, TOTP } from "otpauth"

const SIDE_STEPS = 1

const totpOf = (secret: string, label = "") =>
  new TOTP({ issuer: "Millrace", label, algorithm: "SHA1", digits: 6, period: 30, secret: Secret.fromBase32(secret) })

/** New secret in base32, which people can type into their app: 160 bits. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** URI in the QR code. */
export const keyUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The step whose code was typed; undefined for any other text. */
export const stepOf = (secret: string, typed: string, millis: number): number | undefined => {
  const code = typed.replaceAll(" ", "")
  if (!/^\d{6}$/.test(code)) return undefined
  const totp = totpOf(secret)
  const delta = totp.validate({ token: code, timestamp: millis, window: SIDE_STEPS })
  return delta === null ? undefined : totp.counter({ timestamp: millis }) + delta
}
