// History of a record: the list of revisions, the changes of one, and the record at a revision (developer-api.md 4.5).
import { Context, Effect, Layer, Schema } from "effect"
import type { Author } from "../../../engine/outbox/Event.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import {
  NotFound,
  type RecordDeleted,
  type RecordNotFound,
  ValidationError
} from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { noMentions } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { Lookups } from "../model/Lookups.ts"
import { factsOf, type RecordRow } from "../model/RecordRow.ts"
import { titleOf } from "../model/recordTitle.ts"
import type { Delta } from "../writing/fieldInputs.ts"
import { asItWas, changesOf, makeFormerFields } from "./formerFields.ts"
import { Records } from "./Records.ts"
import { recordTexts } from "./recordText.ts"
import { fieldHead, mentionAuthor, mentionRecord, renderAuthor, renderCell } from "./render.ts"

const RevisionHead = Schema.Struct({
  revision: Schema.Int,
  type: Schema.Literals(["creation", "update", "deletion", "restore"]),
  created_on: Schema.Date,
  created_by: jsonb<Author>()
})

const RevisionDelta = Schema.Struct({ revision: Schema.Int, delta: jsonb<Delta>() })

const PastRow = Schema.Struct({
  type: RevisionHead.fields.type,
  created_on: Schema.Date,
  cells: jsonb<Cells>(),
  updated_on: Schema.NullOr(Schema.Date),
  updated_by: Schema.NullOr(jsonb<Author>())
})

export interface RecordRevision {
  readonly revision: number
  readonly type: string
  readonly created_on: string
  readonly created_by: ReturnType<typeof renderAuthor>
}

export interface DeltaView {
  readonly record_id: number
  readonly from_revision_id: number
  readonly to_revision_id: number
  readonly revision_deltas: ReadonlyArray<
    ReturnType<typeof fieldHead> & {
      readonly from: ReadonlyArray<unknown>
      readonly to: ReadonlyArray<unknown>
      readonly config: { readonly label: string; readonly required: boolean; readonly description: string | null }
    }
  >
}

type Missing = NotFound | RecordNotFound | RecordDeleted

export class Revisions extends Context.Service<
  Revisions,
  {
    /** Oldest first. */
    readonly list: (
      grant: AccessGrant,
      includeDeleted: boolean
    ) => Effect.Effect<ReadonlyArray<RecordRevision>, Missing>
    /** Changes from the previous revision to this one. */
    readonly delta: (grant: AccessGrant, revision: number) => Effect.Effect<DeltaView, Missing | ValidationError>
    /** The record at the revision, as the API shows it: JSON. */
    readonly at: (grant: AccessGrant, revision: number, includeDeleted?: boolean) => Effect.Effect<string, Missing>
  }
>()("millrace/records/Revisions") {
  static readonly layer = Layer.effect(
    Revisions,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl } = yield* AppConfig
      const records = yield* Records
      const lookups = yield* Lookups
      const formerFields = yield* makeFormerFields
      const unknown = (grant: AccessGrant, revision: number) =>
        new NotFound({ message: `Record ${grant.id} has no revision ${revision}.` })

      /** The database puts the cells together: however long a history is, and however large its deltas, one row comes here. */
      const past = (recordId: number, revision: number) =>
        rowOf(PastRow)(sql`
          WITH newest AS MATERIALIZED (
            SELECT key, max(revision) AS revision FROM revisions, jsonb_object_keys(delta) AS key
            WHERE record_id = ${recordId} AND revision <= ${revision}::int GROUP BY key)
          SELECT v.type, v.created_on, u.created_on AS updated_on, u.created_by AS updated_by,
            (SELECT coalesce(jsonb_object_agg(d.key, d.value->'to'), '{}') FROM revisions c, jsonb_each(c.delta) d
             WHERE c.record_id = ${recordId} AND c.revision IN (SELECT revision FROM newest)
               AND (d.key, c.revision) IN (SELECT key, revision FROM newest) AND d.value->'to' <> '[]') AS cells
          FROM revisions v LEFT JOIN LATERAL (
            SELECT created_on, created_by FROM revisions
            WHERE record_id = v.record_id AND revision <= v.revision AND type = 'update' ORDER BY revision DESC LIMIT 1) u ON true
          WHERE v.record_id = ${recordId} AND v.revision = ${revision}::int`)

      /** Record at a revision. The newest is the record itself: values that a definition change has removed since are missing there too. */
      const asOf = Effect.fnUntraced(function* (record: RecordRow, revision: number) {
        if (revision === record.revision) return record
        const row = yield* past(record.record_id, revision)
        if (row === undefined) return undefined
        return {
          ...record,
          revision,
          cells: row.cells,
          last_modified_on: row.updated_on,
          last_modified_by: row.updated_by,
          deleted_on: row.type === "deletion" ? row.created_on : null
        }
      })

      const list = Effect.fn("Revisions.list")(function* (grant: AccessGrant, includeDeleted: boolean) {
        const { record } = yield* records.find(grant, includeDeleted)
        const rows = yield* rowsOf(RevisionHead)(sql`
            SELECT revision, type, created_on, created_by FROM revisions WHERE record_id = ${grant.id} ORDER BY revision`)
        const mentions = noMentions()
        for (const row of rows) mentionAuthor(row.created_by, mentions)
        const facts = yield* lookups.forReading(record.org_id, mentions)
        return rows.map(({ revision, type, created_on, created_by }) => ({
          revision,
          type,
          created_on: formatDateTime(created_on),
          created_by: renderAuthor(created_by, record.org_id, facts)
        }))
      }, orSqlDefect)

      const delta = Effect.fn("Revisions.delta")(function* (grant: AccessGrant, revision: number) {
        const { record, definition } = yield* records.find(grant, false)
        if (revision === 0) {
          return yield* new ValidationError({ message: "revision: revision 0 has no revision before it." })
        }
        const row = yield* rowOf(RevisionDelta)(sql`
            SELECT revision, delta FROM revisions WHERE record_id = ${grant.id} AND revision = ${revision}::int`)
        if (row === undefined) return yield* unknown(grant, revision)
        const mentions = noMentions()
        const changes = changesOf(definition, row.delta, yield* formerFields.of(definition))
        for (const { after, before, from, to } of changes) {
          typeOf(before).mention?.(from, mentions)
          typeOf(after).mention?.(to, mentions)
        }
        const facts = yield* lookups.forReading(record.org_id, mentions)
        return {
          record_id: grant.id,
          from_revision_id: revision - 1,
          to_revision_id: revision,
          revision_deltas: changes.map(({ after, before, from, to }) => ({
            ...fieldHead(after),
            from: renderCell(from, before, facts),
            to: renderCell(to, after, facts),
            config: { label: after.label, required: after.required, description: after.description }
          }))
        }
      }, orSqlDefect)

      const viewAt = Effect.fn("Revisions.at")(function* (
        grant: AccessGrant,
        revision: number,
        includeDeleted = false
      ) {
        const { record, definition } = yield* records.find(grant, includeDeleted)
        const formerState = yield* asOf(record, revision)
        if (formerState === undefined) return yield* unknown(grant, revision)
        const past = asItWas(definition, formerState, yield* formerFields.of(definition))
        const mentions = noMentions()
        mentionRecord(past.definition, past.record, mentions)
        const facts = yield* lookups.forReading(record.org_id, mentions)
        const title = titleOf(past.definition, past.record.cells, factsOf(past.record), facts)
        return recordTexts(facts, baseUrl)(past.definition, { ...past.record, title })
      }, orSqlDefect)

      return Revisions.of({ list, delta, at: viewAt })
    })
  )
}
