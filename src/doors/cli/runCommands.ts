// Operator commands for runs of automations, and one round of `reconcile` (developer-api.md 7.11; docs/operations.md).
// Cancel and retry are written to the database and carried out by the workers.
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { RunDiffs } from "../../domain/automations/requests/RunDiffs.ts"
import { Runs } from "../../domain/automations/requests/Runs.ts"
import { waitReasons } from "../../domain/automations/run/waiting.ts"
import { failWith, instant, json, print } from "./output.ts"
import { chainOf, storyOf, whyOf } from "./runStory.ts"

const runId = Argument.String("run_id")
const statuses = ["pending", "running", "completed", "failed", "cancelled"] as const

/** Deeper links are not moved further in. */
const CHAIN_DEPTH = 10

const isRunId = (text: string) => /^[1-9]\d{0,17}$/.test(text)

const list = Command.make(
  "list",
  {
    org: Flag.Int("org").pipe(Flag.withDescription("Of an organization"), Flag.optional),
    workspace: Flag.Int("workspace").pipe(Flag.withDescription("Of a workspace"), Flag.optional),
    app: Flag.Int("app").pipe(Flag.withDescription("Of an app"), Flag.optional),
    automation: Flag.Int("automation").pipe(
      Flag.withDescription("Of an automation; shows simulations too"),
      Flag.optional
    ),
    status: Flag.Literals("status", statuses).pipe(Flag.optional),
    since: Flag.String("since").pipe(Flag.withDescription("Created at this time (UTC) or later; today"), Flag.optional),
    until: Flag.String("until").pipe(Flag.withDescription("Created at this time (UTC) or before"), Flag.optional),
    record: Flag.Int("record").pipe(Flag.withDescription("Of a record"), Flag.optional),
    causedBy: Flag.String("caused-by").pipe(Flag.withDescription("Caused by the run of this run_id"), Flag.optional),
    chain: Flag.String("chain").pipe(
      Flag.withDescription("Of the chain that began with the run of this run_id"),
      Flag.optional
    ),
    error: Flag.String("error").pipe(Flag.withDescription("With this text in the error message"), Flag.optional),
    waiting: Flag.Literals("waiting", waitReasons).pipe(
      Flag.withDescription("Only runs that wait for this reason"),
      Flag.optional
    ),
    before: Flag.String("before").pipe(
      Flag.withDescription("Only runs older than this run_id: the next page"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 500"), Flag.withDefault(50)),
    json
  },
  ({
    app,
    automation,
    before,
    causedBy,
    chain,
    error,
    json,
    limit,
    org,
    record,
    since,
    status,
    until,
    waiting,
    workspace
  }) =>
    Effect.gen(function* () {
      for (const [name, given] of Object.entries({ before, "caused-by": causedBy, chain })) {
        if (Option.isSome(given) && !isRunId(given.value)) {
          return yield* failWith({ message: `--${name}: expected a run_id.` })
        }
      }
      if (limit < 1 || limit > 500) return yield* failWith({ message: "--limit: expected 1 to 500." })
      const runs = yield* Runs
      const runSelection = Option.match(automation, {
        onNone: () => ({ kind: "all" as const }),
        onSome: (id) => ({ kind: "automation" as const, id })
      })
      const filters = {
        ...(Option.isSome(org) ? { org_id: org.value } : {}),
        ...(Option.isSome(workspace) ? { workspace_ids: [workspace.value] } : {}),
        ...(Option.isSome(app) ? { app_ids: [app.value] } : {}),
        ...(Option.isSome(since) ? { from: (yield* instant(since.value)).toISOString() } : {}),
        ...(Option.isSome(until) ? { to: (yield* instant(until.value)).toISOString() } : {}),
        ...(Option.isSome(before) ? { before: before.value } : {}),
        ...(Option.isSome(status) ? { status: status.value } : {}),
        ...(Option.isSome(record) ? { record_ids: [record.value] } : {}),
        ...(Option.isSome(causedBy) ? { caused_by_run_ids: [causedBy.value] } : {}),
        ...(Option.isSome(chain) ? { chain_run_ids: [chain.value] } : {}),
        ...(Option.isSome(error) ? { error_contains: error.value } : {}),
        ...(Option.isSome(waiting) ? { waiting: [waiting.value] } : {})
      }
      const { automation_runs } = yield* runs.page("operator", runSelection, filters, limit)
      yield* print(
        json,
        json
          ? [...automation_runs]
          : automation_runs.map((run) => ({
              id: run.id,
              automation: `${run.automation_id} ${run.automation_name}`,
              app: run.app_id,
              record: run.triggered_on_record_id,
              type: run.type,
              status: run.status,
              created_at: run.created_at,
              why: whyOf(run)
            }))
      )
    })
).pipe(Command.withDescription("List runs, newest first"))

const show = Command.make("show", { runId, json }, ({ json, runId }) =>
  Effect.gen(function* () {
    const { answers, run } = yield* storyOf(runId)
    if (json) return yield* print(true, { ...run, answers })
    yield* print(false, Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== null)))
    yield* Console.log("")
    yield* print(
      false,
      run.logs.map((log) => ({
        logged_at: log.logged_at,
        step: log.label,
        status: log.status,
        ms: log.detail?.["duration_ms"],
        attempts: log.detail?.["attempts"],
        messages: log.messages.map(({ message }) => message).join(" | ")
      }))
    )
  })
).pipe(
  Command.withDescription(
    "One run: what failed and why, what it waits for, who started it, on which record, what a cancel does; and its log"
  )
)

const chain = Command.make(
  "chain",
  { runId, limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 500"), Flag.withDefault(500)), json },
  ({ json, limit, runId }) =>
    Effect.gen(function* () {
      if (limit < 1 || limit > 500) return yield* failWith({ message: "--limit: expected 1 to 500." })
      const { shown, total } = yield* chainOf(runId, limit)
      if (json)
        return yield* print(true, { total, automation_runs: shown.map(({ depth, run }) => ({ depth, ...run })) })
      yield* print(
        false,
        shown.map(({ depth, run }) => ({
          run: `${"  ".repeat(Math.min(depth, CHAIN_DEPTH))}${run.id}`,
          automation: `${run.automation_id} ${run.automation_name}`,
          record: run.triggered_on_record_id,
          status: run.status,
          created_at: run.created_at,
          why: whyOf(run)
        }))
      )
      if (shown.length < total) yield* Console.log(`${total - shown.length} older runs of the chain are not shown.`)
    })
).pipe(Command.withDescription("The chain that a run belongs to: each run below the one that caused it"))

const diff = Command.make("diff", { runId, other: Argument.String("other_run_id"), json }, ({ json, other, runId }) =>
  Effect.gen(function* () {
    const differences = yield* RunDiffs.use((diffs) => diffs.of("operator", runId, other))
    yield* print(
      json,
      json
        ? differences
        : differences.map(({ after, before, execution, kind, label }) => ({
            kind,
            step: execution === 1 ? label : `${label}, ${execution}`,
            before: before?.inputs,
            after: after?.inputs
          }))
    )
  })
).pipe(Command.withDescription("Compare what two runs of one automation have written, or would have"))

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
    from: Flag.Literals("from", ["start", "failed_step"]).pipe(
      Flag.withDescription("From the failed step nothing that is done is repeated (default: start)"),
      Flag.withDefault("start" as const)
    ),
    definition: Flag.Literals("definition", ["current", "original"]).pipe(
      Flag.withDescription("Default: current from the start, original (and only that) from the failed step"),
      Flag.optional
    ),
    json
  },
  ({ definition, from, json, runId }) =>
    Effect.gen(function* () {
      const body = { from, ...(Option.isSome(definition) ? { definition: definition.value } : {}) }
      const retried = yield* Runs.use((runs) => runs.retry("operator", runId, body))
      yield* print(json, { retry_of_run_id: runId, run_id: retried, accepted: true })
    })
).pipe(Command.withDescription("Run a failed or cancelled run again, as a new manual run with the same trigger"))

const reconcile = Command.make("reconcile", { json }, ({ json }) =>
  Effect.promise(() => import("./reconcileOnce.ts")).pipe(
    Effect.flatMap(({ reconcileNow }) => reconcileNow),
    Effect.flatMap((done) => print(json, done))
  )
).pipe(Command.withDescription("Bring Temporal in step with the database: schedules, missed instants, runs"))

export const runCommands = [
  Command.make("run").pipe(
    Command.withDescription("Runs of automations"),
    Command.withSubcommands([list, show, chain, diff, cancel, retry])
  ),
  reconcile
]
