// How a commit wakes the relay: a latch in this process, and where the relay runs elsewhere one coalesced NOTIFY
// (a NOTIFY takes a database-wide lock at commit, so it is never sent per row or inside a change's transaction).
import { Context, Effect, Latch, Layer } from "effect"
import { hint } from "../../ground/sql/hint.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { BARE, noticeOf, type ToldEvent } from "./notice.ts"

export const OUTBOX_CHANNEL = "outbox"
const COALESCE = "5 millis"
/** Beyond as many nothing of them is worth to be known ahead. */
const NOTICES_AT_MOST = 16

export interface RelayWakeShape {
  /** Says that outbox rows have been committed: `sql.afterCommit(wake.poke)`. Never waits. */
  readonly poke: Effect.Effect<void>
  /** The same, and which rows; they are asked for only where somebody waits for them. */
  readonly tell: (events: () => ReadonlyArray<ToldEvent>) => Effect.Effect<void>
  /** What another process has told. */
  readonly hear: (notice: string) => Effect.Effect<void>
  /** Resumes at the next poke, at once when one came since the last call. All that was said since then (notice.ts); a bare notice where something came before. */
  readonly next: Effect.Effect<ReadonlyArray<string>>
}

const latch = Effect.gen(function* () {
  const poked = yield* Latch.make(false)
  let waits = false
  let notices: Array<string> = []
  const come = (notice: () => string) =>
    Effect.suspend(() => {
      if (notices.length < NOTICES_AT_MOST) notices.push(waits ? notice() : BARE)
      else notices[0] = BARE
      return Effect.asVoid(poked.open)
    })
  const next = Effect.suspend(() => {
    waits = true
    return poked.await
  }).pipe(
    Effect.andThen(poked.close),
    Effect.map(() => {
      const all = notices
      notices = []
      return all
    }),
    Effect.ensuring(
      Effect.sync(() => {
        waits = false
      })
    )
  )
  return {
    poke: come(() => BARE),
    tell: (events: () => ReadonlyArray<ToldEvent>) => come(() => noticeOf(events())),
    hear: (notice: string) => come(() => notice),
    next
  }
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
        Effect.flatMap((notices) => hint(sql, OUTBOX_CHANNEL, notices.length === 1 ? notices[0]! : BARE)),
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
