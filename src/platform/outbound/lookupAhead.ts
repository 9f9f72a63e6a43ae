// Looks a name up before a transaction begins. Checks within it use that answer, so that they do not wait for a receiver's name servers
// with a connection and locks in use. A connection resolves the name anew.
import { isIP } from "node:net"
import { Context, Effect } from "effect"
import { isDotted, lookUpFailure, type Resolve } from "./resolveHost.ts"

/** Time-out of the look-up, however many name servers there are. */
const AT_MOST = "5 seconds"

type Answer = () => ReturnType<Resolve>

/** Resolved addresses for the call in progress, by name. */
const LookedUp = Context.Reference<ReadonlyMap<string, Answer>>("millrace/outbound/LookedUp", {
  defaultValue: () => new Map()
})

/**
 * Looks a name up for the given effect.
 * @param hostname as in `URL.hostname`; an address is no name, and a name that the operator has excepted is asked for again
 */
export const withLookupAhead =
  (resolve: Resolve) =>
  (hostname: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    isDotted(hostname) && isIP(hostname) === 0
      ? Effect.flatMap(
          Effect.tryPromise(() => resolve(hostname)).pipe(
            Effect.timeoutOrElse({
              duration: AT_MOST,
              orElse: () => Effect.fail({ cause: lookUpFailure("EAI_AGAIN", hostname) })
            }),
            Effect.match({
              onSuccess:
                (found): Answer =>
                () =>
                  Promise.resolve(found),
              onFailure:
                ({ cause }): Answer =>
                () =>
                  Promise.reject(cause)
            })
          ),
          (answer) => Effect.provideService(self, LookedUp, new Map([[hostname, answer]]))
        )
      : self

/** Resolver of the fiber: answers from `LookedUp`, and asks `resolve` for other names. */
export const resolveFromLookup = (resolve: Resolve): Effect.Effect<Resolve> =>
  Effect.map(
    LookedUp,
    (known): Resolve =>
      (hostname, excepted = false) =>
        (excepted ? undefined : known.get(hostname))?.() ?? resolve(hostname, excepted)
  )
