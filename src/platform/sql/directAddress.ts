// Address of Postgres itself, if the usual one leads through a pooler in transaction mode (docs/operations.md, "Behind PgBouncer"). For
// code that needs a session, and for code that a transaction waits for, which would else queue behind the very transactions that wait for
// it.
import type { PgClient } from "@effect/sql-pg"
import type { Redacted } from "effect"

const addresses = new WeakMap<object, Redacted.Redacted>()

/** Client that knows the direct address. */
export const withDirectAddress = (client: PgClient.PgClient, url: Redacted.Redacted): PgClient.PgClient => {
  addresses.set(client, url)
  return client
}

/** Direct address; the client's own if no other was given. */
export const directAddressOf = (sql: Pick<PgClient.PgClient, "config">): Redacted.Redacted =>
  addresses.get(sql) ?? sql.config.url!
