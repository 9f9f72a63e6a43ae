// How a commit wakes the relay: a latch in this process, and where the relay runs elsewhere one coalesced NOTIFY
// (a NOTIFY takes a database-wide lock at commit, so it is never sent per row or inside a change's transaction).
import { Context, Effect, Latch, Layer } from "effect"
import { hint } from "../../ground/sql/hint.ts"
import { Sql } from "../../ground/sql/Sql.ts"

export const OUTBOX_CHANNEL = "outbox"
const COALESCE = "5 millis"

export interface RelayWakeShape {
  /** Says that outbox rows have been committed: `sql.afterCommit(wake.poke)`. Never waits. */
  readonly poke: Effect.Effect<void>
  /** Resumes at the next poke, at once when one came since the last call. */
  readonly next: Effect.Effect<void>
}

const latch = Effect.gen(function* () {
  const poked = yield* Latch.make(false)
  const next = Effect.andThen(poked.await, Effect.asVoid(poked.close))
  return { poke: Effect.asVoid(poked.open), next }
})

export class RelayWake extends Context.Service<RelayWake, RelayWakeShape>()("millrace/outbox/RelayWake") {
  /** For a process with a relay of its own. */
  static readonly layer = Layer.effect(RelayWake, latch)

  /** For a process without one: pokes become notifications, one per 5 ms at most. */
  static readonly layerRemote = Layer.effect(
    RelayWake,
    Effect.gen(function* () {
      const sql = yield* Sql
      const wake = yield* latch
      yield* wake.next.pipe(
        Effect.andThen(hint(sql, OUTBOX_CHANNEL, "")),
        // A lost hint costs the relay's slow poll, nothing else.
        Effect.catchTag("SqlError", (error) => Effect.logDebug("notify failed", error.message)),
        Effect.andThen(Effect.sleep(COALESCE)),
        Effect.forever,
        Effect.forkScoped
      )
      return wake
    })
  )
}
