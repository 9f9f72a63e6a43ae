// The rows that the statements of record writes add to the outbox (recordStatements.ts, changeParts.ts), for the relay, which need not wait
// to read them.
import type { ToldEvent } from "../../../engine/outbox/notice.ts"
import type { Traceparent } from "../../../ground/telemetry/traceContext.ts"
import { type AppDefinition, shownTitle } from "../model/AppDefinition.ts"
import type { Write } from "../model/RecordRow.ts"
import type { ChangedRow } from "./recordChange.ts"
import type { CreatedRecord, NewRow } from "./recordStatements.ts"
import { ofWrite } from "./writeParts.ts"

interface Statement {
  readonly definition: AppDefinition
  /** Of the span in which it was sent. */
  readonly around: Traceparent
  readonly at: Date
}

const told = (
  { around, at, definition: { app_id, org_id } }: Statement,
  write: Write,
  event: Pick<ToldEvent, "event_id" | "type" | "record_id">,
  payload: object
): ToldEvent => {
  const { author, ...effects } = ofWrite(write, around)
  return { ...event, org_id, app_id, ...effects, payload: { author, ...payload }, created_on: at }
}

export const toldCreation = (
  statement: Statement,
  write: Write,
  { app_record_id, event_id, record_id, title }: CreatedRecord,
  { cells, changed }: NewRow
): ToldEvent => {
  const shown = shownTitle(title, statement.definition.item_name, app_record_id)
  const event = { event_id, record_id, type: "record.create" }
  return told(statement, write, event, { revision: 0, cells, changed, title: shown })
}

export const toldUpdate = (
  statement: Statement,
  { cells, changed, former, previous, record_id, revision, shown, write }: ChangedRow,
  event_id: number
): ToldEvent =>
  told(
    statement,
    write,
    { event_id, record_id, type: "record.update" },
    { revision, cells, previous, former, changed, title: shown }
  )
