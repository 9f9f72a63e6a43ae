// Forms for people who are nobody yet (decisions O11, O12): they carry the token of the browser's session, and one that has none gets one, as
// many in a minute as a source may have begun (docs/decisions.md, O22): each is a row that anybody can make.
import { Effect } from "effect"
import { RateLimits } from "../../domain/oauth/RateLimits.ts"
import { Sessions } from "../../domain/oauth/Sessions.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { withSession } from "../web/cookie.ts"
import { messagePage } from "../web/layout.ts"
import type { Response } from "../web/pageFrame.ts"
import { after } from "../web/passwordGuesses.ts"
import type { Visit } from "../web/Visitors.ts"
import { openForm as texts } from "./texts/signIn.ts"

const tooMany = messagePage(texts.tooManyRequests, texts.tryAgainInAMinute, 429)

export const makeOpenForm = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const sessions = yield* Sessions
  const limits = yield* RateLimits
  const begin = Effect.andThen(limits.signIn, sessions.begin)

  /** @param form the page, with the token that its form carries */
  return ({ session: known }: Visit, form: (csrf: string) => Response) =>
    (known === undefined ? begin : Effect.succeed(known)).pipe(
      Effect.map((session) => withSession(form(session.csrf), baseUrl, session)),
      Effect.catchTag("OAuthRefused", ({ retryAfterSeconds = 60 }) => Effect.succeed(after(tooMany, retryAfterSeconds)))
    )
})
