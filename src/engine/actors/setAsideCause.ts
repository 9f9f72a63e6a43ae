// Explains to people why a row is set aside. The process remembers the last failures; a row whose process crashed has none.
import { Cause } from "effect"
import { counter } from "../../platform/metrics/instruments.ts"
import { BoundedMap } from "../../platform/primitives/BoundedMap.ts"
import type { MailboxRow } from "./ActorKind.ts"

const KEEP = 1_000
const failures = new BoundedMap<string, string>(KEEP)
const setAside = counter("millrace.mailbox.set_aside")

const nameOf = (key: string, row: MailboxRow) => `${key}#${row.row_id}`

export const recordDefect = (key: string, rows: ReadonlyArray<MailboxRow>, cause: Cause.Cause<unknown>): void => {
  const error = Cause.squash(cause)
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  for (const row of rows) failures.set(nameOf(key, row), text.slice(0, 300))
}

export const setAsideCause = (key: string, row: MailboxRow): string => {
  const lastFailure = failures.get(nameOf(key, row))
  failures.delete(nameOf(key, row))
  setAside.add(1)
  return lastFailure === undefined
    ? `Given up after ${row.claims - 1} attempts that never finished: the process probably ended while working on it.`
    : `Given up after ${row.claims - 1} attempts that failed unexpectedly. The last one: ${lastFailure}`
}
