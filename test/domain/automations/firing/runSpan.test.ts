// Where the span of a run stands: in the trace of a person's change, at the beginning of one of its own where time or another run has
// set it off, with a link; nowhere without a trace.
import { assert, describe, it } from "@effect/vitest"
import { Effect, References, Tracer } from "effect"
import type { FiringDecision } from "../../../../src/domain/automations/firing/firing.ts"
import type { InboxEvent } from "../../../../src/domain/automations/firing/inboxRows.ts"
import { withRunSpan } from "../../../../src/domain/automations/firing/runSpan.ts"

const TRACE = "ab".repeat(16)
const SPAN = "cd".repeat(8)
const cause = { automation_id: 3, run_id: "4", root_run_id: "4", chain: [3] }

interface Fired {
  readonly trigger: string
  readonly cause?: object
  readonly traceparent?: string | null
  readonly tracing?: boolean
}

/** The span that is made, and the context that the run's row is given. */
const fired = ({ trigger, tracing = true, ...event }: Fired) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.Span> = []
    const row = {
      automation_id: 7,
      event: { cause: null, traceparent: `00-${TRACE}-${SPAN}-01`, ...event }
    } as unknown as InboxEvent
    const run = {
      org_id: 1,
      app_id: 2,
      record_id: null,
      type: "regular",
      trigger: { type: trigger },
      traceparent: null
    }
    const decision = { type: "run", run } as unknown as FiringDecision
    const tracer = Tracer.make({
      span: (options) => {
        const span = Tracer.nativeTracer.span(options)
        spans.push(span)
        return span
      }
    })
    let kept: string | null = null
    yield* withRunSpan(row, decision, (traced) =>
      Effect.sync(() => {
        kept = traced.type === "run" ? traced.run.traceparent : null
      })
    ).pipe(Effect.provideService(Tracer.Tracer, tracer), Effect.provideService(References.TracerEnabled, tracing))
    return { span: spans[0], kept: kept as string | null }
  })

const keeps = (span: Tracer.Span) => `00-${span.traceId}-${span.spanId}-01`

describe("the span of a run", () => {
  it.effect("is below the change of a person", () =>
    Effect.gen(function* () {
      const { kept, span } = yield* fired({ trigger: "record_created" })
      assert.deepStrictEqual([span?.name, span?.traceId], ["run automation", TRACE])
      assert.strictEqual(kept, keeps(span!))
    })
  )

  it.effect.each([
    { trigger: "record_created", cause },
    { trigger: "automation_called", cause },
    { trigger: "periodic" },
    { trigger: "date_field_arrived" }
  ])("begins a trace with a link: %j", (event) =>
    Effect.gen(function* () {
      const { kept, span } = yield* fired(event)
      assert.notStrictEqual(span!.traceId, TRACE)
      assert.deepStrictEqual(
        span!.links.map(({ span: { spanId, traceId } }) => [traceId, spanId]),
        [[TRACE, SPAN]]
      )
      assert.strictEqual(kept, keeps(span!))
    })
  )

  it.effect.each([
    { trigger: "record_created", traceparent: null },
    { trigger: "record_created", traceparent: "Bearer abc" },
    { trigger: "record_created", tracing: false }
  ])("is none: %j", (event) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* fired(event), { span: undefined, kept: null })
    })
  )
})
