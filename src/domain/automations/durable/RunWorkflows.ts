// Starts and wakes the workflows of runs. Only background fibers of a worker may call it: a call to an absent Temporal hangs.
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/common"
import { Context, Effect, Layer, Schema } from "effect"
import { Epoch, type EpochName, prefixOf } from "../../../engine/temporal/Epoch.ts"
import { interventionDetails } from "../../../engine/temporal/interventions.ts"
import * as messages from "../../../engine/temporal/messages.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { ActorTuning } from "../../../platform/config/Tuning.ts"
import { part } from "../../../platform/telemetry/traceContext.ts"
import { RunType } from "../model/RunScope.ts"
import { RunIdentity, runWorkflowId } from "../run/runWorkflowId.ts"

export const StartedRun = Schema.Struct({
  ...RunIdentity.fields,
  org_id: Schema.Int,
  app_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  type: RunType,
  /** Run with which the chain began; null: this one. */
  root_run_id: Schema.NullOr(Schema.String),
  /** Summary for people: automation, trigger, record. */
  summary: Schema.String,
  /** Time at which the run was created. It tells runs with the same id apart, which different histories of the database may hold. */
  filtering_on: Schema.NullOr(Schema.Date),
  /** Run that caused this one. */
  calledBy: Schema.optionalKey(Schema.NullOr(RunIdentity))
})
export type StartedRun = typeof StartedRun.Type

/** Workflow type as the Temporal UI shows it. */
export const RUN_WORKFLOW = "automationRun"

export const attributesOf = (run: StartedRun): messages.RunAttributes => ({
  Organization: String(run.org_id),
  App: String(run.app_id),
  Automation: String(run.automation_id),
  ...(run.record_id === null ? {} : { RecordId: String(run.record_id) }),
  RunType: run.type,
  Chain: run.root_run_id ?? run.run_id,
  RunStatus: "running",
  About: messages.aboutOf(run.summary)
})

/** Details for operators: the run that caused this one, and the possible interventions. */
const detailsOf = ({ calledBy }: StartedRun, epoch: EpochName): string => {
  const caused = calledBy == null ? "" : `Caused by \`${prefixOf(epoch)}${runWorkflowId(calledBy)}\`.\n\n`
  return `${caused}${interventionDetails(RUN_WORKFLOW)}`
}

/** Memo of the workflow, which `reconcile` reads in every listing. */
export const memoOf = ({ filtering_on }: Pick<StartedRun, "filtering_on">) =>
  filtering_on === null ? {} : { cameAbout: filtering_on.toISOString() }

export class RunWorkflows extends Context.Service<
  RunWorkflows,
  {
    /** Starts the workflow; one that is already started counts as a success. @param first directive that the workflow follows first */
    readonly start: (run: StartedRun, first?: messages.RunDirective) => Effect.Effect<void, TemporalFailed>
    /** Wakes the run's workflow: a slot is free, or a cancellation is requested. Without a workflow there is nothing to wake. */
    readonly wake: (run: RunIdentity) => Effect.Effect<void, TemporalFailed>
  }
>()("millrace/automations/durable/RunWorkflows") {
  static readonly layer = Layer.effect(
    RunWorkflows,
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const epoch = yield* Epoch
      const { historyAtMost } = yield* ActorTuning
      const tolerate =
        (known: new (...args: Array<any>) => Error) =>
        <A>(self: Effect.Effect<A, TemporalFailed>) =>
          Effect.catchIf(
            self,
            (error) => error.cause instanceof known,
            () => Effect.void
          ).pipe(Effect.asVoid)
      const inputOf = ({ automation_id, run_id }: RunIdentity): messages.RunInput => ({
        runId: run_id,
        automationId: automation_id,
        outsideQueue: temporal.settings.queues.outside,
        historyAtMost
      })
      const start = Effect.fnUntraced(
        function* (run: StartedRun, first?: messages.RunDirective) {
          const currentEpoch = yield* epoch.current
          yield* temporal.call((client) =>
            client.workflow.start(RUN_WORKFLOW, {
              workflowId: prefixOf(currentEpoch) + runWorkflowId(run),
              taskQueue: temporal.settings.queues.actors,
              args: [first === undefined ? inputOf(run) : { ...inputOf(run), first }],
              workflowIdReusePolicy: "REJECT_DUPLICATE",
              workflowIdConflictPolicy: "USE_EXISTING",
              memo: memoOf(run),
              staticSummary: run.summary.slice(0, 200),
              staticDetails: detailsOf(run, currentEpoch),
              typedSearchAttributes: messages.typedAttributes(attributesOf(run))
            })
          )
        },
        part(`start ${RUN_WORKFLOW}`, {}, "client")
      )
      const wake = Effect.fnUntraced(function* (run: RunIdentity) {
        const workflowId = yield* epoch.id(runWorkflowId(run))
        yield* temporal.call((client) => client.workflow.getHandle(workflowId).signal(messages.wakeRun))
      })
      return RunWorkflows.of({
        start: (run, first) => tolerate(WorkflowExecutionAlreadyStartedError)(start(run, first)),
        wake: (run) => tolerate(WorkflowNotFoundError)(wake(run))
      })
    })
  )
}
