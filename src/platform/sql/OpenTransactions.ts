// How long readers of snapshots wait for transactions that were already open. A snapshot's horizon is that of the whole Postgres server, so a
// long transaction in another of its databases holds them up too.
import { Context } from "effect"

export interface OpenTransactionsShape {
  /** Milliseconds that a new listener of changes waits; afterwards their end is reported to it as a loss. */
  readonly listenerMillis: number
  /** Milliseconds that the build of a field's index waits; afterwards it is left to the next round of housekeeping. */
  readonly indexMillis: number
}

export const OpenTransactions = Context.Reference<OpenTransactionsShape>("millrace/sql/OpenTransactions", {
  defaultValue: () => ({ listenerMillis: 2_000, indexMillis: 10_000 })
})
