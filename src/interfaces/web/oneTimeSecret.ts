// A secret that is shown once must outlive the redirect after its form: sealed in a cookie of this session, gone when shown.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { AppConfig } from "../../platform/config/Config.ts"
import { passing } from "../../platform/sealing/SealedColumn.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import type { Response } from "./pageFrame.ts"
import type { SignedIn } from "./Visitors.ts"

export const makeOneTimeSecret = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const secrets = yield* Secrets
  const secure = baseUrl.startsWith("https:")
  const cookie = secure ? "__Host-millrace_once" : "millrace_once"
  const context = (visit: SignedIn, page: string) => passing(`pages/once/${page}/${visit.session.session_id}`)
  const set = (response: Response, value: string, maxAge: "0 seconds" | "5 minutes") =>
    HttpServerResponse.setCookieUnsafe(response, cookie, value, {
      httpOnly: true,
      secure,
      sameSite: "lax",
      path: "/",
      maxAge
    })

  return {
    keep: (response: Response, visit: SignedIn, page: string, secret: string): Response =>
      set(response, Buffer.from(secrets.encrypt(secret, context(visit, page))).toString("base64url"), "5 minutes"),
    /** The secret that a form of this page left; undefined when there is none. */
    read: (visit: SignedIn, page: string): Effect.Effect<string | undefined> => {
      const sealed = visit.request.cookies[cookie]
      if (sealed === undefined || sealed === "") return Effect.succeed(undefined)
      return secrets
        .decrypt(Buffer.from(sealed, "base64url"), context(visit, page))
        .pipe(Effect.catchTag("SecretUnreadable", () => Effect.succeed(undefined)))
    },
    forget: (response: Response): Response => set(response, "", "0 seconds")
  }
})
