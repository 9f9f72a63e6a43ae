// Postgres's own address beside one that leads through a pooler in transaction mode (docs/operations.md, "Behind PgBouncer"): for what needs
// a session, and for what a transaction waits for, which would else queue behind the very transactions that wait for it.
import type { PgClient } from "@effect/sql-pg"
import type { Redacted } from "effect"

const addresses = new WeakMap<object, Redacted.Redacted>()

/** A client that knows the direct address. */
export const withDirectAddress = (client: PgClient.PgClient, url: Redacted.Redacted): PgClient.PgClient => {
  addresses.set(client, url)
  return client
}

/** The client's own address where no other was given. */
export const directAddressOf = (sql: Pick<PgClient.PgClient, "config">): Redacted.Redacted =>
  addresses.get(sql) ?? sql.config.url!
