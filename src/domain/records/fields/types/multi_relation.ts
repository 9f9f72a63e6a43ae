// `multi_relation`: live records of referenced apps (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { id, many } from "../contract/shapes.ts"
import { relationGroups } from "../grouping/idGroups.ts"
import { idOf, listOf } from "../input/writeInput.ts"
import { joinedTitle } from "../kinds/joinedTitle.ts"
import { liveIds, type RelationSettings, recordTitle, relationFilter, relationKind } from "../kinds/relationFields.ts"
import { manyIdsTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"

export const multiRelation: AssignableType<"records", RelationSettings> = {
  ...relationKind,
  tag: "multi_relation",
  label: "Multi relation",
  operators: "MANY",
  multiple: true,
  input: many(id),
  parse: (input) => listOf(input, "record ids", (item) => idOf(item, "a record id")),
  title: joinedTitle(recordTitle),
  compared: (cell, _field, found) => ({ set: "MANY", ids: liveIds(cell, found) }),
  groups: relationGroups(true),
  filter: {
    ...relationFilter,
    matchTypes: matchTypes.many,
    test: (filter, _, context) => manyIdsTest(filter, context)
  },
  sortKey: ({ lit, sql, words }, { field_id }) =>
    words(sql`(
          SELECT coalesce(t.title, a.item_name || ' #' || t.app_record_id)
          FROM jsonb_array_elements_text(r.cells->${lit(`'${field_id}'`)}) WITH ORDINALITY AS e (id, ord)
          JOIN records t ON t.record_id = CASE WHEN e.id ~ '^[0-9]{1,18}$' THEN e.id::bigint END AND t.deleted_on IS NULL JOIN apps a ON a.app_id = t.app_id
          ORDER BY e.ord LIMIT 1)`)
}
