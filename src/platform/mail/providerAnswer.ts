// Reads a token endpoint's 200 (RFC 6749 5.1; decisions P3), leniently: a rotated refresh token is sent only once, so no odd member beside
// it may keep it from being stored.
import { Result } from "effect"

export interface TokenAnswer {
  /** Access token; undefined if there is none that can stand in a header. */
  readonly accessToken: string | undefined
  /** Scheme for the header; null: `Bearer`. */
  readonly tokenType: string | null
  /** Lifetime; undefined: until it is refused. */
  readonly expiresInSeconds: number | undefined
  readonly refreshToken: string | undefined
}

const TOKEN68 = /^[\w.~+/=-]+$/
const TOKEN_TYPE = /^[\w-]{1,30}$/
/** Longest lifetime, ten years: some endpoints say "for ever" by the largest number that they know. */
const SECONDS_MAX = 315_360_000

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === "number" ? value : Number(textOf(value)?.trim() || Number.NaN)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), SECONDS_MAX)
}

export const tokenAnswerOf = (text: string): TokenAnswer => {
  const parsedAnswer = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  const members = new Map(Object.entries(typeof parsedAnswer === "object" && parsedAnswer !== null ? parsedAnswer : {}))
  const accessToken = textOf(members.get("access_token"))
  const tokenType = textOf(members.get("token_type"))
  return {
    accessToken: accessToken !== undefined && TOKEN68.test(accessToken) ? accessToken : undefined,
    tokenType: tokenType !== undefined && TOKEN_TYPE.test(tokenType) ? tokenType : null,
    expiresInSeconds: secondsOf(members.get("expires_in")),
    refreshToken: textOf(members.get("refresh_token"))
  }
}

/** Header value, with `Bearer` in its own spelling, whatever the endpoint wrote (RFC 6750). */
export const headerOf = (tokenType: string | null, token: string): string =>
  `${tokenType === null || tokenType.toLowerCase() === "bearer" || !TOKEN_TYPE.test(tokenType) ? "Bearer" : tokenType} ${token}`
