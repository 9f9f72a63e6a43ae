// `/console/account/…`: what the console asks about the person of its session and does for them, beside the API (docs/decisions.md, "The
// console"): the API has no address that makes a credential, so a token that somebody took makes none either.
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { SignInThrottle } from "../../../domain/accounts/SignInThrottle.ts"
import { makePageCalls } from "../pageCalls.ts"
import { addPersonActs } from "./personActs.ts"
import { addSignInActs } from "./signInActs.ts"
import { addTokenActs } from "./tokenActs.ts"

export const ConsoleAccountRoutes = HttpRouter.use(() =>
  Effect.gen(function* () {
    const calls = yield* makePageCalls
    yield* addPersonActs(calls)
    yield* addSignInActs(calls)
    yield* addTokenActs(calls)
  })
).pipe(Layer.provide(SignInThrottle.layer))
