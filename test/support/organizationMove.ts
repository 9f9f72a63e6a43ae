// An organization goes from one database to another: its rows by the paths of organizationTables.ts, with their ids. Nobody writes to it
// meanwhile, and its events have been relayed. What has begun goes on where it comes to: actors and workflows are made anew from rows.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { belongsTo, ofTheInstallation, organizationPaths } from "./organizationTables.ts"

/** Of the cell that the organization was in: its actors' workflows, what listeners there have seen, and the log that nothing may be taken of. */
const staysBehind = ["actors", "audit_log", "change_listeners", "changes"]

const moved = Object.keys(organizationPaths).filter((table) => !staysBehind.includes(table))

const depth = (table: string): number => {
  const path = organizationPaths[table]
  return path === undefined || path === "org_id" ? 0 : 1 + depth(path[1])
}

const columnsOf = (table: string) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ names: string }>`
        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names FROM pg_attribute
        WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`
    ),
    ([row]) => row!.names
  )

/** Of what its users and its values name in tables that all share. */
const shared = (orgId: number): ReadonlyArray<readonly [table: string, condition: string]> => {
  const people = `person_id IN (SELECT person_id FROM users WHERE org_id = ${orgId})`
  const payloads = `SELECT (data->>'webhook_payload_id')::bigint FROM run_triggers WHERE ${belongsTo("run_triggers", orgId)}
    UNION SELECT payload_id FROM webhook_catches WHERE ${belongsTo("webhook_catches", orgId)}`
  return [
    ["people", people],
    ["factors", people],
    ["recovery_codes", people],
    ["oauth_clients", `client_id IN (SELECT client_id FROM connections WHERE org_id = ${orgId})`],
    ["webhook_payloads", `payload_id IN (${payloads})`]
  ]
}

type Sql = SqlClient.SqlClient

/** What is still under way in the former cell and would be lost on the way. */
export const underWay = (sql: Sql, orgId: number) =>
  Effect.map(
    sql<{ n: number }>`
      SELECT (SELECT count(*) FROM outbox WHERE org_id = ${orgId})::int + (SELECT count(*) FROM automation_events WHERE org_id = ${orgId})::int AS n`,
    ([row]) => row!.n
  )

/** @param from connections as superusers, past triggers: what they count comes along as rows */
export const moveOrganization = Effect.fnUntraced(function* (orgId: number, from: Sql, to: Sql) {
  const rows: Record<string, number> = {}
  const texts: Array<readonly [string, string]> = []
  const conditions = [...shared(orgId), ...moved.map((table) => [table, belongsTo(table, orgId)] as const)]
  for (const [table, condition] of conditions) {
    const [found] = yield* from.unsafe<{ rows: string; n: number }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text AS rows, count(*)::int AS n FROM (SELECT * FROM ${table} WHERE ${condition}) t`
    )
    rows[table] = found!.n
    if (found!.n > 0) texts.push([table, found!.rows])
  }
  yield* to.withTransaction(
    Effect.gen(function* () {
      yield* to`SET LOCAL session_replication_role = replica`
      for (const [table, text] of texts) {
        const names = yield* Effect.provideService(columnsOf(table), SqlClient.SqlClient, to)
        const onConflict = table in ofTheInstallation ? "ON CONFLICT DO NOTHING" : ""
        yield* to.unsafe(
          `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
           SELECT ${names} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) ${onConflict}`,
          [text]
        )
      }
      // A hook knows its events by their ids, and what it was told of comes before what it will be told of: they go on from the highest.
      const [last] = yield* from<{ id: string }>`SELECT last_value::text AS id FROM outbox_event_id_seq`
      yield* to`SELECT setval('outbox_event_id_seq', greatest(last_value, ${last!.id}::bigint)) FROM outbox_event_id_seq`
    })
  )
  yield* from.withTransaction(
    Effect.gen(function* () {
      yield* from`SET LOCAL session_replication_role = replica`
      for (const table of [...moved].sort((a, b) => depth(b) - depth(a)))
        yield* from.unsafe(`DELETE FROM ${table} WHERE ${belongsTo(table, orgId)}`)
      yield* from`DELETE FROM actors WHERE org_id = ${orgId}`
    })
  )
  return rows
})

/** Every sequence of ids begins where no other cell's comes to; `cell` counts from 0. */
export const asCell = Effect.fnUntraced(function* (sql: Sql, cell: number) {
  // The gate of changes is an instant.
  const sequences = yield* sql<{ name: string }>`
    SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' AND sequencename <> 'change_gate'`
  for (const { name } of sequences)
    yield* sql`SELECT setval(${name}::regclass, ${cell * IDS_OF_A_CELL + 1}::bigint, false)`
  return sequences.length
})

/** 999 cells and their ids fit where ids have 15 digits. */
const IDS_OF_A_CELL = 1_000_000_000_000
