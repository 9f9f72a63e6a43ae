// The session cookie: `__Host-` and Secure, a plain one while the service is reached over http (decisions O12).
import { HttpServerResponse } from "effect/http"
import { limits } from "../../domain/connections/oauthLimits.ts"
import type { Session } from "../../domain/oauth/Sessions.ts"

export const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith("https:") ? "__Host-millrace_session" : "millrace_session"

export const withSession = (
  response: HttpServerResponse.HttpServerResponse,
  baseUrl: string,
  session: Session
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(baseUrl), session.token, {
    httpOnly: true,
    secure: baseUrl.startsWith("https:"),
    sameSite: "lax",
    path: "/",
    ...(session.person_id === null ? {} : { maxAge: `${limits.sessionIdleMillis} millis` as const })
  })
