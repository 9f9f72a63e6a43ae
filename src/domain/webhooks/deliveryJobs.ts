// The job of a claimed delivery: its POST, in the trace of the change that caused it, and its result with those that come at the same time.
import { Effect, Exit, References } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fenced, Job } from "../../engine/actors/ActorKind.ts"
import type { SubmitResult } from "../../engine/actors/batchedResults.ts"
import { submitted } from "../../platform/sql/batching.ts"
import { caused } from "../../platform/telemetry/traceContext.ts"
import { makeAnother } from "./anotherExecution.ts"
import { deliveryId } from "./Delivery.ts"
import { countAttempt } from "./deliveryMetrics.ts"
import type { DeliveryRow } from "./mailboxRows.ts"
import { makeOutgoing } from "./outgoing.ts"
import { makeRecordBodies } from "./recordBodies.ts"
import { makeRecordWithholding } from "./recordWithholding.ts"
import type { Result } from "./verdict.ts"

type ResultWritten = Effect.Effect<void, Fenced | SqlError>

interface Around {
  readonly appId: number
  readonly begins: (row: DeliveryRow) => void
  /** Its POST has ended, whatever came of it. */
  readonly ended: (row: DeliveryRow) => void
  readonly submit: SubmitResult<Result>
  readonly fork: (effect: Effect.Effect<void>) => void
}

export const makeDeliveryJobs = Effect.gen(function* () {
  const { send, sendPlain } = yield* makeOutgoing
  const withRecord = yield* makeRecordBodies
  const withholding = yield* makeRecordWithholding
  const another = yield* makeAnother
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
    countAttempt(outcome)
    if (!outcome.ok) yield* Effect.annotateCurrentSpan("error.type", outcome.error)
    return outcome
  }, inTrace)

  return ({ appId, begins, ended, fork, submit }: Around) => {
    const writeResult = submitted(submit)

    const inSteps = (row: DeliveryRow): ResultWritten =>
      Effect.suspend(() => {
        begins(row)
        return Effect.ensuring(
          post(row, appId),
          Effect.sync(() => ended(row))
        )
      }).pipe(Effect.flatMap((outcome) => writeResult({ row, outcome })))

    /**
     * Sends a delivery without a trace to a hook without settings, by far the most common case: two callbacks instead of fibers that wait
     * for each other.
     * @param goOn called once with the next effect to run; finally with an exit
     * @returns a function that cancels it
     */
    const begin = (row: DeliveryRow, goOn: (next: ResultWritten) => void): (() => void) => {
      let posting = true
      let giveUp: () => void = () => undefined
      const landed = () => {
        if (posting) ended(row)
        posting = false
      }
      begins(row)
      try {
        const post = { id: deliveryId(row.hook_id, row.event_id), body: row.payload }
        const stop = sendPlain(row.hook, post, (outcome) => {
          landed()
          countAttempt(outcome)
          giveUp = submit({ row, outcome }, goOn)
        })
        if (stop === undefined) {
          landed()
          goOn(inSteps(row))
        } else if (posting) giveUp = stop
      } catch (defect) {
        landed()
        goOn(Exit.die(defect))
      }
      return () => {
        landed()
        giveUp()
      }
    }

    /** Runs all of them in one fiber, and one more for whichever writes results: `fork` ends them with the activation. */
    const inOneFiber = (rows: ReadonlyArray<DeliveryRow>): ResultWritten =>
      Effect.callback((resume) => {
        let pendingCount = rows.length
        let worst: Exit.Exit<void, Fenced | SqlError> = Exit.void
        const finishRow = (exit: typeof worst) => {
          if (Exit.isFailure(exit)) worst = exit
          pendingCount--
          if (pendingCount === 0) resume(worst)
        }
        const goOn = (next: ResultWritten): void => {
          if (Exit.isExit(next)) finishRow(next as typeof worst)
          else fork(Effect.map(Effect.exit(next), finishRow))
        }
        const cancellations = rows.map((row) => begin(row, goOn))
        return Effect.sync(() => {
          for (const giveUp of cancellations) giveUp()
        })
      })

    const isPlain = ({ hook, traceparent }: DeliveryRow) => (!tracing || traceparent === null) && hook.sending === null

    const job = (row: DeliveryRow): Job<DeliveryRow> => ({
      rows: [row],
      run: isPlain(row) ? inOneFiber([row]) : inSteps(row)
    })

    return {
      job,
      /** Jobs for rows that take no slots. */
      jobs: (rows: ReadonlyArray<DeliveryRow>): ReadonlyArray<Job<DeliveryRow>> => {
        const plainRows = rows.filter(isPlain)
        const otherJobs = rows.filter((row) => !isPlain(row)).map((row) => ({ ...job(row), slots: 0 as const }))
        return plainRows.length === 0
          ? otherJobs
          : [{ rows: plainRows, slots: 0, run: inOneFiber(plainRows) }, ...otherJobs]
      }
    }
  }
})
