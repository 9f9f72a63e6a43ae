// Calls that wait for their results (developer-api.md 7.13 `wait_for_result`). The run stands at the step, without a slot, until the called
// runs have ended. It then takes over their variables; if one of them failed, the step fails.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Change, Committer, NotCommitted } from "../commit/Committer.ts"
import { after, iterationKey } from "../model/Plan.ts"
import { StepFailed, type StepOutcome } from "../model/Step.ts"
import type { RunContext, RunStep } from "../run/RunContext.ts"
import type { Next } from "../run/RunRow.ts"
import { RunStore } from "../run/RunStore.ts"
import { isOpen, makeRunCalls, type RunCall } from "../run/runCalls.ts"
import type { VariableRow } from "../run/runData.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { newStepOutput, onlyLog } from "../run/StepOutput.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"
import type { Wait } from "../run/waitReasons.ts"
import type { LeafRuntime } from "./leafStep.ts"

export const waitsForCalled: Wait = { why: "called_run", until: null }

const noRun: Readonly<Record<string, string>> = {
  inactive: "the called automation is not active",
  other_trigger: "the called automation has another trigger",
  gone: "the called automation or its record is gone",
  too_deep: "the chain of automations is too long",
  set_aside: "what should have begun it ended the process ten times"
}

const failureOf = ({ called_run_id, error_message, refused, status }: RunCall): string | null => {
  // A mismatch of the target's filter or trigger means that there is nothing to do.
  if (refused === "mismatch" || status === "completed") return null
  if (refused !== null) return `No run was called: ${noRun[refused] ?? refused}.`
  if (status === null) return `The called run ${called_run_id} is gone.`
  return status === "failed"
    ? `The called run ${called_run_id} failed: ${error_message ?? "without a cause"}`
    : `The called run ${called_run_id} was cancelled${error_message === null ? "." : `: ${error_message}`}`
}

const keyOf = ({ custom_type, label }: VariableRow) => `${custom_type} ${label}`

export const makeCalls = Effect.gen(function* () {
  const store = yield* RunStore
  const calls = makeRunCalls(yield* Sql)
  const placeOf = ({ context, cursor, node }: RunStep) => ({
    run_id: context.run.run_id,
    path: node.path,
    iteration: iterationKey(cursor.iteration)
  })

  /** Returns the called runs that are ready to start, or null if the step waits for no run. */
  const waitsFor = Effect.fnUntraced(function* (step: RunStep) {
    const callPlace = placeOf(step)
    return (yield* calls.of(callPlace)).some(isOpen) ? yield* calls.ready(callPlace) : null
  })

  /**
   * Returns the results of the calls of a step: variables, error messages of the failed runs, notes, and the ids of the runs that the calls
   * started. @param many true: lists in the order of the records, else the values themselves
   */
  const results = Effect.fnUntraced(function* (step: RunStep, many: boolean) {
    const runCalls = yield* calls.of(placeOf(step))
    const values = yield* Effect.forEach(runCalls, ({ called_run_id, status }) =>
      called_run_id === null || status !== "completed" ? Effect.succeed([]) : store.variables(called_run_id)
    )
    const defs = new Map(values.flat().map((row) => [keyOf(row), row]))
    const variables = [...defs].map(([key, def]): VariableRow => {
      const each = values.map((rows) => rows.findLast((row) => keyOf(row) === key)?.value ?? null)
      return { ...def, value: many ? each : (each[0] ?? null) }
    })
    const failures = runCalls.flatMap((call) => {
      const failure = failureOf(call)
      return failure === null ? [] : [many ? `Record ${call.record_id}: ${failure}` : failure]
    })
    const filtered = runCalls.filter(({ refused }) => refused === "mismatch").length
    // The target's trigger may restrict the apps from which it is called, which counts as a mismatch although it is no filter.
    const why = "the target's filter, or the apps that may call it, do not match"
    const notes = filtered === 0 ? [] : [`${filtered} of ${runCalls.length} calls made no run: ${why}.`]
    return { variables, failures, notes, runs: runCalls.flatMap(({ called_run_id }) => called_run_id ?? []) }
  })

  /** Returns the variables that a failed call declares nevertheless. */
  const declared = (step: RunStep) => calls.declared(placeOf(step))

  /** Takes over the files of the called runs, in the transaction that takes over their variables. */
  const holdFiles = ({ run }: RunContext, runs: ReadonlyArray<string>) => calls.holdFilesOf(run.run_id, runs)

  /** Makes the call or, once the called run has ended, continues with its result. */
  const callOne = Effect.fnUntraced(function* (
    { act, fail }: Committer,
    runStep: RunStep,
    runtime: LeafRuntime
  ): Effect.fn.Return<Next, NotCommitted> {
    const { context, cursor, node } = runStep
    const startedAt = yield* Clock.currentTimeMillis
    const called = (yield* calls.of(placeOf(runStep))).length > 0
    const { gathered, step } = yield* context.begin(node, cursor.iteration, startedAt)
    const failed = (error: StepFailed, credits: number) =>
      Effect.flatMap(declared(runStep), (defs) =>
        fail(runStep, error, onlyLog(gathered), { startedAt, credits, declared: defs })
      )
    const commit = (change: Effect.Effect<Change, StepFailed | SqlError>, next: Next, credits: number) =>
      Effect.as(act({ context, record: null, act: change }), next).pipe(onStepFailed((error) => failed(error, credits)))
    if (!called) {
      const begin = guarded(runtime.run(step) as Effect.Effect<StepOutcome, StepFailed | SqlError>).pipe(
        Effect.map((): Change => {
          gathered.messages.push({ message: "Waits for the called run.", level: "info" })
          return {
            cursor,
            ledger: ledgerOf(runStep, "started"),
            logs: [logOf(runStep, "in_progress", gathered)],
            credits: 1,
            waits: waitsForCalled,
            gathered
          }
        })
      )
      return yield* commit(begin, cursor, 1)
    }
    const { failures, notes, runs, variables } = yield* results(runStep, false)
    step.log.output("called_run_id", runs[0] ?? null)
    for (const note of notes) step.log.add("warn", note)
    if (failures.length > 0) return yield* failed(new StepFailed({ message: failures[0]! }), 0)
    for (const { label, value } of variables) step.log.output(label, value)
    const next = after(node, cursor.iteration)
    const change: Change = {
      cursor: next,
      ledger: ledgerOf(runStep, "done"),
      logs: [logOf(runStep, "success", gathered)],
      gathered: { ...newStepOutput(), variables: [...variables] }
    }
    return yield* commit(Effect.as(holdFiles(context, runs), change), next, 0)
  })

  return { waitsFor, results, declared, holdFiles, one: callOne }
})
export type AwaitedCalls = Effect.Success<typeof makeCalls>
