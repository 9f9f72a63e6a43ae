// Checks updates of locked records (developer-api.md 4.3): of one write all pass or none; of several callers each passes or is refused by itself.
import { Effect, Result } from "effect"
import {
  Conflict,
  type NotFound,
  RecordDeleted,
  type RecordNotFound,
  type UniqueConflict,
  type ValidationError
} from "../../../platform/primitives/errors.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { type RecordRow, revisionConflict, type Write } from "../model/RecordRow.ts"
import * as Inputs from "./fieldInputs.ts"
import type { Preparation } from "./preparation.ts"

export interface RecordUpdate {
  readonly record_id: number
  readonly fields: Inputs.FieldInputs
  /** The only revision of the record on which the write is made. */
  readonly revision?: number
}

export type WriteError = ValidationError | NotFound | RecordNotFound | RecordDeleted | Conflict | UniqueConflict

/** An update with the write that it belongs to. */
export interface PlacedUpdate extends RecordUpdate {
  readonly write: Write
  /** Begins the problems of the input: `inputs[3].`. */
  readonly place: string
}

export interface LockedUpdate {
  readonly input: PlacedUpdate
  /** The record as it is, locked. */
  readonly record: RecordRow
}

export interface ParsedUpdate extends LockedUpdate {
  readonly settings: Inputs.SetCells
}

/** Runs a check of updates. Answers what it answers for those that pass, in their order. */
export type Pass = <U extends LockedUpdate, A>(
  updates: ReadonlyArray<U>,
  check: (update: U) => Effect.Effect<A, WriteError>
) => Effect.Effect<ReadonlyArray<A>, WriteError>

/** The first refusal is that of all. */
export const allPass: Pass = (updates, check) => Effect.forEach(updates, check)

/** Refused updates leave the others alone. @param refusals takes what each was refused for */
export const eachPasses =
  (refusals: Map<PlacedUpdate, WriteError>): Pass =>
  (updates, check) =>
    Effect.map(
      Effect.forEach(updates, (update) => Effect.result(check(update))),
      (results) =>
        results.flatMap((result, index) => {
          if (Result.isSuccess(result)) return [result.success]
          refusals.set(updates[index]!.input, result.failure)
          return []
        })
    )

/** Lookups of each write's mentions, by what its own caller may see. */
export type FactsByWrite = ReadonlyMap<Write, Effect.Success<ReturnType<Preparation["judge"]>>>

export const makeUpdateChecks = ({ invalid, judge, prepared, statements }: Preparation) => {
  /** Parses the inputs of records that are not in the trash. */
  const parse = Effect.fnUntraced(function* (
    definition: AppDefinition,
    updates: ReadonlyArray<LockedUpdate>,
    at: Date,
    pass: Pass
  ) {
    const liveUpdates = yield* pass(updates, (update) =>
      update.record.deleted_on === null
        ? Effect.succeed(update)
        : new RecordDeleted({ recordId: update.record.record_id })
    )
    const fields = liveUpdates.map(({ input }) => input.fields)
    const context = yield* prepared(definition, fields, at)
    return yield* pass(liveUpdates, ({ input, record }): Effect.Effect<ParsedUpdate, ValidationError> => {
      const settings = Inputs.parseFields(definition, input.fields, record.cells, context)
      return Result.isFailure(settings)
        ? invalid(input.place + settings.failure)
        : Effect.succeed({ input, record, settings: settings.success })
    })
  })

  /** Locks what the updates point to and looks it up, each write's by what its own caller may see. */
  const lookUp = Effect.fnUntraced(function* (definition: AppDefinition, updates: ReadonlyArray<ParsedUpdate>) {
    const pointed = new Set(updates.flatMap(({ record, settings }) => Inputs.newlyPointed(record.cells, settings)))
    if (pointed.size > 0) yield* statements.hold(definition.org_id, pointed)
    const named = updates.flatMap(({ settings }) => Inputs.namedByTitle(definition, settings))
    if (named.length > 0) yield* statements.holdNames(definition.org_id, new Set(named))
    const facts = new Map<Write, Effect.Success<ReturnType<typeof judge>>>()
    for (const write of new Set(updates.map(({ input }) => input.write))) {
      const ownUpdates = updates.filter(({ input }) => input.write === write)
      const settings = ownUpdates.map((update) => update.settings)
      facts.set(write, yield* judge(definition, write, settings, (index) => ownUpdates[index]!.input.place))
    }
    return facts
  })

  /** Checks the revision, last of all: problems of the input are reported before a revision conflict (developer-api.md 1.5). */
  const atRevision = <U extends LockedUpdate>(update: U): Effect.Effect<U, Conflict> => {
    const { place, record_id, revision, write } = update.input
    const { record } = update
    if (revision === undefined || revision === record.revision)
      return Effect.as(revisionConflict(write, record), update)
    const conflict = new Conflict({
      message: `${place}revision: record ${record_id} is at revision ${record.revision}, not ${revision}.`
    })
    return Effect.andThen(revisionConflict(write, record), conflict)
  }

  return { atRevision, lookUp, parse }
}
