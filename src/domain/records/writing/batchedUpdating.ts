// Batches single updates that several callers make in one app at about the same time into one transaction (developer-api.md 4.3): one lock,
// one statement, and one wait for the disk. Each caller has an outcome of its own. What a group cannot do at once is done alone: the update of a
// record that is locked, of a unique field, or with lookups.
import { Clock, Data, Effect, Exit, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { mayChange, watched } from "../../../platform/sql/Changes.ts"
import { makeDataLoader } from "../../../platform/sql/dataLoader.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { RecordRow } from "../model/RecordRow.ts"
import * as Inputs from "./fieldInputs.ts"
import type { Preparation } from "./preparation.ts"
import type { AllowTitles } from "./storedTitles.ts"
import type { PlacedUpdate, WriteError } from "./updateChecks.ts"

type Outcome = Effect.Effect<RecordRow, WriteError | SqlError>

interface Ways {
  /** Updates all or none of the records, in a transaction. */
  readonly updateAll: (
    appId: number,
    inputs: ReadonlyArray<PlacedUpdate>
  ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError | SqlError>
  /** Updates what it can at once, in the caller's transaction. */
  readonly updateFree: <E>(
    appId: number,
    inputs: ReadonlyArray<PlacedUpdate>,
    refusals: Map<PlacedUpdate, WriteError>,
    lockMillis: number,
    allow: AllowTitles<E>
  ) => Effect.Effect<ReadonlyMap<PlacedUpdate, RecordRow>, WriteError | SqlError | E>
}

interface Submitted {
  readonly input: PlacedUpdate
  /** Tells the caller's time, which may be virtual. */
  readonly clock: Clock.Clock
}

/** Lock time-out of a group's transaction: titles of other records may wait for a lock, too. */
const LOCK_MILLIS = 200
/** Most titles of other records that a group's transaction writes: all of its callers wait for them. */
const MAX_TITLES = 100

class TooManyTitles extends Data.TaggedError("TooManyTitles") {}

/** Allows `MAX_TITLES` in all. */
const allowFew = (): AllowTitles<TooManyTitles> => {
  let total = 0
  return (count) => {
    total += count
    return total > MAX_TITLES ? Effect.fail(new TooManyTitles()) : Effect.void
  }
}

export const makeUpdatesTogether = Effect.fnUntraced(function* (
  { definitions, open, sql }: Pick<Preparation, "definitions" | "open"> & { readonly sql: Sql },
  { updateAll, updateFree }: Ways
) {
  const gather = yield* makeDataLoader(sql)

  const updateAlone = (appId: number, input: PlacedUpdate): Outcome =>
    Effect.map(updateAll(appId, [input]), ([record]) => record!)

  /** Outcomes of the updates. A group that fails as a whole has changed nothing, and each is made alone. */
  const updateGroup = (appId: number, group: ReadonlyArray<Submitted>): Effect.Effect<ReadonlyArray<Outcome>> =>
    watched((changes) => {
      const inputs = group.map(({ input }) => input)
      const refusals = new Map<PlacedUpdate, WriteError>()
      const write = Effect.provideService(
        updateFree(appId, inputs, refusals, LOCK_MILLIS, allowFew()),
        Clock.Clock,
        group[0]!.clock
      )
      let uncommitted: ReadonlyMap<PlacedUpdate, RecordRow> = new Map()
      const noted = Effect.tap(write, (records) =>
        Effect.sync(() => {
          uncommitted = records
        })
      )
      const transaction = sql.withTransaction(recoverSqlDefect(noted))
      const written = Effect.catchTag(transaction, "TooManyTitles", () =>
        Effect.succeed<ReadonlyMap<PlacedUpdate, RecordRow>>(new Map())
      )
      return Effect.map(Effect.exit(written), (exit) =>
        inputs.map((input): Outcome => {
          const refusal = refusals.get(input)
          if (refusal !== undefined) return Effect.fail(refusal)
          const record = Exit.isSuccess(exit) ? exit.value.get(input) : undefined
          if (record !== undefined) return Effect.as(mayChange, record)
          // The connection was lost behind the COMMIT: nobody knows of those that it would have kept.
          if (Exit.isFailure(exit) && changes.possible && uncommitted.has(input))
            return Effect.andThen(mayChange, Effect.failCause(exit.cause))
          return updateAlone(appId, input)
        })
      )
    })

  const ofDefinition = new WeakMap<AppDefinition, (submitted: Submitted) => Effect.Effect<Outcome>>()
  const submitOf = (definition: AppDefinition) => {
    const submit =
      ofDefinition.get(definition) ??
      gather(
        (group: ReadonlyArray<Submitted>) => updateGroup(definition.app_id, group),
        ({ input }) => input.record_id
      )
    ofDefinition.set(definition, submit)
    return submit
  }

  return Effect.fnUntraced(function* (appId: number, input: PlacedUpdate) {
    if (yield* open) return yield* updateAlone(appId, input)
    const definition = yield* definitions.lastSeen(appId)
    if (Option.isNone(definition) || Inputs.mayNeedLookups(definition.value, input.fields))
      return yield* updateAlone(appId, input)
    const traceparent = input.write.traceparent ?? (yield* currentTraceparent)
    const tracedInput = { ...input, write: { ...input.write, traceparent } }
    const submit = submitOf(definition.value)
    // A group runs to its end even if a caller leaves, and until then needs what the caller keeps for it: its long markup, cleaned.
    return yield* yield* Effect.uninterruptible(submit({ input: tracedInput, clock: yield* Clock.Clock }))
  })
})
