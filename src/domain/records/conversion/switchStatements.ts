// Statements that give a field its new type (developer-api.md 11.4), all in one transaction that has locked its app: nobody sees a value of
// the one type under the other.
import { Effect, Result, Schema } from "effect"
import type { Author } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { KEYS_KEPT } from "../../../platform/sql/migrations/0078_kept_keys.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import type { Field } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { resolveFilters } from "../filters/resolveFilters.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

const Former = Schema.Struct({ number: Schema.Int })
const FilteredView = Schema.Struct({ view_id: Schema.Int, filters: jsonb<RecordFilters>() })

interface FieldSwitch {
  readonly jobId: number
  readonly from: Field
  readonly to: Field
  readonly author: Author
  readonly at: Date
}

export const makeSwitchStatements = Effect.map(Sql, (sql) => {
  /** Keeps the former type for the history; returns the key of its values there. */
  const keepFormer = Effect.fnUntraced(function* ({ at, from }: FieldSwitch) {
    const row = yield* rowOf(Former)(sql`
      INSERT INTO former_fields (field_id, number, field_type, settings, converted_on)
      SELECT ${from.field_id}::bigint, coalesce(max(number), 0) + 1, ${from.field_type}, ${JSON.stringify(from.settings)}::jsonb, ${at}
      FROM former_fields WHERE field_id = ${from.field_id}::bigint RETURNING number`)
    return `${from.field_id}@${row!.number}`
  })

  const moveHistory = ({ from }: FieldSwitch, former: string) => sql`
    UPDATE revisions v SET delta = (v.delta - ${String(from.field_id)}::text)
      || jsonb_build_object(${former}::text, v.delta->${String(from.field_id)}::text)
    FROM records r
    WHERE r.app_id = ${from.app_id} AND v.record_id = r.record_id AND v.delta ? ${String(from.field_id)}::text`

  /** Tells the database that the index of the field is dropped, and that no other key changes. */
  const keepKeys = ({ from }: FieldSwitch) => sql`SELECT set_config(${KEYS_KEPT}, ${String(from.app_id)}, true)`

  /** Each record that has a value gets the new one, or none, and a revision. */
  const moveCells = ({ at, author, from, jobId }: FieldSwitch, former: string) => {
    const key = sql`${String(from.field_id)}::text`
    return sql`
      WITH u AS (
        UPDATE records r SET revision = r.revision + 1, last_modified_on = ${at}, last_modified_by = ${JSON.stringify(author)}::jsonb,
          cells = CASE WHEN c.cell = '[]' THEN r.cells - ${key} ELSE r.cells || jsonb_build_object(${key}, c.cell) END
        FROM converted_cells c WHERE c.job_id = ${jobId}::bigint AND r.record_id = c.record_id
        RETURNING r.record_id, r.revision, c.source, c.cell
      )
      INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
      SELECT record_id, revision, 'update', ${at}, ${JSON.stringify(author)}::jsonb,
        jsonb_build_object(${former}::text, jsonb_build_object('from', source, 'to', '[]'::jsonb))
          || CASE WHEN cell = '[]' THEN '{}'::jsonb
            ELSE jsonb_build_object(${key}, jsonb_build_object('from', '[]'::jsonb, 'to', cell)) END
      FROM u`
  }

  /** Rows that lead from the records to what their cells name. */
  const moveLinks = Effect.fnUntraced(function* ({ from, jobId, to }: FieldSwitch) {
    const id = sql`${from.field_id}::bigint`
    const [formerTarget, target] = [typeOf(from).refersTo, typeOf(to).refersTo]
    if (formerTarget === "records") yield* sql`DELETE FROM record_links WHERE field_id = ${id}`
    if (formerTarget === "files")
      yield* sql`
        DELETE FROM file_links l USING converted_cells c
        WHERE c.job_id = ${jobId}::bigint AND l.record_id = c.record_id AND l.field_id = ${id}`
    const links = sql`
      SELECT DISTINCT c.record_id, ${id}, e::bigint FROM converted_cells c, jsonb_array_elements_text(c.cell) e
      WHERE c.job_id = ${jobId}::bigint`
    if (target === "records") yield* sql`INSERT INTO record_links (record_id, field_id, target_id) ${links}`
    if (target === "files") yield* sql`INSERT INTO file_links (record_id, field_id, file_id) ${links}`
  })

  const changeField = ({ at, to }: FieldSwitch) => sql`
    UPDATE fields SET field_type = ${to.field_type}, label = ${to.label}, description = ${to.description}, required = ${to.required},
      "unique" = false, hidden_if_empty = ${to.hidden_if_empty}, always_hidden = ${to.always_hidden},
      settings = ${JSON.stringify(to.settings)}::jsonb, converted_on = ${at}
    WHERE field_id = ${to.field_id}`

  /** Indexes of the former values: the next listing asks for one of the new ones. */
  const dropKeys = ({ from }: FieldSwitch) =>
    Effect.andThen(
      sql`DELETE FROM field_indexes WHERE field_id = ${from.field_id}`,
      sql`DELETE FROM unique_values WHERE field_id = ${from.field_id}`
    )

  /** Removes from views the filters that the new type does not have. */
  const dropFilters = Effect.fnUntraced(function* (definition: AppDefinition, { at, to }: FieldSwitch) {
    const views = yield* rowsOf(FilteredView)(sql`
      SELECT view_id, filters FROM views WHERE app_id = ${definition.app_id}
        AND filters @> ${JSON.stringify([{ field_id: to.field_id }])}::jsonb FOR UPDATE`)
    const context = { userId: 0, now: at.getTime(), zone: "UTC" }
    for (const { filters, view_id } of views) {
      const keptFilters = filters.filter(
        (filter) => filter.field_id !== to.field_id || Result.isSuccess(resolveFilters(definition, [filter], context))
      )
      if (keptFilters.length < filters.length)
        yield* sql`UPDATE views SET filters = ${JSON.stringify(keptFilters)}::jsonb WHERE view_id = ${view_id}`
    }
  })

  return { changeField, dropFilters, dropKeys, keepFormer, keepKeys, moveCells, moveHistory, moveLinks }
})
