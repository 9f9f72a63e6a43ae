// Workflow of a run: segments of database steps, timers, outside steps (design: automations as durable executions). It follows directives;
// the run's state is in its row, so that a reset repeats no finished step.
import { ApplicationFailureCategory } from "@temporalio/common"
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  ParentClosePolicy,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  startChild,
  upsertSearchAttributes,
  workflowInfo
} from "@temporalio/workflow"
import type { OutsideActivities, SegmentActivities } from "../activities/runs.ts"
import { interventionDetails } from "../src/engine/temporal/interventions.ts"
import {
  type CalledRun,
  type RunDirective,
  type RunInput,
  RunStatus,
  STEP_FAILED,
  typedAttributes,
  wakeRun
} from "../src/engine/temporal/messages.ts"
import { HEARTBEAT_TIMEOUT } from "./heartbeats.ts"

/** Failure type of a worker that has no activity of that name; retries would never end. */
const UNKNOWN_ACTIVITY = "NotFoundError"
const isUnknownActivity = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === UNKNOWN_ACTIVITY

/**
 * Reads the answer of a step that failed as its definition lets it. The activity fails with that answer, so that operators see it among the
 * failed ones.
 */
const failedStep = (error: unknown): { readonly next: RunDirective | null } | null => {
  if (!(error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)) return null
  const { details, type } = error.cause
  return type === STEP_FAILED ? { next: (details?.[0] as RunDirective | null | undefined) ?? null } : null
}

/** Outside steps have time-outs of their own; the largest are a script's 60 s and 1000 mails. */
const OUTSIDE_TIMEOUT = "15 minutes"
const EVENTS_AT_MOST = 2_000
const LOOK_AGAIN = "30 seconds"

export async function automationRun({ first, ...input }: RunInput): Promise<{ readonly status: string }> {
  const { historyAtMost = EVENTS_AT_MOST } = input
  let woken = false
  setHandler(wakeRun, () => {
    woken = true
  })
  const { cancelRun, executeSegment, runIsOver } = proxyActivities<SegmentActivities>({
    startToCloseTimeout: "15 minutes",
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    retry: { initialInterval: "1 second", backoffCoefficient: 1.5, maximumInterval: "30 seconds" }
  })
  const outside = proxyActivities<OutsideActivities>({
    taskQueue: input.outsideQueue,
    startToCloseTimeout: OUTSIDE_TIMEOUT,
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    retry: {
      initialInterval: "1 second",
      backoffCoefficient: 2,
      maximumInterval: "1 minute",
      nonRetryableErrorTypes: [UNKNOWN_ACTIVITY]
    }
  })

  /**
   * Runs an outside step; returns the next directive if what follows the step took but a moment: half of the history, and of the time, in a
   * loop.
   */
  const begin = async ({
    action,
    iteration,
    label,
    org,
    path,
    retries
  }: RunDirective & { readonly type: "outside" }) => {
    try {
      const summary = label.slice(0, 200)
      const step = outside[action as keyof OutsideActivities]
      // Asks workers to fail the activity of a failed step only in new histories: a worker of an earlier release would take such a failure
      // for the run's.
      const tell = patched("failed-steps-fail")
      const executeStep = () => step.executeWithOptions({ summary }, [input.runId, path, [...iteration], org, tell])
      return await (retries === true ? unlessOver(executeStep) : executeStep())
    } catch (error) {
      const failed = failedStep(error)
      if (failed !== null) return failed.next
      // Fails the step as any other does; the run goes on if its definition says so.
      if (isUnknownActivity(error)) return executeSegment(input.runId, { action, path, iteration })
      throw error
    }
  }

  /** Runs a step whose attempts Temporal makes; if the run ends between two of them it does not wait for the next. */
  const unlessOver = async (step: () => Promise<RunDirective | null>): Promise<RunDirective | null> => {
    const scope = new CancellationScope()
    const attempts = scope.run(step)
    let isSettled = false
    const markSettled = () => {
      isSettled = true
    }
    attempts.then(markSettled, markSettled)
    for (;;) {
      await condition(() => isSettled || woken)
      if (isSettled) return attempts
      woken = false
      if (!(await runIsOver(input.runId))) continue
      scope.cancel()
      // Ignores the outcome: the run's row says how it ended.
      return attempts.catch(() => null)
    }
  }

  /** Called runs that are waited for: begun by this execution, and the number of those that are not over. */
  const begunRuns = new Set<string>()
  let openChildren = 0
  const childOver = () => {
    openChildren -= 1
  }
  /** Starts called runs and waits. A child's end is in its run's row; one that another execution has begun is polled for. */
  const awaitCalled = async (start: ReadonlyArray<CalledRun>) => {
    const newRuns = start.filter(({ runId }) => !begunRuns.has(runId))
    for (const { attributes, automationId, memo, runId, summary, workflowId } of newRuns) {
      begunRuns.add(runId)
      openChildren += 1
      startChild<typeof automationRun>("automationRun", {
        workflowId,
        args: [{ ...input, runId, automationId }],
        parentClosePolicy: ParentClosePolicy.ABANDON,
        workflowIdReusePolicy: "REJECT_DUPLICATE",
        ...(memo === undefined ? {} : { memo }),
        staticSummary: summary,
        staticDetails: interventionDetails("automationRun"),
        typedSearchAttributes: typedAttributes(attributes)
      })
        .then((child) => child.result())
        .then(childOver, childOver)
    }
    if (openChildren > 0) await condition(() => woken || openChildren === 0)
    else await condition(() => woken, LOOK_AGAIN, { summary: "Waits for called runs" })
  }

  const follow = async (): Promise<RunDirective & { readonly type: "done" }> => {
    let next: RunDirective | null = first ?? null
    for (;;) {
      if (next === null) {
        woken = false
        next = await executeSegment(input.runId)
      }
      const directive: RunDirective = next
      next = null
      setCurrentDetails(directive.details)
      switch (directive.type) {
        case "done":
          return directive
        case "wait":
          if (!woken) {
            const millis = Math.max(1, directive.until - Date.now())
            await condition(() => woken, millis, { summary: directive.why.slice(0, 200) })
          }
          break
        case "called":
          if (!woken) await awaitCalled(directive.start)
          break
        case "outside":
          woken = false
          next = (await begin(directive)) ?? null
      }
      const { continueAsNewSuggested, historyLength } = workflowInfo()
      // Continues as new only without children, since the execution that has begun them waits for them.
      if (openChildren === 0 && (continueAsNewSuggested || historyLength > historyAtMost))
        await continueAsNew<typeof automationRun>(input)
    }
  }

  try {
    const { error, reason, status } = await follow()
    upsertSearchAttributes([{ key: RunStatus, value: status }])
    // Fails the workflow, so that operators find it among the failed ones, with the readable cause. It is a tenant's failure and none of
    // the service.
    if (status === "failed")
      throw ApplicationFailure.create({
        message: error ?? "The run failed.",
        type: reason ?? "failed",
        nonRetryable: true,
        category: ApplicationFailureCategory.BENIGN
      })
    return { status }
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ActivityFailure && isCancellation(error.cause))) throw error
    await CancellationScope.nonCancellable(() => cancelRun(input.runId))
    throw error
  }
}
