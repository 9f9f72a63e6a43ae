// How runs of an app get their workflows: durable ones with their place, and of the plain ones some that have failed
// (design: automations as durable executions; developer-api.md 7.11 rules 5 and 7).
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { RunDriver } from "../durable/RunDriver.ts"
import { RunStarts } from "../durable/RunStarts.ts"
import { RunWorkflows, type StartedRun } from "../durable/RunWorkflows.ts"
import { type AwaitedBy, type Fire, wakeEvent } from "../model/fireCommand.ts"
import type { RunType } from "../model/RunScope.ts"
import { Credits, NO_CREDITS_MILLIS } from "../run/Credits.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
import { makeRunCalls } from "../run/runCalls.ts"
import { makeFailedRunsShown } from "./failedRunsShown.ts"
import type { InboxEvent } from "./inboxRows.ts"
import { type KnownOfRun, startFacts } from "./startFacts.ts"

/** When a workflow could not be started or woken, it is tried again after this. */
export const TRY_AGAIN_MILLIS = 2_000

/** Runs of an app that wait for their turn to be started: half of the rows in the air, so that commands and plain runs find room. */
const IN_LINE = 100
const LINE_FULL_MILLIS = 5_000
/** Up to here a run that has begun its delay gives its place back at once, beyond with its workflow: others find room in the line. */
const IN_LINE_WAITING = 50
/** Whether the activation ends. */
const LOOK_EVERY = "1 second"

interface Parts {
  readonly later: (row: InboxEvent, millis: number) => Effect.Effect<unknown, SqlError>
  readonly inLine: (row: InboxEvent) => Effect.Effect<unknown, SqlError>
  readonly remove: (row: InboxEvent) => Effect.Effect<unknown, SqlError>
}

/** Whether the run stands at a delay, or is in it: then it needs no place; null: neither. */
export type Delay = "stands" | "begun" | null

/** A run whose workflow is to be started. */
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
  const places = yield* RunPlaces
  const credits = yield* Credits
  const outbox = yield* Outbox
  const calls = makeRunCalls(sql)
  const { knownOf, noCredits, started } = startFacts(sql)

  /** For an activation. */
  return (
    { inLine, later, remove }: Parts,
    activation: Activation,
    app: { readonly app_id: number; readonly org_id: number }
  ) => {
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

    /** The workflow of a run that somebody waits for is a child of the caller's, which starts it. */
    const startBy = (caller: AwaitedBy, row: InboxEvent, runId: string) =>
      activation.commit(
        Effect.gen(function* () {
          yield* started(runId)
          yield* calls.startable(runId)
          yield* outbox.append([wakeEvent(caller)])
          yield* remove(row)
        })
      )

    const start = (row: InboxEvent, run: Placed) => {
      const { awaited } = row.event.payload as Partial<Fire>
      return awaited === undefined ? startAlone(row, run) : startBy(awaited, row, run.runId)
    }

    /** Who waits for its turn goes with the activation: the next one finds its row, and the run at its place. */
    const ends = Effect.as(
      Effect.repeat(activation.stopping, { until: (stopping) => stopping, schedule: Schedule.spaced(LOOK_EVERY) }),
      "ends" as const
    )

    /** Of a run that is over: one that has begun in its wait would look only when that ends. */
    const endWorkflow = (row: InboxEvent, runId: string) =>
      workflows
        .wake({ run_id: runId, automation_id: row.automation_id })
        .pipe(Effect.catchTag("TemporalFailed", (error) => Effect.logDebug("reconcile wakes it", error.message)))

    /** A wait that was ended while its workflow was being started is one that nobody has told its workflow of. */
    const settled = Effect.fnUntraced(function* (row: InboxEvent, runId: string, waits: boolean) {
      const gone = yield* activation.commit(Effect.tap(started(runId), () => remove(row)))
      if (waits && gone) yield* endWorkflow(row, runId)
    })

    let under = 0
    const startInTurn = Effect.fnUntraced(function* (row: InboxEvent, { delay, known, runId, type }: Placed) {
      // One whose process has died in it before is begun by its workflow.
      const asked = delay === null || row.claims > 1
      const begun = asked
        ? null
        : yield* delay === "begun" ? driver.firstWait.found(runId) : driver.firstWait.begin(runId)
      const giveBack = places.release(app.org_id, runId)
      let keeps = begun !== null
      if (keeps && under <= IN_LINE_WAITING) {
        yield* giveBack
        keeps = false
      }
      const run = identity(row, runId, known, type)
      // Not behind the start: its delay may be over by then, and the run back at its place.
      const start = Effect.fnUntraced(function* (asks: boolean) {
        if (keeps) keeps = yield* Effect.match(giveBack, { onFailure: () => true, onSuccess: () => false })
        yield* workflows.start(run, asks ? undefined : begun?.directive)
      })
      yield* Effect.raceFirst(starts.inTurn(app, runId, begun?.fence)(start), ends).pipe(
        Effect.matchEffect({
          onSuccess: (outcome) =>
            outcome === "ends"
              ? activation.commit(later(row, 0))
              : Effect.andThen(
                  settled(row, runId, delay !== null),
                  Effect.suspend(() => (keeps ? giveBack : Effect.void))
                ),
          onFailure: (error) =>
            Effect.logWarning("a run's workflow could not be started", { run_id: runId, reason: error.message }).pipe(
              // While Temporal is away the plain ones go on.
              Effect.andThen(places.release(app.org_id, runId)),
              Effect.andThen(activation.commit(later(row, TRY_AGAIN_MILLIS)))
            )
        })
      )
    })

    const startAlone = (row: InboxEvent, run: Placed) =>
      Effect.suspend(() => {
        if (under >= IN_LINE) return activation.commit(later(row, LINE_FULL_MILLIS))
        under++
        return Effect.ensuring(
          startInTurn(row, run),
          Effect.sync(() => void under--)
        )
      })

    /** A run that is there, and needs no place or has one. */
    const startUnasked = Effect.fnUntraced(function* (row: InboxEvent, run: Pick<Placed, "delay" | "type">) {
      return yield* start(row, { ...run, runId: row.run_id!, known: yield* knownOf(row.run_id!) })
    })

    /** A workflow costs far more than a row: a durable run waits for its place and for credits here, and gets its workflow with them. */
    const startPlaced = Effect.fnUntraced(function* (row: InboxEvent, run: Pick<Placed, "delay" | "type">) {
      const { org_id } = app
      if ((yield* credits.left(org_id)) <= 0) {
        return yield* activation.commit(Effect.andThen(noCredits(row.run_id!), later(row, NO_CREDITS_MILLIS)))
      }
      if (!(yield* places.ask(org_id, row.run_id!))) return yield* activation.commit(inLine(row))
      return yield* startUnasked(row, run)
    })

    const { failedMinutes, show } = makeFailedRunsShown((row, runId) =>
      Effect.flatMap(knownOf(runId), (known) => workflows.start(identity(row, runId, known, "regular")))
    )

    return { start, startPlaced, startUnasked, endWorkflow, show, failedMinutes }
  }
})

/** Of an activation. */
export type Starts = ReturnType<Effect.Success<typeof makeStarts>>
