// Facts that identify a restored database, readable without any rights: another cluster, another timeline (point-in-time recovery, a base
// backup, a standby that took over), another database in the cluster, tables that a restore of a dump has made anew.
import { Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { isTransient } from "../../platform/sql/transientErrors.ts"

const NullableText = Schema.NullOr(Schema.String)
export const Facts = Schema.Struct({
  cluster: NullableText,
  timeline: NullableText,
  database: NullableText,
  table: NullableText
})
export type Facts = typeof Facts.Type

const queries: Record<keyof Facts, string> = {
  cluster: "SELECT system_identifier::text FROM pg_control_system()",
  timeline: "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)",
  database: "SELECT oid::text FROM pg_database WHERE datname = current_database()",
  table: "SELECT 'installation_epoch'::regclass::oid::text"
}

const changed: Record<keyof Facts, string> = {
  cluster: "the database is in another cluster",
  timeline: "the cluster goes on from a recovery or on a standby (another timeline)",
  database: "the database is a copy",
  table: "the tables were restored from a dump"
}

const names = Object.keys(queries) as ReadonlyArray<keyof Facts>

/**
 * Reads the facts that the server reveals: some providers keep one or the other to themselves.
 * @param failsOver standbys take over with all that was committed: another timeline is no other history
 */
export const makeFacts = Effect.fnUntraced(function* (sql: Sql, failsOver: boolean) {
  const readableFacts = new Set<keyof Facts>()
  for (const name of names) {
    if (failsOver && name === "timeline") continue
    const factQuery = sql.withTransaction(sql.unsafe(queries[name]))
    const isReadable = yield* factQuery.pipe(
      Effect.as(true),
      Effect.catchIf(
        (error) => !isTransient(error),
        () => Effect.succeed(false)
      )
    )
    if (isReadable) readableFacts.add(name)
  }
  const columns = names
    .map((name) => `(${readableFacts.has(name) ? queries[name] : "NULL::text"}) AS "${name}"`)
    .join(", ")
  return Effect.map(rowOf(Facts)(sql.unsafe(`SELECT ${columns}`)), (facts) => facts!)
})

/** Adds to the known facts those that the server reveals only now. */
export const completed = (before: Facts | null, now: Facts): Facts => {
  if (before === null) return now
  const more = names.filter((name) => before[name] === null && now[name] !== null)
  return more.length === 0 ? before : { ...before, ...Object.fromEntries(more.map((name) => [name, now[name]])) }
}

/** Reason why two sets of facts differ; null: nothing that both know differs. */
export const whyOther = (before: Facts, now: Facts): string | null => {
  const name = names.find((one) => before[one] !== null && now[one] !== null && before[one] !== now[one])
  return name === undefined ? null : changed[name]
}
