// Keeps separate pools for sockets that present a client's certificate (mutual TLS), since a socket that has shown an identity must serve
// no other. A pool ends when it has not been used for a while.
import { Effect, Exit, RcMap, type Scope } from "effect"
import type { Agent } from "undici"

export interface ClientIdentity {
  /** Certificate and private key, in PEM. */
  readonly cert: string
  readonly key: string
}

const IDLE = "10 seconds"

/** Makes the pools. @param open makes a pool for an identity and a size of answers */
export const makeIdentityPools = (open: (identity: ClientIdentity, maxBytes: number) => Agent) =>
  Effect.map(
    RcMap.make({
      lookup: (name: string): Effect.Effect<Agent, never, Scope.Scope> => {
        const [cert, key, maxBytes] = JSON.parse(name) as [string, string, number]
        return Effect.acquireRelease(
          Effect.sync(() => open({ cert, key }, maxBytes)),
          (agent, exit) => Effect.promise(() => (Exit.isSuccess(exit) ? agent.close() : agent.destroy()))
        )
      },
      idleTimeToLive: IDLE
    }),
    (pools) =>
      ({ cert, key }: ClientIdentity, maxBytes: number) =>
        RcMap.get(pools, JSON.stringify([cert, key, maxBytes]))
  )
