// The audit log as a file: what the page's search finds, as JSON lines or as a table, up to a bound that is said.
import { client } from "../../api/client.ts"
import type { AuditEvent, AuditSearch } from "./auditQueries.ts"

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

/** A cell that begins like a formula is none: a sheet would run it. */
const cell = (value: unknown): string => {
  const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

const lineOf = {
  jsonl: (event: AuditEvent) => JSON.stringify(event),
  csv: (event: AuditEvent) => columns.map((name) => cell(event[name])).join(",")
}

export type ExportFormat = keyof typeof lineOf

export const exportAudit = async (search: AuditSearch, format: ExportFormat): Promise<number> => {
  const lines: Array<string> = format === "csv" ? [columns.join(",")] : []
  let count = 0
  for (let before: number | undefined; count < EXPORTED_MOST; ) {
    const { events } = await client.audit.list({ ...search, limit: PAGE, ...(before !== undefined && { before }) })
    for (const event of events) lines.push(lineOf[format](event))
    count += events.length
    before = events.at(-1)?.audit_id
    if (events.length < PAGE) break
  }
  const url = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`]))
  const link = document.createElement("a")
  link.href = url
  link.download = `audit.${format}`
  link.click()
  URL.revokeObjectURL(url)
  return count
}
