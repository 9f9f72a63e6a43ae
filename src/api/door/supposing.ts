// A request whose caller is only supposed (docs/architecture.md, "Asked together"): the statement that it comes to holds who calls, and where it
// could not, nothing has been changed and the request begins anew, with the look-up. What was only supposed is answered to nobody.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { CallerWants, ResolvedCaller } from "../../domain/accounts/CallerWants.ts"
import type { Budget } from "./RateLimit.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Whom a credential names, or why it names nobody. */
export type Authenticated = ResolvedCaller | "none" | "invalid"

/** Whoever it is, nothing has been changed; a number of the app may have been drawn. */
export const onlySupposed = (caller: Authenticated) => typeof caller !== "string" && caller.supposition?.open() === true

/** In the place of an answer for who was only supposed, which nobody gets. */
export const begunAnew = Effect.succeed(HttpServerResponse.empty())

type Spend = (userId: number) => Effect.Effect<Budget>

export interface Supposable<Invalid, From, E, R> {
  readonly read: Effect.Effect<string, Invalid, From>
  readonly spend: Spend
  readonly authenticate: (supposed: CallerWants["supposed"]) => Effect.Effect<Authenticated, E, R>
  readonly enter: (
    read: Effect.Effect<string, Invalid, From>,
    spend: Spend
  ) => (caller: Authenticated) => Effect.Effect<Response, E, R>
}

/** Read once and paid for once, although it may begin anew: a credential is always the same user's. */
const supposed = <Invalid, From, E, R>({ authenticate, enter, read, spend }: Supposable<Invalid, From, E, R>) => {
  let budget: Budget | undefined
  const spendOnce: Spend = (userId) =>
    budget === undefined
      ? Effect.map(spend(userId), (spent) => {
          budget = spent
          return spent
        })
      : Effect.succeed(budget)
  return Effect.flatMap(Effect.cached(read), (body) => {
    const enterAs = enter(body, spendOnce)
    return Effect.flatMap(authenticate("may be"), (caller) =>
      Effect.flatMap(enterAs(caller), (answered) =>
        onlySupposed(caller) || caller === "invalid"
          ? Effect.flatMap(authenticate("not yet"), enterAs)
          : Effect.succeed(answered)
      )
    )
  })
}

/** Callers are supposed of requests that come alone: each holds it by itself, where a look-up is shared by all that come together. */
export const makeSupposing = () => {
  let inside = 0
  const counted = <A, E, R>(request: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        inside++
      }),
      () => request,
      () =>
        Effect.sync(() => {
          inside--
        })
    )
  return <Invalid, From, E, R>(looked: Effect.Effect<Response, E, R>, request: Supposable<Invalid, From, E, R>) =>
    counted(inside > 0 ? looked : supposed(request))
}
