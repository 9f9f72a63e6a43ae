// Operator commands for runs of automations, and one round of `reconcile` (developer-api.md 7.11; docs/operations.md).
// Cancel and retry are written to the database and carried out by the workers.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Runs } from "../automations/runs/Runs.ts"
import { failWith, json, print } from "./output.ts"

const runId = Argument.String("run_id")
const statuses = ["pending", "running", "completed", "failed", "cancelled"] as const

const list = Command.make(
  "list",
  {
    app: Flag.Int("app").pipe(Flag.optional),
    automation: Flag.Int("automation").pipe(Flag.withDescription("Shows simulations too"), Flag.optional),
    status: Flag.Literals("status", statuses).pipe(Flag.optional),
    limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 500"), Flag.withDefault(50)),
    json
  },
  ({ app, automation, json, limit, status }) =>
    Effect.gen(function* () {
      if (limit < 1 || limit > 500) return yield* failWith({ message: "--limit: expected 1 to 500." })
      const runs = yield* Runs
      const within = Option.match(automation, {
        onNone: () => ({ kind: "all" as const }),
        onSome: (id) => ({ kind: "automation" as const, id })
      })
      const filters = {
        ...(Option.isSome(app) ? { app_ids: [app.value] } : {}),
        ...(Option.isSome(status) ? { status: status.value } : {})
      }
      const { automation_runs } = yield* runs.page("operator", within, filters, limit)
      yield* print(
        json,
        json
          ? [...automation_runs]
          : automation_runs.map((run) => ({
              id: run.id,
              automation: `${run.automation_id} ${run.automation_name}`,
              app_id: run.app_id,
              record_id: run.triggered_on_record_id,
              type: run.type,
              status: run.status,
              created_at: run.created_at,
              completed_at: run.completed_at,
              failure_reason: run.failure_reason
            }))
      )
    })
).pipe(Command.withDescription("List the newest runs"))

const show = Command.make("show", { runId, json }, ({ json, runId }) =>
  Effect.gen(function* () {
    const { logs, ...run } = yield* Runs.use((runs) => runs.get("operator", runId))
    if (json) return yield* print(true, { ...run, logs })
    yield* print(false, run)
    yield* print(
      false,
      logs.map((log) => ({
        logged_at: log.logged_at,
        step: log.label,
        status: log.status,
        messages: log.messages.map(({ message }) => message).join(" | ")
      }))
    )
  })
).pipe(Command.withDescription("Show one run with its log"))

const cancel = Command.make("cancel", { runId, json }, ({ json, runId }) =>
  Effect.flatMap(
    Runs.use((runs) => runs.cancel("operator", runId)),
    ({ id, status }) => print(json, { id, status })
  )
).pipe(Command.withDescription("Cancel a run: at once when it waits, else before its next step"))

const retry = Command.make(
  "retry",
  {
    runId,
    from: Flag.Literals("from", ["start", "failed_step"]).pipe(Flag.withDefault("start" as const)),
    definition: Flag.Literals("definition", ["current", "original"]).pipe(Flag.optional),
    json
  },
  ({ definition, from, json, runId }) =>
    Effect.gen(function* () {
      const body = { from, ...(Option.isSome(definition) ? { definition: definition.value } : {}) }
      yield* Runs.use((runs) => runs.retry("operator", runId, body))
      yield* print(json, { retry_of_run_id: runId, accepted: true })
    })
).pipe(Command.withDescription("Run a failed or cancelled run again"))

const reconcile = Command.make("reconcile", { json }, ({ json }) =>
  Effect.promise(() => import("./reconcile.ts")).pipe(
    Effect.flatMap(({ reconcileNow }) => reconcileNow),
    Effect.flatMap((done) => print(json, done))
  )
).pipe(Command.withDescription("Bring Temporal in step with the database: schedules, missed instants, runs"))

export const runCommands = [
  Command.make("run").pipe(
    Command.withDescription("Runs of automations"),
    Command.withSubcommands([list, show, cancel, retry])
  ),
  reconcile
]
