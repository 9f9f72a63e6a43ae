// Deletes rows that can no longer be presented, in batches that block nothing (service.md 2.2, 8; decisions O1, O9). Scheduled hourly;
// every call may be repeated. Keeps used codes and refresh tokens as long as their connection, and ended connections for 90 days, so that
// their refresh tokens answer TOKEN_REFRESH_GRANT_INACTIVE.
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { DAY_WINDOW } from "../accounts/countInWindow.ts"
import { lapsesIn } from "./Connection.ts"
import { limits } from "./oauthLimits.ts"

/** Rows deleted per batch; each batch is its own transaction. */
const BATCH = 1000

const hour = 3_600_000

interface Pruned {
  readonly access_tokens: number
  readonly authorization_codes: number
  readonly authorization_requests: number
  readonly sessions: number
  readonly session_tokens: number
  readonly one_time_links: number
  readonly rate_windows: number
  readonly connections: number
  readonly refresh_tokens: number
  readonly dynamic_clients: number
}

/**
 * Dynamically registered clients that nobody approved within 25 hours of their registration, and copies of metadata documents
 * that are neither fresh nor in use.
 */
export const removeUnconnectedClients = Effect.gen(function* () {
  const sql = yield* Sql
  const nowMillis = yield* Clock.currentTimeMillis
  const cutoff = new Date(nowMillis - limits.unconnectedDynamicClientMillis)
  yield* deleteInBatches(
    BATCH,
    sql`
    DELETE FROM oauth_clients WHERE client_id IN (
      SELECT client_id FROM oauth_clients
      WHERE kind = 'document' AND first_approved_on IS NULL AND disabled_on IS NULL AND document_fresh_until <= ${cutoff}
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ) RETURNING 1`
  )
  return yield* deleteInBatches(
    BATCH,
    sql`
    DELETE FROM oauth_clients WHERE client_id IN (
      SELECT client_id FROM oauth_clients
      WHERE kind = 'dynamic' AND first_approved_on IS NULL AND created_on <= ${cutoff} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ) RETURNING 1`
  )
}).pipe(orSqlDefect, Effect.withSpan("connections.removeUnconnectedClients"))

const ConnectionId = Schema.Struct({ connection_id: Schema.Int })

export const prune = Effect.gen(function* () {
  const sql = yield* Sql
  const nowMillis = yield* Clock.currentTimeMillis
  const ago = (millis: number) => new Date(nowMillis - millis)

  const deleteWhere = (table: string, key: string, where: Statement.Fragment) =>
    deleteInBatches(
      BATCH,
      sql`
      DELETE FROM ${sql(table)} WHERE ${sql(key)} IN (
        SELECT ${sql(key)} FROM ${sql(table)} WHERE ${where} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ) RETURNING 1`
    )

  /** Connections that lapsed without being ended count as ended when they lapsed. */
  const lapsed = sql`ended_on IS NULL AND ${lapsesIn(sql)} <= ${ago(limits.endedConnectionKeptMillis)}`
  const endedCondition = sql`ended_on <= ${ago(limits.endedConnectionKeptMillis)}`

  /** Refresh tokens go first, so that a crash leaves none without its connection. */
  const pruneConnections = Effect.fnUntraced(function* () {
    let connections = 0
    let tokens = 0
    for (;;) {
      const rows = yield* rowsOf(ConnectionId)(sql`
        SELECT connection_id FROM connections c WHERE (${endedCondition}) OR (${lapsed}) LIMIT ${BATCH}`)
      if (rows.length === 0) return { connections, tokens }
      const ids = rows.map((row) => String(row.connection_id))
      tokens += yield* deleteInBatches(
        BATCH,
        sql`
        DELETE FROM refresh_tokens WHERE token_hash IN (
          SELECT token_hash FROM refresh_tokens WHERE connection_id = ANY(${ids}::bigint[]) LIMIT ${BATCH}
        ) RETURNING 1`
      )
      const deletedRows = yield* sql`DELETE FROM connections WHERE connection_id = ANY(${ids}::bigint[]) RETURNING 1`
      connections += deletedRows.length
      if (deletedRows.length === 0) return { connections, tokens }
    }
  })

  const accessTokens = yield* deleteWhere("access_tokens", "token_hash", sql`expires_on <= ${ago(hour)}`)
  const codes = yield* deleteWhere(
    "authorization_codes",
    "code_hash",
    sql`connection_id IS NULL AND issued_on <= ${ago(hour)}`
  )
  const requests = yield* deleteWhere("authorization_requests", "request_id", sql`expires_on <= ${ago(hour)}`)
  const sessions = yield* deleteWhere("sessions", "session_id", sql`expires_on <= ${ago(0)}`)
  const sessionTokens = yield* deleteWhere("session_tokens", "token_hash", sql`expires_on <= ${ago(0)}`)
  const links = yield* deleteWhere("one_time_links", "link_id", sql`expires_on <= ${ago(24 * hour)}`)
  const windows = yield* deleteWhere(
    "oauth_rate_windows",
    "key",
    sql`window_start <= ${ago(25 * hour)} OR (window_start <= ${ago(2 * hour)} AND NOT starts_with(key, ${DAY_WINDOW}))`
  )
  const { connections, tokens } = yield* pruneConnections()
  return {
    access_tokens: accessTokens,
    authorization_codes: codes,
    authorization_requests: requests,
    sessions,
    session_tokens: sessionTokens,
    one_time_links: links,
    rate_windows: windows,
    connections,
    refresh_tokens: tokens,
    dynamic_clients: yield* removeUnconnectedClients
  } satisfies Pruned
}).pipe(orSqlDefect, Effect.withSpan("connections.prune"))
