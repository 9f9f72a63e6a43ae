// Runtime of `sort_record_collection` (developer-api.md 7.6): sorts in SQL; equal keys keep the order of the collection.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { makeSortKey, type Sort } from "../../../records/listing/sorting.ts"
import type { Reference } from "../../model/Definition.ts"
import { type Step, StepFailed, success } from "../../model/Step.ts"
import { Sources } from "../../values/referencedRecords.ts"
import { fieldLike } from "../../values/resolveData.ts"
import { prepared, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"

const facts: Partial<Record<string, Sort["by"]>> = {
  app_record_id: "app_record_id",
  created_at: "created_on",
  last_modified_at: "last_modified_on",
  created_by: fieldLike("created_by"),
  last_modified_by: fieldLike("last_modified_by")
}

const RecordId = Schema.Struct({ record_id: Schema.Int })

export const run = Effect.gen(function* () {
  const sql = yield* Sql
  const collections = yield* Collections
  const sources = yield* Sources
  const sortKey = makeSortKey(sql)
  const columns: Partial<Record<string, Statement.Fragment>> = {
    record_id: sql.literal("r.record_id"),
    record_url: sql.literal("r.record_id"),
    revision: sql.literal("r.revision"),
    all_comments: sql.literal("r.comment_count")
  }

  /** Returns the SQL expression by which records are compared; fields of another app are empty for all of them. */
  const keyOf = Effect.fnUntraced(function* (reference: Reference, appId: number, step: Step) {
    if (reference.source === "field") {
      const definition = yield* sources.definition(appId, step)
      const field = definition?.byId.get(reference.field_id)
      return field === undefined ? null : sortKey({ by: field, desc: false }).expression
    }
    if (reference.source === "meta") {
      const by = facts[reference.meta_type]
      return by === undefined ? columns[reference.meta_type]! : sortKey({ by, desc: false }).expression
    }
    return yield* new StepFailed({ message: "A sort key is a field or metadata reference of the collection." })
  })

  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"sort_record_collection">) {
      const collection = yield* collections.of(step.config.record_collection, step)
      const records = yield* collections.records(collection, step)
      const ids = records.map((record) => String(record.record_id))
      const keys: Array<Statement.Fragment> = []
      for (const { direction, variable_def } of step.config.sorts) {
        const key = yield* keyOf(variable_def, collection.app_id, step)
        if (key !== null) keys.push(sql`(${key}) ${sql.literal(direction === "desc" ? "DESC" : "ASC")} NULLS LAST`)
      }
      // Equal keys keep the order of the collection.
      keys.push(sql`array_position(${ids}::text[]::bigint[], r.record_id)`)
      const rows = yield* rowsOf(RecordId)(sql`
        SELECT r.record_id FROM records r WHERE r.record_id = ANY(${ids}::text[]::bigint[]) ORDER BY ${sql.csv(keys)}`)
      collections.publish(step, { ...collection, record_ids: rows.map((row) => row.record_id) })
      return success
    })
  )
})
