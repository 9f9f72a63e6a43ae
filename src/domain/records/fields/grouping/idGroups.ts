// Groups by options, users, related records and authors (developer-api.md 11.6). A field of several values puts a record into one group, that
// of all of them, in whatever order it has them.
import type { Statement } from "effect/sql"
import type { FieldGroups, GroupSql } from "../contract/FieldGroups.ts"
import type { OptionSettings } from "../kinds/optionFields.ts"
import { MAX_IDS } from "../matching/filterTests.ts"
import { keyedValue } from "./keyedValue.ts"

const idsOf = (key: string): ReadonlyArray<number> => key.split(",").map(Number)

const condition: FieldGroups["condition"] = (key) => {
  const ids = idsOf(key)
  const values = ids.slice(0, MAX_IDS).map((value) => ({ value }))
  return { match_type: ids.length > MAX_IDS ? "contains" : "equal", values }
}
const ofIds = { cell: idsOf, condition } satisfies Partial<FieldGroups>

/** The ids of `g.key`, one in each row `e`. */
const each = "unnest(string_to_array(g.key, ',')::bigint[]) AS e (id)"

/** Ids that cells hold. @param known condition of the ids `e.id` that are there, over their texts */
const idKeys = (
  multiple: boolean,
  known: (sql: GroupSql) => Statement.Fragment
): Pick<FieldGroups, "key" | "value"> => ({
  value: (groupSql, { field_id }) => {
    const { first, lit, sql } = groupSql
    if (multiple) return { value: lit(`r.cells->'${field_id}'`) }
    // Read from the record once, as JSON: the key is of digits alone, which a text in its quotes is not.
    return keyedValue(groupSql, field_id, "k.ref::text", sql`${first(field_id)}::text`)
  },
  key: (groupSql) => {
    const { lit, sql } = groupSql
    const ids = lit(multiple ? "jsonb_array_elements_text(v.value)" : "unnest(ARRAY[v.value])")
    return sql`(
      SELECT string_agg(e.id, ',' ORDER BY length(e.id), e.id) FROM (SELECT DISTINCT id FROM ${ids} AS t (id)) AS e
      WHERE e.id ~ '^[0-9]{1,15}$' AND ${known(groupSql)})`
  }
})

/** Options in the order of the field; combinations by their first ones. */
export const optionGroups = (multiple: boolean): FieldGroups<OptionSettings> => {
  const positions = ({ settings }: { readonly settings: OptionSettings }) =>
    settings.options.map(({ id }) => String(id))
  return {
    ...ofIds,
    ...idKeys(multiple, ({ lit }) => lit("true")),
    order: ({ sql }, field) => ({
      expression: sql`coalesce((
        SELECT left(string_agg(lpad(p.place::text, 4, '0'), ',' ORDER BY p.place), 200)
        FROM unnest(string_to_array(g.key, ',')) AS e (id) CROSS JOIN LATERAL (
          SELECT coalesce(array_position(${positions(field)}::text[], e.id), 9999) AS place) AS p), '') COLLATE "C"`,
      type: "text"
    })
  }
}

export const userGroups = (multiple: boolean): FieldGroups => ({
  ...ofIds,
  ...idKeys(multiple, ({ lit }) => lit("true")),
  order: ({ lit, sql, words }) =>
    words(
      sql`coalesce((SELECT string_agg(u.name, ', ' ORDER BY u.name) FROM ${lit(each)} JOIN users u ON u.user_id = e.id), '')`
    )
})

/** Related records, read from their links; those in the trash are not there (4.3 rule 6). */
export const relationGroups = (multiple: boolean): FieldGroups => ({
  ...ofIds,
  value: ({ lit, sql }, { field_id }) =>
    multiple
      ? {
          join: sql`LEFT JOIN (
            SELECT l.record_id, array_agg(l.target_id ORDER BY l.target_id) AS ids FROM record_links l
            WHERE l.field_id = ${field_id}::bigint GROUP BY l.record_id) AS k ON k.record_id = r.record_id`,
          value: lit("k.ids")
        }
      : {
          join: sql`LEFT JOIN record_links k ON k.field_id = ${field_id}::bigint AND k.record_id = r.record_id`,
          value: lit("ARRAY[k.target_id]")
        },
  key: ({ lit }) =>
    lit(`(SELECT string_agg(t.record_id::text, ',' ORDER BY t.record_id) FROM records t
      WHERE t.record_id = ANY(v.value) AND t.deleted_on IS NULL)`),
  order: ({ lit, sql, words }) =>
    words(sql`coalesce((
      SELECT string_agg(coalesce(t.title, a.item_name || ' #' || t.app_record_id), ', ' ORDER BY t.record_id)
      FROM ${lit(each)} JOIN records t ON t.record_id = e.id JOIN apps a USING (app_id)), '')`)
})

/** Authors: users, and automations as the negative of their id. @param column of `records` */
export const authorGroups = (column: "created_by" | "last_modified_by"): FieldGroups => ({
  value: ({ lit }) => ({
    value: lit(`coalesce(r.${column}->>'user_id', '-' || (r.${column}->>'automation_id'))`)
  }),
  key: ({ lit }) => lit("v.value"),
  order: ({ lit, sql, words }) =>
    words(
      sql`coalesce(${lit(`(SELECT u.name FROM users u WHERE u.user_id = g.key::bigint),
      (SELECT x.name FROM automations x WHERE x.automation_id = -(g.key::bigint)), ''`)})`
    ),
  cell: (key) => [Number(key)],
  condition: (key) => {
    const id = Number(key)
    return { match_type: "equal", values: [{ value: id < 0 ? { automation_id: -id } : id }] }
  }
})
