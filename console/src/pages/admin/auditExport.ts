// The audit log as a file: what the page's search finds, as JSON lines or as a table, up to a bound that is said.

import { csvOf } from "../../../../src/domain/imports/csvText.ts"
import { client } from "../../api/client.ts"
import { download } from "../../ui/download.ts"
import type { AuditEvent } from "./auditQueries.ts"
import type { AuditSearch } from "./auditSearch.ts"

const PAGE = 500
export const EXPORTED_MOST = 50_000

const columns = [
  "audit_id",
  "happened_on",
  "event",
  "reason_id",
  "user_id",
  "user_name",
  "client_id",
  "client_name",
  "connection_id",
  "source_address",
  "details",
  "count"
] as const satisfies ReadonlyArray<keyof AuditEvent>

const textOf = (value: unknown): string =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)

const formats = {
  jsonl: { head: "", lineOf: (event: AuditEvent) => `${JSON.stringify(event)}\n` },
  csv: { head: csvOf([columns]), lineOf: (event: AuditEvent) => csvOf([columns.map((name) => textOf(event[name]))]) }
} as const

export type ExportFormat = keyof typeof formats

export const exportAudit = async (search: AuditSearch, format: ExportFormat): Promise<number> => {
  const { head, lineOf } = formats[format]
  const lines: Array<string> = [head]
  let count = 0
  for (let beforeId: number | undefined; count < EXPORTED_MOST; ) {
    const { events } = await client.audit.list({
      ...search,
      limit: PAGE,
      ...(beforeId !== undefined && { before: beforeId })
    })
    for (const event of events) lines.push(lineOf(event))
    count += events.length
    beforeId = events.at(-1)?.audit_id
    if (events.length < PAGE) break
  }
  download(`audit.${format}`, lines, format === "csv" ? "text/csv;charset=utf-8" : "application/jsonl")
  return count
}
