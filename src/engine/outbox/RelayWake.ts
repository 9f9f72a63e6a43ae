// Wakes the relay on a commit: a latch in this process, and where the relay runs elsewhere one coalesced NOTIFY. A NOTIFY takes a
// database-wide lock at commit, so it is never sent per row or inside a change's transaction.
import { Context, Effect, Latch, Layer } from "effect"
import { notify } from "../../platform/sql/notify.ts"
import { Sql } from "../../platform/sql/Sql.ts"

export const OUTBOX_CHANNEL = "outbox"
/**
 * Pause between two notifications: the first while changes come now and then, the last while they do not stop and the relay takes many at a
 * time.
 */
const SPACING_MILLIS = { least: 5, most: 20 }

export interface RelayWakeShape {
  /** Announces that outbox rows have been committed: `sql.afterCommit(wake.poke)`. Never waits. */
  readonly poke: Effect.Effect<void>
  /** Resumes at the next poke, at once when one came since the last call. */
  readonly next: Effect.Effect<void>
}

const latch = Effect.gen(function* () {
  const poked = yield* Latch.make(false)
  const next = Effect.andThen(poked.await, Effect.asVoid(poked.close))
  return { poke: Effect.asVoid(poked.open), next }
})

/**
 * Announces a poke at once, and those that come meanwhile together: every 5 ms at first, and half as often each time while there are any.
 * Each notification is a transaction next to the changes and wakes every relay.
 */
export const coalesced = Effect.fnUntraced(function* <E, R>(tell: Effect.Effect<unknown, E, R>) {
  const { least, most } = SPACING_MILLIS
  const wake = yield* latch
  let meanwhile = false
  let spacing = least
  const poke = Effect.suspend(() => {
    meanwhile = true
    return wake.poke
  })
  const tellAndPause = Effect.suspend(() => {
    meanwhile = false
    return Effect.andThen(tell, Effect.sleep(spacing))
  })
  const next = Effect.sync(() => {
    spacing = meanwhile ? Math.min(most, 2 * spacing) : least
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.andThen(wake.next, tellAndPause), next)))
  return { poke, next: wake.next }
})

export class RelayWake extends Context.Service<RelayWake, RelayWakeShape>()("millrace/outbox/RelayWake") {
  /** Layer for a process with a relay of its own. */
  static readonly layer = Layer.effect(RelayWake, latch)

  /** Layer for a process without a relay: pokes become notifications. */
  static readonly layerRemote = Layer.effect(
    RelayWake,
    Effect.flatMap(Sql, (sql) =>
      coalesced(
        // Ignores a failure: a lost notification costs the relay's slow poll, nothing else.
        Effect.catchTag(notify(sql, OUTBOX_CHANNEL, ""), "SqlError", (error) =>
          Effect.logDebug("notify failed", error.message)
        )
      )
    )
  )
}
