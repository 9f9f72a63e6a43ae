// The job of a claimed delivery: its POST, in the trace of the change that caused it, and its result with those that come at the same time.
import { Effect, Exit, type Fiber, References } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fenced, Job } from "../../engine/actors/ActorKind.ts"
import type { SubmitResult } from "../../engine/actors/batchedResults.ts"
import { caused } from "../../platform/telemetry/traceContext.ts"
import type { AttemptOutcome } from "./attempt.ts"
import { makeBodiesWithRecord } from "./bodiesWithRecord.ts"
import { deliveryId } from "./Delivery.ts"
import { countAttempt } from "./deliveryMetrics.ts"
import type { Result } from "./judgeResults.ts"
import type { DeliveryRow } from "./mailboxRows.ts"
import { makeReserveSecondPost } from "./reserveSecondPost.ts"
import { makeSendPost } from "./sendPost.ts"
import { makeWithheldRecordNotices } from "./withheldRecordNotices.ts"

interface Around {
  readonly appId: number
  readonly begins: (row: DeliveryRow) => void
  /** Its POST has ended, whatever came of it. */
  readonly ended: (row: DeliveryRow) => void
  readonly submit: SubmitResult<Result>
  /** Runs it in a fiber that ends with the activation. */
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}

export const makeDeliveryJobs = Effect.gen(function* () {
  const { send, sendPlain } = yield* makeSendPost
  const withRecord = yield* makeBodiesWithRecord
  const withholding = yield* makeWithheldRecordNotices
  const another = yield* makeReserveSecondPost
  const tracing = yield* References.TracerEnabled

  const inTrace = <A, E, R>(
    self: Effect.Effect<A, E, R>,
    { event_id, hook_id, traceparent, tries, type }: DeliveryRow
  ) =>
    caused(traceparent, `deliver ${type}`, {
      attributes: { "millrace.hook.id": hook_id, "millrace.event.id": event_id, "millrace.attempt": tries + 1 }
    })(self)

  /** Body of a delivery with its record. Notifies admins when the record begins to be left out. */
  const bodyOf = Effect.fnUntraced(function* ({ hook, payload }: DeliveryRow, app_id: number) {
    const { body, withheld } = yield* withRecord({ ...hook, app_id, payload })
    if ((withheld !== undefined) !== hook.record_withheld) yield* withholding(hook.hook_id, withheld)
    return body
  })

  const post = Effect.fnUntraced(function* (row: DeliveryRow, appId: number) {
    const id = deliveryId(row.hook_id, row.event_id)
    const { hook } = row
    const body = hook.sending?.include_record === true ? yield* bodyOf(row, appId) : row.payload
    const outcome = yield* send(hook, { id, body, again: another(appId, row.hook_id) })
    if (!outcome.ok) yield* Effect.annotateCurrentSpan("error.type", outcome.error)
    return outcome
  }, inTrace)

  /** True without a trace, to a hook without settings: by far the most common case. */
  const isPlain = ({ hook, traceparent }: DeliveryRow) => (!tracing || traceparent === null) && hook.sending === null

  return ({ appId, begins, ended, fork, submit }: Around) => {
    /**
     * Starts the POST: a plain one with a callback instead of a fiber, once the keys of its hook have been opened.
     * @returns a function that cancels it
     */
    const start = (row: DeliveryRow, done: (outcome: Exit.Exit<AttemptOutcome>) => void): (() => void) => {
      const id = deliveryId(row.hook_id, row.event_id)
      const stop = isPlain(row)
        ? sendPlain(row.hook, { id, body: row.payload }, (outcome) => done(Exit.succeed(outcome)))
        : undefined
      if (stop !== undefined) return stop
      const fiber = fork(Effect.map(Effect.exit(post(row, appId)), done))
      return () => fiber.interruptUnsafe()
    }

    return (row: DeliveryRow): Job<DeliveryRow> => ({
      rows: [row],
      run: Effect.callback<void, Fenced | SqlError>((resume) => {
        let posting = true
        let cancel: () => void = () => undefined
        const landed = () => {
          if (posting) ended(row)
          posting = false
        }
        const finish = (exit: Exit.Exit<AttemptOutcome>) => {
          landed()
          if (Exit.isFailure(exit)) return resume(exit)
          countAttempt(exit.value)
          cancel = submit({ row, outcome: exit.value }, resume)
        }
        begins(row)
        try {
          const stop = start(row, finish)
          if (posting) cancel = stop
        } catch (defect) {
          finish(Exit.die(defect))
        }
        return Effect.sync(() => {
          landed()
          cancel()
        })
      })
    })
  }
})
