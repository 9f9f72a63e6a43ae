// Work that outlasts a call, as tasks: runs of automations and replays of deliveries. A task's id is that of its work, so any process
// answers for it; it cannot be guessed, is its caller's alone, and its work is read with the caller's rights each time.
import { Clock, Effect } from "effect"
import { answerOf, failure, isSuccess } from "../call.ts"
import { createdOf, told, waitKeyOf } from "../followRun.ts"
import type { ToolContext } from "../ToolContext.ts"
import { isoOf, type LongTask, pollIntervalMs } from "./extension.ts"
import { replayOf } from "./replayTicket.ts"

/** Milliseconds that rows of `run_waits` outlast their run (domain/automations/durable/Reconcile.ts). */
const keptMillis = 3_600_000

const accepted = "The run is accepted."

interface Kind {
  /** `undefined` where there is no such task for this caller. */
  readonly read: (desk: ToolContext, id: string) => Effect.Effect<LongTask | undefined>
  readonly cancel: (desk: ToolContext, id: string) => Effect.Effect<void>
}

const runs: Kind = {
  read: Effect.fnUntraced(function* (desk, ticket) {
    const { api, caller, outcomes } = desk
    const key = waitKeyOf(caller.userId, ticket)
    const outcome = key === undefined ? undefined : yield* outcomes.look(key)
    if (outcome === undefined || outcome.type === "unknown") return undefined
    const created = createdOf(ticket)
    const nowMillis = yield* Clock.currentTimeMillis
    const base = {
      taskId: `run-${ticket}`,
      createdAt: new Date(created).toISOString(),
      lastUpdatedAt: new Date(created).toISOString(),
      ttlMs: nowMillis - created + keptMillis,
      pollIntervalMs
    }
    if (outcome.type === "open")
      return { ...base, status: "working", statusMessage: "Accepted; the run has not begun." }
    if (outcome.type === "refused") return { ...base, status: "completed", result: answerOf(told(outcome, accepted)) }
    const answer = yield* api.call(caller, { method: "GET", path: `/v1/automation-run/${outcome.runId}` })
    // A caller who may start runs but not read them is told the outcome, and no more.
    const run = isSuccess(answer) ? (answer.body as any).automation_run : undefined
    const taskState =
      run === undefined ? base : { ...base, lastUpdatedAt: isoOf(run.completed_at ?? run.started_at ?? run.created_at) }
    if (outcome.status === "cancelled")
      return { ...taskState, status: "cancelled", statusMessage: "The run was cancelled." }
    if (outcome.status === "completed" || outcome.status === "failed")
      return { ...taskState, status: "completed", result: answerOf(told(outcome, accepted)) }
    const waitState = run?.waiting
    const until = waitState?.until == null ? "" : ` until ${waitState.until}`
    const stepLabel = run?.present_step?.label ?? waitState?.label
    const statusMessage =
      waitState != null
        ? `Waits: ${waitState.why}${until}.`
        : stepLabel == null
          ? "It runs."
          : `It runs, at ${stepLabel}.`
    return { ...taskState, status: "working", statusMessage: `Run ${outcome.runId}. ${statusMessage}` }
  }),
  cancel: Effect.fnUntraced(function* ({ api, caller, outcomes }, ticket) {
    const key = waitKeyOf(caller.userId, ticket)
    const outcome = key === undefined ? undefined : yield* outcomes.look(key)
    if (outcome?.type === "run")
      yield* api.call(caller, { method: "POST", path: `/v1/automation-run/${outcome.runId}/cancel` })
  })
}

const replays: Kind = {
  read: Effect.fnUntraced(function* (desk, ticket) {
    const id = replayOf(desk, ticket)
    if (id === undefined) return undefined
    const answer = yield* desk.api.call(desk.caller, { method: "GET", path: `/v1/hook/replay/${id}` })
    if (!isSuccess(answer)) return undefined
    const replay = answer.body as any
    const base = {
      taskId: `replay-${ticket}`,
      createdAt: isoOf(replay.created_on),
      lastUpdatedAt: isoOf(replay.ended_on ?? replay.created_on),
      ttlMs: null,
      pollIntervalMs
    }
    switch (replay.state) {
      case "running":
        return {
          ...base,
          status: "working",
          statusMessage: `${replay.begun} of ${replay.replayed} begun, ${replay.waiting} not at their end.`
        }
      case "cancelled":
        return { ...base, status: "cancelled", statusMessage: `${replay.begun} of ${replay.replayed} were begun.` }
      case "stopped": {
        const why = failure("conflict_error", "The webhook lost its verification; what waited is withheld again.")
        return { ...base, status: "completed", result: why }
      }
      default:
        return { ...base, status: "completed", result: answerOf(replay) }
    }
  }),
  cancel: Effect.fnUntraced(function* (desk, ticket) {
    const id = replayOf(desk, ticket)
    if (id !== undefined) yield* desk.api.call(desk.caller, { method: "DELETE", path: `/v1/hook/replay/${id}` })
  })
}

export const taskKinds: Readonly<Record<string, Kind>> = { run: runs, replay: replays }
