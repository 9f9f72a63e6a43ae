// `single_relation`: one live record of a referenced app (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { id } from "../contract/shapes.ts"
import { relationGroups } from "../grouping/idGroups.ts"
import { idOf, oneEntry } from "../input/writeInput.ts"
import { liveIds, type RelationSettings, relationFilter, relationKind } from "../kinds/relationFields.ts"
import { oneIdTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"

export const singleRelation: AssignableType<"records", RelationSettings> = {
  ...relationKind,
  tag: "single_relation",
  label: "Single relation",
  operators: "ONE",
  multiple: false,
  input: id,
  parse: (input) => oneEntry(idOf(input, "a record id")),
  compared: (cell, _field, found) => ({ set: "ONE", ids: liveIds(cell, found) }),
  groups: relationGroups(false),
  filter: { ...relationFilter, matchTypes: matchTypes.one, test: (filter, _, context) => oneIdTest(filter, context) },
  sortKey: ({ firstNumber, sql, words }, { field_id }) =>
    words(sql`(
            SELECT coalesce(t.title, a.item_name || ' #' || t.app_record_id) FROM records t JOIN apps a USING (app_id)
            WHERE t.record_id = ${firstNumber(field_id, "bigint")} AND t.deleted_on IS NULL)`)
}
