// Noted changes as the background pass takes them (developer-api.md 11.3): of one organization after another, the oldest first, those together
// that one batch can work on; and the records that follow them.
import { Effect, Schema } from "effect"
import { jsonb } from "../../../platform/sql/columns.ts"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { WriteEffects } from "../model/RecordRow.ts"

/** Changes of one batch. */
const CHANGES_AT_ONCE = 200
/** Records that a batch calculates: locked for some milliseconds. */
export const RECORDS_AT_ONCE = 100
/** Changes behind the oldest one, among which those are sought that go with it. */
const SOUGHT_AMONG = 10_000

const OrgId = Schema.Struct({ org_id: Schema.Int })
const ChangeGroup = Schema.Struct({
  app_id: Schema.Int,
  relation_id: Schema.NullOr(Schema.Int),
  position: Schema.Int,
  change_ids: Schema.Array(Schema.Int),
  record_ids: Schema.Array(Schema.Int)
})
export type ChangeGroup = typeof ChangeGroup.Type
const RelatedChange = Schema.Struct({
  change_id: Schema.Int,
  record_id: Schema.Int,
  effects: Schema.NullOr(jsonb<WriteEffects>())
})
export type RelatedChange = typeof RelatedChange.Type
const Reading = Schema.Struct({ record_id: Schema.Int, targets: Schema.Array(Schema.Int) })

export type Reading = typeof Reading.Type

export const makeRelatedGroups = (sql: Sql) => {
  const idList = idListOf(sql)

  /** The next organization in turn that has changes to come to. */
  const nextOrg = Effect.fnUntraced(function* (last: number, now: Date) {
    const groupsFrom = (least: number) =>
      rowOf(OrgId)(sql`
        SELECT org_id FROM calculation_changes WHERE org_id > ${least} AND due_on <= ${now} ORDER BY org_id LIMIT 1`)
    return (yield* groupsFrom(last)) ?? (yield* groupsFrom(0))
  })

  /** The oldest changes of an organization that one batch can work on together. */
  const nextGroup = (orgId: number, now: Date) =>
    rowOf(ChangeGroup)(sql`
      WITH first AS (
        SELECT change_id, app_id, relation_id, position FROM calculation_changes
        WHERE org_id = ${orgId} AND due_on <= ${now} ORDER BY change_id LIMIT 1
      ), c AS (
        SELECT c.* FROM calculation_changes c, first f
        WHERE c.org_id = ${orgId} AND c.app_id = f.app_id AND c.relation_id IS NOT DISTINCT FROM f.relation_id
          AND c.position = f.position AND c.due_on <= ${now} AND c.change_id < f.change_id + ${SOUGHT_AMONG}::int
        ORDER BY c.change_id LIMIT ${CHANGES_AT_ONCE}::int
      )
      SELECT app_id, relation_id, position, array_agg(change_id ORDER BY change_id) AS change_ids, array_agg(DISTINCT record_id) AS record_ids
      FROM c GROUP BY app_id, relation_id, position`)

  /** Records that follow the changes, each with the records that have changed; at most one more than a batch takes. */
  const readingOf = ({ position, relation_id }: ChangeGroup, changed: ReadonlyArray<number>) =>
    rowsOf(Reading)(
      relation_id === null
        ? sql`
            SELECT id AS record_id, ARRAY[id] AS targets FROM unnest(${changed.map(String)}::text[]::bigint[]) id
            WHERE id > ${position} GROUP BY id ORDER BY id LIMIT ${RECORDS_AT_ONCE + 1}::int`
        : sql`
            SELECT record_id, array_agg(target_id) AS targets FROM record_links
            WHERE field_id = ${relation_id} AND target_id = ${idList(changed)} AND record_id > ${position}
            GROUP BY record_id ORDER BY record_id LIMIT ${RECORDS_AT_ONCE + 1}::int`
    )

  /** Locks the changes of a group that no other pass has taken. */
  const take = ({ change_ids, position }: ChangeGroup) =>
    rowsOf(RelatedChange)(sql`
      SELECT change_id, record_id, effects FROM calculation_changes
      WHERE change_id = ${idList(change_ids)} AND position = ${position} ORDER BY change_id FOR UPDATE SKIP LOCKED`)

  /** Ends changes, or has the next batch go on behind a record. */
  const finish = (changes: ReadonlyArray<RelatedChange>, position: number | null) => {
    const ids = idList(changes.map(({ change_id }) => change_id))
    return position === null
      ? sql`DELETE FROM calculation_changes WHERE change_id = ${ids}`
      : sql`UPDATE calculation_changes SET position = ${position} WHERE change_id = ${ids}`
  }

  const postpone = ({ change_ids }: ChangeGroup, until: Date) =>
    sql`UPDATE calculation_changes SET due_on = ${until} WHERE change_id = ${idList(change_ids)}`

  return { nextOrg, nextGroup, readingOf, take, finish, putOff: postpone }
}
