// Statements of definition changes, and their effects on records. All run while the app's row is locked `FOR UPDATE`, so no record of the
// app is being written.
import { Effect, Schema } from "effect"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Field } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { makeFieldReleases } from "../views/deletedFields.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { makeStoredTitles } from "../writing/storedTitles.ts"
import { type NewField, type RemovedOptions, titlesDiffer } from "./fieldChanges.ts"

const json = JSON.stringify

const FormerKey = Schema.Struct({ key: Schema.String })

export const makeAppStatements = Effect.gen(function* () {
  const sql = yield* Sql
  const { retitleApp, retitleNumbered, retitleWithout } = yield* makeStoredTitles
  const { destroy, lockPointing } = yield* makeStatements
  const releases = yield* makeFieldReleases
  const idList = idListOf(sql)
  const fieldRow = sql.literal(
    'slug text, field_type text, label text, description text, required boolean, "unique" boolean, hidden_if_empty boolean, ' +
      "always_hidden boolean, position integer, settings jsonb"
  )

  const insertFields = (appId: number, fields: ReadonlyArray<NewField>, now: Date) =>
    fields.length === 0
      ? Effect.void
      : sql`
          INSERT INTO fields (app_id, slug, field_type, label, description, required, "unique", hidden_if_empty, always_hidden,
            position, settings, created_on)
          SELECT ${appId}::bigint, x.*, ${now} FROM jsonb_to_recordset(${json(fields)}::jsonb) AS x (${fieldRow})
          ORDER BY x.position`

  const updateFields = (fields: ReadonlyArray<Field>) =>
    fields.length === 0
      ? Effect.void
      : sql`
          UPDATE fields f SET label = x.label, description = x.description, required = x.required, "unique" = x."unique",
            hidden_if_empty = x.hidden_if_empty, always_hidden = x.always_hidden, position = x.position,
            settings = x.settings
          FROM jsonb_to_recordset(${json(fields)}::jsonb) AS x (field_id bigint, ${fieldRow})
          WHERE f.field_id = x.field_id`

  /** Deletes fields with every value they ever had. */
  const deleteFields = Effect.fnUntraced(function* (appId: number, fields: ReadonlyArray<Field>) {
    if (fields.length === 0) return
    const ids = fields.map((field) => field.field_id)
    // Values of types that they had are in history under keys of their own (11.4).
    const formerKeys = yield* rowsOf(FormerKey)(sql`
      SELECT field_id || '@' || number AS key FROM former_fields WHERE field_id = ${idList(ids)}`)
    const keys = sql`${[...ids.map(String), ...formerKeys.map(({ key }) => key)]}::text[]`
    yield* sql`UPDATE records SET cells = cells - ${keys} WHERE app_id = ${appId} AND cells ?| ${keys}`
    yield* sql`
      UPDATE revisions v SET delta = delta - ${keys} FROM records r
      WHERE r.app_id = ${appId} AND v.record_id = r.record_id AND v.delta ?| ${keys}`
    yield* sql`DELETE FROM record_links WHERE field_id = ${idList(ids)}`
    yield* sql`
      DELETE FROM file_links l USING records r
      WHERE r.app_id = ${appId} AND l.record_id = r.record_id AND l.field_id = ${idList(ids)}`
    yield* sql`UPDATE views SET sort_by = NULL WHERE app_id = ${appId} AND sort_by = ${idList(ids)}`
    yield* sql`
      UPDATE views SET filters = (
        SELECT coalesce(jsonb_agg(f ORDER BY ord), '[]') FROM jsonb_array_elements(filters) WITH ORDINALITY AS t (f, ord)
        WHERE (f->>'field_id')::bigint = ${idList(ids)} IS NOT TRUE)
      WHERE app_id = ${appId} AND filters <> '[]'`
    yield* releases.ofDeleted(appId, ids)
    yield* sql`DELETE FROM unique_values WHERE field_id = ${idList(ids)}`
    yield* sql`DELETE FROM fields WHERE field_id = ${idList(ids)}`
  })

  /** Clears a removed option in the records, or puts its successor there. */
  const moveOptions = (appId: number, { field, removed }: RemovedOptions) => {
    const key = String(field.field_id)
    return sql`
      WITH m AS (SELECT to_jsonb(x.id) AS id, to_jsonb(x."to") AS next
                 FROM jsonb_to_recordset(${json(removed)}::jsonb) AS x (id bigint, "to" bigint)),
      c AS (
        SELECT record_id, (
          SELECT jsonb_agg(coalesce(m.next, t.e) ORDER BY t.ord)
          FROM jsonb_array_elements(cells->${key}::text) WITH ORDINALITY AS t (e, ord) LEFT JOIN m ON m.id = t.e
          WHERE m.id IS NULL OR m.next IS NOT NULL) AS cell
        FROM records
        WHERE app_id = ${appId} AND EXISTS (SELECT 1 FROM m WHERE cells->${key}::text @> m.id)
      )
      UPDATE records r SET cells = CASE WHEN c.cell IS NULL THEN r.cells - ${key}::text
        ELSE r.cells || jsonb_build_object(${key}::text, c.cell) END
      FROM c WHERE r.record_id = c.record_id`
  }

  /** Deletes the app with everything in it; tables of other modules follow by foreign key. */
  const deleteApp = Effect.fnUntraced(function* (appId: number) {
    const which = sql`ANY(SELECT record_id FROM records WHERE app_id = ${appId})`
    yield* retitleWithout(appId)
    yield* lockPointing(which)
    yield* destroy(which)
    // Relations of other apps no longer offer it; their definitions count as changed.
    yield* sql`
      WITH pointing AS (
        SELECT f.field_id, f.app_id FROM fields f JOIN apps a USING (app_id)
        WHERE a.org_id = (SELECT org_id FROM apps WHERE app_id = ${appId}) AND f.app_id <> ${appId}
          AND f.settings->'referenced_apps' @> jsonb_build_array(jsonb_build_object('app_id', ${appId}::bigint))
      ), unnamed AS (
        UPDATE fields f SET settings = jsonb_set(f.settings, '{referenced_apps}', (
          SELECT coalesce(jsonb_agg(r ORDER BY n), '[]')
          FROM jsonb_array_elements(f.settings->'referenced_apps') WITH ORDINALITY AS t (r, n)
          WHERE (r->>'app_id')::bigint <> ${appId}))
        FROM pointing p WHERE f.field_id = p.field_id
      )
      UPDATE apps SET version = version + 1 WHERE app_id IN (
        SELECT app_id FROM pointing
        UNION SELECT read_app_id FROM calculation_relations WHERE app_id = ${appId} AND read_app_id <> ${appId})`
    yield* sql`DELETE FROM unique_values WHERE field_id IN (SELECT field_id FROM fields WHERE app_id = ${appId})`
    yield* sql`DELETE FROM apps WHERE app_id = ${appId}`
  })

  /** Titles as the changed definition gives them. */
  const retitle = Effect.fnUntraced(function* (before: AppDefinition, after: AppDefinition) {
    if (titlesDiffer(before, after)) yield* retitleApp(after)
    if (before.item_name !== after.item_name) yield* retitleNumbered(after.app_id)
  })

  return { insertFields, updateFields, deleteFields, moveOptions, retitle, deleteApp }
})
