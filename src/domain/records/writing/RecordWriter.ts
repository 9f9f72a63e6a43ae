// Changes of records with their revisions and events (developer-api.md 4.3): many at once, in the caller's transaction if
// there is one. The batch endpoints, single writes and automations all come through here.
import { Context, Effect, Layer } from "effect"
import type {
  Conflict,
  NotFound,
  RecordDeleted,
  RecordNotFound,
  UniqueConflict,
  ValidationError
} from "../../../platform/primitives/errors.ts"
import type { RecordRow, Write } from "../model/RecordRow.ts"
import type * as Inputs from "./fieldInputs.ts"
import { makeOptimisticUpdate, type ReadRecord } from "./optimisticUpdate.ts"
import { makePreparation, type ProblemPlace } from "./preparation.ts"
import type { ChangedRow } from "./recordChange.ts"
import { makeRecordCreation } from "./recordCreation.ts"
import { makeRecordUpdates } from "./recordUpdates.ts"
import { makeUpsert, type UpsertedRecord } from "./recordUpserts.ts"
import { makeTrash } from "./trash.ts"
import type { RecordUpdate, WriteError } from "./updateChecks.ts"

export class RecordWriter extends Context.Service<
  RecordWriter,
  {
    readonly create: (
      write: Write,
      appId: number,
      inputs: ReadonlyArray<Inputs.FieldInputs>,
      place?: ProblemPlace
    ) => Effect.Effect<ReadonlyArray<RecordRow>, ValidationError | NotFound | UniqueConflict>
    /** Locks the records in id order. A write that changes nothing leaves its record as it is. */
    readonly update: (
      write: Write,
      appId: number,
      inputs: ReadonlyArray<RecordUpdate>,
      place?: ProblemPlace
    ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError>
    /** `update` for changes that come from different writes of one app. */
    readonly updateEach: (
      appId: number,
      inputs: ReadonlyArray<RecordUpdate & { readonly write: Write }>
    ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError>
    /**
     * Updates for each input the live record that has one of its values in the unique fields `match`, or creates a record if none has
     * (11.2). In order, all or none.
     */
    readonly upsert: (
      write: Write,
      appId: number,
      match: ReadonlyArray<number>,
      inputs: ReadonlyArray<Inputs.FieldInputs>,
      place?: ProblemPlace
    ) => Effect.Effect<ReadonlyArray<UpsertedRecord>, WriteError>
    /** Row that `changeParts` writes for an update of the record as it was read; null if the update must take the ordinary path. */
    readonly foresee: (record: ReadRecord, fields: Inputs.FieldInputs, write: Write) => Effect.Effect<ChangedRow | null>
    /**
     * Moves records to the trash; with `skipTrash` destroys them, trashed ones without an event. Returns them as they were, with
     * `deleted_on` set.
     */
    readonly remove: (
      write: Write,
      appId: number,
      ids: ReadonlyArray<number>,
      skipTrash: boolean
    ) => Effect.Effect<ReadonlyArray<RecordRow>, NotFound | RecordNotFound | RecordDeleted | Conflict>
    readonly restore: (write: Write, appId: number, id: number) => Effect.Effect<RecordRow, WriteError>
    /** Destroys what has been in the trash since before `before`, at most `limit` records. Answers how many went. */
    readonly purge: (before: Date, limit: number) => Effect.Effect<number>
  }
>()("millrace/records/RecordWriter") {
  static readonly layer = Layer.effect(
    RecordWriter,
    Effect.gen(function* () {
      const writing = yield* makePreparation
      const create = yield* makeRecordCreation(writing)
      const updating = yield* makeRecordUpdates(writing)
      return RecordWriter.of({
        create,
        foresee: makeOptimisticUpdate(writing),
        ...updating,
        upsert: makeUpsert(writing, { create, update: updating.update }),
        ...makeTrash(writing)
      })
    })
  )
}
