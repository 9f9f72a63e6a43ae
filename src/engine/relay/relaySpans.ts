// Traces the relay's part: a span for each event of a traced change, in the change's own trace. A change of many records would make a trace
// that no tool can show: then each record's work is a trace of its own, linked to the change.
import { Clock, Effect, Exit, References, type Tracer } from "effect"
import { standingTo, traceparentOf } from "../../platform/telemetry/traceContext.ts"
import type { OutboxRow } from "./OutboxRow.ts"

const attributesOf = ({ app_id, event_id, org_id, record_id, type }: OutboxRow) => ({
  "millrace.event.id": event_id,
  "millrace.event.type": type,
  "millrace.org.id": org_id,
  ...(app_id === null ? {} : { "millrace.app.id": app_id }),
  ...(record_id === null ? {} : { "millrace.record.id": record_id })
})

/** Rows with the context of their spans for what is handed on; `ended`: to be run once they have been handed over. */
export const handedOver = Effect.fnUntraced(function* (rows: ReadonlyArray<OutboxRow>) {
  const untouched = { rows, ended: Effect.void }
  const ofChange = Map.groupBy(rows, ({ traceparent }) => traceparent)
  if (!(yield* References.TracerEnabled) || [...ofChange.keys()].every((cause) => cause === null)) return untouched
  const spans: Array<Tracer.Span> = []
  const traced: Array<OutboxRow> = []
  for (const row of rows) {
    const cause = row.traceparent
    const isAlone = ofChange.get(cause)!.length === 1
    const spanOptions = cause === null ? undefined : standingTo(cause, isAlone ? "below" : "linked")
    if (spanOptions === undefined) {
      traced.push({ ...row, traceparent: null })
      continue
    }
    const attributes = attributesOf(row)
    const span = yield* Effect.makeSpan(`relay ${row.type}`, { ...spanOptions, kind: "consumer", attributes })
    spans.push(span)
    traced.push({ ...row, traceparent: traceparentOf(span) })
  }
  const endSpans = Effect.flatMap(Clock.currentTimeNanos, (now) =>
    Effect.sync(() => {
      for (const span of spans) span.end(now, Exit.void)
    })
  )
  return { rows: traced, ended: endSpans }
})
