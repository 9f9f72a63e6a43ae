// Operator commands for runs of automations, and one round of `reconcile` (developer-api.md 7.11; docs/operations.md).
// Cancel and retry are written to the database and carried out by the workers.
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { RunDiffs } from "../../domain/automations/requests/RunDiffs.ts"
import { Runs } from "../../domain/automations/requests/Runs.ts"
import { failWith, json, print } from "./output.ts"
import { bulkCommand } from "./runBulkCommands.ts"
import { checkRunId, runFilterFlags, runFiltersOf } from "./runFilterFlags.ts"
import { chainOf, storyOf, whyOf } from "./runStory.ts"

const runId = Argument.String("run_id")
/** Deeper links are not moved further in. */
const CHAIN_DEPTH = 10

const list = Command.make(
  "list",
  {
    automation: Flag.Int("automation").pipe(
      Flag.withDescription("Of an automation; shows simulations too"),
      Flag.optional
    ),
    ...runFilterFlags,
    before: Flag.String("before").pipe(
      Flag.withDescription("Only runs older than this run_id: the next page"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 500"), Flag.withDefault(50)),
    json
  },
  ({ automation, before, json, limit, ...flags }) =>
    Effect.gen(function* () {
      if (Option.isSome(before)) yield* checkRunId("before", before.value)
      if (limit < 1 || limit > 500) return yield* failWith({ message: "--limit: expected 1 to 500." })
      const runs = yield* Runs
      const runSelection = Option.match(automation, {
        onNone: () => ({ kind: "all" as const }),
        onSome: (id) => ({ kind: "automation" as const, id })
      })
      const filters = {
        ...(yield* runFiltersOf(flags)),
        ...(Option.isSome(before) ? { before: before.value } : {})
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
      Flag.withDescription(
        "From the failed step the current one needs the finished steps unchanged (default: current)"
      ),
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
    Command.withSubcommands([list, show, chain, diff, cancel, retry, bulkCommand])
  ),
  reconcile
]
