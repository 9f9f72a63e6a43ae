// Starts the workflows of an app's runs: of durable ones as soon as they hold a slot, and of some plain ones that have failed (design:
// automations as durable executions; developer-api.md 7.11 rules 5 and 7).
import { Effect, Schedule } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { RunDriver } from "../durable/RunDriver.ts"
import { RunStarts } from "../durable/RunStarts.ts"
import { RunWorkflows, type StartedRun } from "../durable/RunWorkflows.ts"
import { type AwaitedBy, type Fire, wakeEvent } from "../model/fireCommand.ts"
import type { RunType } from "../model/RunScope.ts"
import { Credits, NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { makeRunCalls } from "../run/runCalls.ts"
import { makeFailedRunsInTemporal } from "./failedRunsInTemporal.ts"
import { type InboxEvent, makeRowReleases } from "./inboxRows.ts"
import { type KnownOfRun, startFacts } from "./startFacts.ts"

/** Milliseconds until the next attempt if a workflow could not be started or woken. */
export const TRY_AGAIN_MILLIS = 2_000

/** Runs of an app that wait for the start of their workflow: half of the rows in flight, so that commands and plain runs find room. */
const IN_LINE = 100
const LINE_FULL_MILLIS = 5_000
/**
 * Number of waiting starts up to which a run that has begun its delay releases its slot at once. Beyond it, the run keeps the slot until
 * its workflow starts, so that no further runs are called into the waiting starts.
 */
const IN_LINE_WAITING = 50
/** Interval of the check whether the activation ends. */
const LOOK_EVERY = "1 second"

/** Position of the run: before a delay (`stands`) or in it (`begun`), where it needs no slot; null: neither. */
type Delay = "stands" | "begun" | null

/** Run whose workflow is to be started. */
interface Placed {
  readonly runId: string
  readonly known: KnownOfRun
  readonly type: RunType
  readonly delay: Delay
}

export const makeStarts = Effect.gen(function* () {
  const sql = yield* Sql
  const driver = yield* RunDriver
  const workflows = yield* RunWorkflows
  const starts = yield* RunStarts
  const runSlots = yield* OrganizationSlots
  const credits = yield* Credits
  const outbox = yield* Outbox
  const calls = makeRunCalls(sql)
  const { inLine, later, remove } = makeRowReleases(sql)
  const { knownOf, noCredits, started } = startFacts(sql)

  /** Creates the starter of an activation. */
  return (activation: Activation, app: { readonly app_id: number; readonly org_id: number }) => {
    const identity = (row: InboxEvent, runId: string, known: KnownOfRun, type: RunType): StartedRun => ({
      ...app,
      run_id: runId,
      automation_id: row.automation_id,
      record_id: row.event.record_id,
      type,
      root_run_id: row.event.cause?.root_run_id ?? null,
      ...known,
      calledBy: row.event.cause
    })

    /**
     * Resolves when the activation ends. A start that still waits ends with it: the next activation finds the row, and the run keeps its
     * slot.
     */
    const activationEnd = Effect.as(
      Effect.repeat(activation.stopping, { until: (stopping) => stopping, schedule: Schedule.spaced(LOOK_EVERY) }),
      "ends" as const
    )

    /**
     * Lets the caller's workflow start the run's workflow as a child, since the caller waits for the run. Keeps the row until the run has
     * begun: it holds up the next run of its record (decisions A17). A row that is worked on alone is given back, since the command that wakes
     * the caller cannot be claimed beside it.
     */
    const startBy = Effect.fnUntraced(function* (caller: AwaitedBy, row: InboxEvent, runId: string) {
      yield* activation.commit(
        Effect.all([started(runId), calls.startable(runId), outbox.append([wakeEvent(caller)])], { discard: true })
      )
      const hasBegun =
        row.claims === 1 && (yield* Effect.raceFirst(starts.awaitBeginning(runId), activationEnd)) === true
      yield* activation.commit(hasBegun ? remove(row) : later(row, 0))
    })

    /** Wakes the workflow of a run that has ended: a workflow that began in a delay would notice the end only after it. */
    const endWorkflow = (row: InboxEvent, runId: string) =>
      workflows
        .wake({ run_id: runId, automation_id: row.automation_id })
        .pipe(Effect.catchTag("TemporalFailed", (error) => Effect.logDebug("reconcile wakes it", error.message)))

    /**
     * Removes the row after the start. If the wait ended while the workflow was being started, this wakes the workflow, which does not know
     * of it.
     */
    const removeStarted = Effect.fnUntraced(function* (row: InboxEvent, runId: string, waits: boolean) {
      const isRemoved = yield* activation.commit(Effect.tap(started(runId), () => remove(row)))
      if (waits && isRemoved) yield* endWorkflow(row, runId)
    })

    let startsInFlight = 0
    const startInTurn = Effect.fnUntraced(function* (row: InboxEvent, { delay, known, runId, type }: Placed) {
      // If a process died during this start before, the workflow begins the delay itself.
      const isLeftToWorkflow = delay === null || row.claims > 1
      const begunDelay = isLeftToWorkflow
        ? null
        : yield* delay === "begun" ? driver.firstWait.found(runId) : driver.firstWait.begin(runId)
      // A start whose answer was lost, now or before, may have created a workflow, which executes the run in this slot.
      const giveBack = runSlots.release(app.org_id, runId, begunDelay?.fence ?? known.fence)
      let keeps = begunDelay !== null
      if (keeps && startsInFlight <= IN_LINE_WAITING) {
        yield* giveBack
        keeps = false
      }
      const run = identity(row, runId, known, type)
      // Releases the slot before the start: after it, the delay may have ended and the run may hold a slot again.
      const start = Effect.fnUntraced(function* (asks: boolean) {
        if (keeps) keeps = yield* Effect.match(giveBack, { onFailure: () => true, onSuccess: () => false })
        yield* workflows.start(run, asks ? undefined : begunDelay?.directive)
      })
      yield* Effect.raceFirst(starts.inTurn(app, runId, begunDelay?.fence)(start), activationEnd).pipe(
        Effect.matchEffect({
          onSuccess: (outcome) =>
            outcome === "ends"
              ? activation.commit(later(row, 0))
              : Effect.andThen(
                  removeStarted(row, runId, delay !== null),
                  Effect.suspend(() => (keeps ? giveBack : Effect.void))
                ),
          onFailure: (error) =>
            Effect.logWarning("a run's workflow could not be started", { run_id: runId, reason: error.message }).pipe(
              // Releases the slot, so that plain runs continue while Temporal is away.
              Effect.andThen(giveBack),
              Effect.andThen(activation.commit(later(row, TRY_AGAIN_MILLIS)))
            )
        })
      )
    })

    const start = (row: InboxEvent, run: Placed) =>
      Effect.suspend(() => {
        if (startsInFlight >= IN_LINE) return activation.commit(later(row, LINE_FULL_MILLIS))
        startsInFlight++
        const { awaited } = row.event.payload as Partial<Fire>
        return Effect.ensuring(
          awaited === undefined ? startInTurn(row, run) : startBy(awaited, row, run.runId),
          Effect.sync(() => void startsInFlight--)
        )
      })

    /** Starts the workflow of an existing run that holds a slot or needs none. */
    const startUnasked = Effect.fnUntraced(function* (row: InboxEvent, run: Pick<Placed, "delay" | "type">) {
      return yield* start(row, { ...run, runId: row.run_id!, known: yield* knownOf(row.run_id!) })
    })

    /**
     * Starts the workflow once the run has credits and a slot. A workflow costs far more than a row, so a durable run waits for both here.
     */
    const startPlaced = Effect.fnUntraced(function* (row: InboxEvent, run: Pick<Placed, "delay" | "type">) {
      const { org_id } = app
      if ((yield* credits.left(org_id)) <= 0) {
        const waitForCredits = Effect.tap(noCredits(row.run_id!), (waiting) =>
          waiting ? later(row, NO_CREDITS_MILLIS) : Effect.void
        )
        if (yield* activation.commit(waitForCredits)) return
      }
      if (!(yield* runSlots.ask(org_id, row.run_id!))) return yield* activation.commit(inLine(row))
      return yield* startUnasked(row, run)
    })

    const { failedMinutes, show } = makeFailedRunsInTemporal((row, runId) =>
      Effect.flatMap(knownOf(runId), (known) => workflows.start(identity(row, runId, known, "regular")))
    )

    return { start, startPlaced, startUnasked, endWorkflow, show, failedMinutes }
  }
})

/** Starter of an activation. */
export type Starts = ReturnType<Effect.Success<typeof makeStarts>>
