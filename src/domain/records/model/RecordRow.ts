// Record as stored, and the context of a write: its caller and author, and the events that it may trigger.
import { Effect, Schema } from "effect"
import type { Author, Cause, Switches } from "../../../engine/outbox/Event.ts"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { formatDateTime, formatDateTimeOrNull } from "../../../platform/primitives/dates.ts"
import { Conflict } from "../../../platform/primitives/errors.ts"
import { instant, jsonb } from "../../../platform/sql/columns.ts"
import { type CallerShape, chainLinkOf } from "../../accounts/Caller.ts"
import type { RecordFacts } from "../fields/model/Field.ts"

export const RecordRow = Schema.Struct({
  record_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  app_record_id: Schema.Int,
  /** `null` if the title field is empty. */
  title: Schema.NullOr(Schema.String),
  revision: Schema.Int,
  cells: jsonb<Cells>(),
  comment_count: Schema.Int,
  created_on: instant,
  created_by: jsonb<Author>(),
  last_modified_on: Schema.NullOr(instant),
  last_modified_by: Schema.NullOr(jsonb<Author>()),
  deleted_on: Schema.NullOr(instant)
})
export type RecordRow = typeof RecordRow.Type

/** Author of a write, the rights it uses, and what the change may trigger (developer-api.md 1.9, 7.5 rule 4). */
export interface Write {
  /** Caller whose rights decide what may be referenced. */
  readonly caller: CallerShape
  /** Author that the change shows. */
  readonly author: Author
  readonly switches: Switches
  /** 0 for a person's change. */
  readonly depth: number
  readonly cause: Cause | null
  /** Traceparent of the span that makes the write, if another span sends the statement: a step that is committed with others. */
  readonly traceparent?: string | null
  /** The only revision on which the write is made (`If-Match`). */
  readonly expectedRevision?: number
}

/** Author of a change and what it may trigger, without the rights that were asked before. */
export const WriteEffects = Schema.Struct({
  author: jsonb<Author>(),
  switches: jsonb<Switches>(),
  depth: Schema.Int,
  cause: Schema.NullOr(jsonb<Cause>()),
  traceparent: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type WriteEffects = typeof WriteEffects.Type

/** A person's own write, or that of a step through the API. */
export const ownWrite = (caller: CallerShape, switches: Switches, expectedRevision?: number): Write => ({
  caller,
  author: caller.author,
  switches,
  ...chainLinkOf(caller),
  ...(expectedRevision === undefined ? {} : { expectedRevision })
})

/** The write expects another revision than the record has. */
export const revisionConflict = (write: Write, { record_id, revision }: Pick<RecordRow, "record_id" | "revision">) =>
  write.expectedRevision === undefined || write.expectedRevision === revision
    ? Effect.void
    : new Conflict({
        message: `If-Match names revision ${write.expectedRevision}; record ${record_id} is at revision ${revision}.`
      })

export const factsOf = (record: Omit<RecordRow, "cells" | "title">): RecordFacts => ({
  app_record_id: record.app_record_id,
  created_on: formatDateTime(record.created_on),
  created_by: record.created_by,
  last_modified_on: formatDateTimeOrNull(record.last_modified_on),
  last_modified_by: record.last_modified_by
})
