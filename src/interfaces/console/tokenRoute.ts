// `POST /console/token`: a page of ours whose person is signed in gets a token for the API (decisions, "The console").
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { errorResponse } from "../../api/middleware/errorResponses.ts"
import { SessionTokens, sessionTokenSeconds } from "../../domain/accounts/SessionTokens.ts"
import { jsonAnswer, makePageCalls } from "./pageCalls.ts"

const path = "/console/token"

const signInFirst = errorResponse(401, "dev_api_authentication", "Sign in first.", path)

export const ConsoleTokenRoute = HttpRouter.use(() =>
  Effect.gen(function* () {
    const { addBare } = yield* makePageCalls
    const tokens = yield* SessionTokens

    yield* addBare(
      path,
      Effect.fnUntraced(function* ({ current: { user_id }, session }) {
        const access_token = yield* tokens.mint(session.session_id, user_id)
        if (access_token === undefined) return signInFirst
        return jsonAnswer({ access_token, token_type: "Bearer", expires_in: sessionTokenSeconds, user_id })
      })
    )
  })
)
