// Locks referenced records and their apps against deletion and renaming until the write ends (developer-api.md 4.3 rules 3 and 6), each in
// the order of their ids. `FOR KEY SHARE` blocks whoever trashes, destroys or renames them. Users whose names become titles are locked `FOR
// SHARE`: a rename of a user changes no key.

import type { Statement } from "effect/sql"
import type { Slots } from "../../../platform/sql/compiledOnce.ts"
import { atMost, idListParameter, listParameter } from "../../../platform/sql/listParameters.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { RecordPreview } from "../fields/model/Field.ts"

/** Parameters about referenced records in a statement that creates records; lists as JSON. */
export interface ReferencedValues {
  readonly pointed_apps: string
  readonly pointed_records: string
  readonly pointed_count: number
}

/** Numbers of apps and records. */
export interface ReferencedCounts {
  readonly apps: number
  readonly records: number
}

/** Parameters about users whose names are titles. */
export interface NamedValues {
  readonly named_users: string
  readonly named_count: number
}

/** A user, by the name that was found. */
export interface NamedUser {
  readonly user_id: number
  readonly name: string
}

/** Parameters for the users that the lookup found; null if there are none. */
export const namedOf = (found: ReadonlyArray<NamedUser>) => {
  if (found.length === 0) return null
  const users = [...new Map(found.map((user) => [`${user.user_id} ${user.name}`, user])).values()]
  const values: NamedValues = { named_users: JSON.stringify(users), named_count: users.length }
  return { count: users.length, values }
}

/** Parameters for the referenced records of an app's records, as the lookup found them; null if there are none. */
export const referencedOf = (appId: number, found: ReadonlyArray<RecordPreview>) => {
  if (found.length === 0) return null
  // Keeps a record once per title: if the lookup found it under two titles, the check fails for one of them.
  const records = [...new Map(found.map((record) => [`${record.record_id} ${record.title}`, record])).values()]
  const apps = new Set([appId, ...records.map((record) => record.app_id)])
  const counts: ReferencedCounts = { apps: apps.size, records: records.length }
  const values: ReferencedValues = {
    pointed_apps: JSON.stringify([...apps]),
    pointed_records: JSON.stringify(records),
    pointed_count: records.length
  }
  return { counts, values }
}

export const referenceLockStatements = (sql: Sql) => {
  const list = (ids: Iterable<number>) => idListParameter(sql, [...ids])

  /**
   * Parts for the statement that creates records: CTEs of its WITH, and a condition that all records still are as the lookup found them. It
   * reads them again after it has locked them: a lock does not show changes between the snapshot of the statement and the lock.
   */
  const holdPointed = (
    { apps, records }: ReferencedCounts,
    { pointed_apps, pointed_count, pointed_records }: Slots<ReferencedValues>
  ) => {
    const pointedRows = sql`jsonb_to_recordset(${pointed_records}::jsonb) AS j (record_id bigint)`
    return {
      parts: sql`kept AS MATERIALIZED (
        SELECT app_id FROM apps WHERE app_id IN ${listParameter(sql, apps, pointed_apps)} ORDER BY app_id FOR KEY SHARE
      ), pointed AS MATERIALIZED (
        SELECT t.record_id FROM ${atMost(sql, records, pointedRows)} JOIN records t USING (record_id) WHERE (SELECT count(*) FROM kept) > 0
        ORDER BY t.record_id FOR KEY SHARE OF t
      ), `,
      holds: sql` AND CASE WHEN (SELECT count(*) FROM pointed) = ${pointed_count}::int
        THEN records_called(${pointed_records}::jsonb) ELSE false END`
    }
  }

  /** Statement parts that lock users and check that they still have the same names. */
  const heldNames = (count: number, { named_count, named_users }: Slots<NamedValues>) => {
    const namedRows = sql`jsonb_to_recordset(${named_users}::jsonb) AS j (user_id bigint, name text)`
    return {
      parts: sql`called AS MATERIALIZED (
        SELECT u.user_id FROM ${atMost(sql, count, namedRows)} JOIN users u USING (user_id) WHERE u.name = x.name
        ORDER BY u.user_id FOR SHARE OF u
      ), `,
      holds: sql` AND (SELECT count(*) FROM called) = ${named_count}::int`
    }
  }

  /** Before they are looked up, in the transaction of the write; those of others are not waited for. */
  const hold = (orgId: number, ids: ReadonlySet<number>) => sql`
    WITH kept AS MATERIALIZED (
      SELECT app_id FROM apps WHERE org_id = ${orgId} AND app_id IN (SELECT app_id FROM records WHERE record_id IN ${list(ids)})
      ORDER BY app_id FOR KEY SHARE
    )
    SELECT record_id FROM records WHERE record_id IN ${list(ids)} AND org_id = ${orgId} AND (SELECT count(*) FROM kept) > 0
    ORDER BY record_id FOR KEY SHARE`

  const holdNames = (orgId: number, ids: Iterable<number>) => sql`
    SELECT user_id FROM users WHERE user_id IN ${list(ids)} AND org_id = ${orgId} ORDER BY user_id FOR SHARE`

  /**
   * Waits for those who are about to point to records that are to be renamed, before they are: others wait from here on, and see the new name.
   * They would be given the former row of one that is updated already.
   */
  const lockRenamed = (ids: Statement.Fragment) => sql`
    SELECT record_id FROM records WHERE record_id IN ${ids} ORDER BY record_id FOR UPDATE`
  const settle = (ids: ReadonlyArray<number>) => lockRenamed(list(ids))

  return { held: holdPointed, heldNames, hold, holdNames, lockRenamed, settle }
}
