// Determines the epoch of a working process when Temporal is reached: before that nothing is started, polled or believed. From then on the
// two databases are compared every few minutes, and Temporal's mark is kept up to date.
import { Deferred, Effect, Layer } from "effect"
import { inBrief } from "../../platform/sql/transientErrors.ts"
import { Epoch, type EpochName, shownEpoch } from "../temporal/Epoch.ts"
import { Temporal } from "../temporal/Temporal.ts"
import { Installation } from "./Installation.ts"
import { readMark, writeMark } from "./temporalMark.ts"

const EVERY = "3 minutes"
const TRY_AGAIN = "1 second"

export const layer = Layer.effect(
  Epoch,
  Effect.gen(function* () {
    const temporal = yield* Temporal
    const installation = yield* Installation
    const foundEpoch = yield* Deferred.make<EpochName>()
    const lost = yield* Deferred.make<void>()

    const compare = Effect.fnUntraced(function* (first: boolean) {
      const mark = yield* readMark(temporal)
      const compared = yield* installation.compare(mark, first)
      if (compared.type === "fits") return yield* installation.tell(compared.tell, writeMark(temporal, compared.tell))
      // Never returns: the watch ends the process.
      if (compared.type === "over") return yield* Effect.never
      yield* Effect.logError(
        "another database has taken this Temporal namespace over: this process works no more until it is started again",
        { epoch: shownEpoch(compared.by.epoch), mark: compared.by.mark }
      )
      yield* Deferred.succeed(lost, undefined)
      return yield* Effect.never
    })

    let failures = 0
    const begin: Effect.Effect<EpochName> = Effect.catchCause(compare(true), (cause) =>
      Effect.suspend(() =>
        failures++ % 60 === 0
          ? Effect.logWarning("the epoch of the installation is not known yet", inBrief(cause))
          : Effect.void
      ).pipe(Effect.andThen(Effect.sleep(TRY_AGAIN)), Effect.andThen(begin))
    )
    const round = Effect.catchCause(compare(false), (cause) =>
      Effect.logWarning("Temporal and the database were not compared", inBrief(cause))
    )
    yield* temporal.connection.pipe(
      Effect.andThen(Effect.suspend(() => begin)),
      Effect.tap((epoch) => Deferred.succeed(foundEpoch, epoch)),
      Effect.tap((epoch) => Effect.logInfo(`works in the epoch ${shownEpoch(epoch)} of the installation`)),
      Effect.andThen(Effect.forever(Effect.andThen(Effect.sleep(EVERY), round))),
      Effect.forkScoped
    )

    const state = Effect.gen(function* () {
      if (yield* Deferred.isDone(lost)) return "lost" as const
      return (yield* Deferred.isDone(foundEpoch)) ? yield* Deferred.await(foundEpoch) : ("looking" as const)
    })
    return Epoch.of(
      Epoch.make({
        current: Effect.flatMap(Deferred.isDone(lost), (gone) => (gone ? Effect.never : Deferred.await(foundEpoch))),
        lost: Deferred.await(lost),
        state
      })
    )
  })
)
