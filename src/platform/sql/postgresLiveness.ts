// Checks that Postgres works by a committed write (decisions P12): a server that only reads, or has no room for its log, does not. For
// health, metrics, `doctor` and `parts`.
import { Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { Sql } from "./Sql.ts"
import { codeOf } from "./transientErrors.ts"

interface Liveness {
  readonly ok: boolean
  readonly detail?: string
}

/** Rows that processes write to concurrently; two that share one wait for one commit at most. */
const SLOTS = 64

const write = (sql: Sql) => sql`
  INSERT INTO liveness (slot, written_on) VALUES (pg_backend_pid() % ${SLOTS}, clock_timestamp())
  ON CONFLICT (slot) DO UPDATE SET written_on = excluded.written_on`

/** Postgres' own words for a failure. */
const describeFailure = (error: unknown): string => {
  if (!isSqlError(error)) return "no answer within 2 s"
  const { message } = (error.reason.cause ?? {}) as { readonly message?: unknown }
  const words = typeof message === "string" && message !== "" ? message : error.message
  return `${codeOf(error)} ${words}`.trim()
}

export const postgresLiveness = (sql: Sql) =>
  write(sql).pipe(
    Effect.timeout("2 seconds"),
    Effect.match({
      onFailure: (error): Liveness => ({ ok: false, detail: `takes no write: ${describeFailure(error)}` }),
      onSuccess: (): Liveness => ({ ok: true })
    })
  )
