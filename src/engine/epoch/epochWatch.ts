// Ends a running process whose database was replaced beneath it: its memory belongs to another history. The supervisor starts it again, and
// it begins with what is there.
import { Effect, Layer, Schema } from "effect"
import { inBrief } from "../../platform/sql/transientErrors.ts"
import { Installation } from "./Installation.ts"
import { epochOfRow } from "./installationRow.ts"

export class EpochEnded extends Schema.TaggedError<EpochEnded>()("EpochEnded", { why: Schema.String }) {
  override get message() {
    return `This process ends, to be started again: ${this.why}.`
  }
}

const EVERY = "2 seconds"

export const layer = (end: (ended: EpochEnded) => Effect.Effect<unknown>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { begin, changed, lost, row } = yield* Installation
      const findReason = Effect.gen(function* () {
        const why = yield* lost
        if (why === null) return yield* changed
        // Begins the epoch here: a process that starts later cannot find the loss. Of several that have found it, one begins the epoch.
        yield* begin(why, epochOfRow(yield* row))
        return why
      })
      const findReasonSafely = Effect.catchCause(findReason, (cause) =>
        // A failed check counts as no change: while the database is away nothing of it is believed, and the next check follows.
        Effect.as(Effect.logDebug("the installation could not be looked at", inBrief(cause)), null)
      )
      yield* Effect.sleep(EVERY).pipe(
        Effect.andThen(findReasonSafely),
        Effect.flatMap((why) => (why === null ? Effect.void : end(new EpochEnded({ why })))),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
