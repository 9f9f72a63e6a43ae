// Operator commands that cancel, retry or delete many runs as a job, and those that show and cancel jobs (developer-api.md 7.11). The workers
// carry them out.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { RunJobs } from "../../domain/automations/requests/RunJobs.ts"
import type { RunJobKind } from "../../domain/automations/requests/runJobInput.ts"
import type { JobView } from "../../domain/jobs/Job.ts"
import { Jobs } from "../../domain/jobs/Jobs.ts"
import { failWith, json, print } from "./output.ts"
import { checkRunId, runFilterFlags, runFiltersOf } from "./runFilterFlags.ts"

/** Runs that one job names by their ids. */
const RUNS = 500

const selection = {
  ...runFilterFlags,
  run: Flag.String("run").pipe(
    Flag.withDescription("The run of this run_id; may be given again, up to 500 times"),
    Flag.between(0, RUNS)
  ),
  automation: Flag.Int("automation").pipe(Flag.withDescription("Of an automation"), Flag.optional),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("Needed where no other flag selects: all runs of the installation"),
    Flag.withDefault(false)
  ),
  json
}

const bulk = (name: string, kind: RunJobKind, description: string) =>
  Command.make(name, selection, ({ all, automation, json, run, ...flags }) =>
    Effect.gen(function* () {
      for (const id of run) yield* checkRunId("run", id)
      const filters = {
        ...(yield* runFiltersOf(flags)),
        ...(run.length > 0 ? { run_ids: run } : {}),
        ...(Option.isSome(automation) ? { automation_ids: [automation.value] } : {})
      }
      if (Object.keys(filters).length === 0 && !all)
        return yield* failWith({ message: "Select runs by a flag, or all of the installation by --all." })
      const jobId = yield* RunJobs.use((jobs) => jobs.begin("operator", kind, filters))
      const job = yield* Jobs.use((jobs) => jobs.get("operator", jobId))
      yield* print(json, json ? job : { job_id: jobId, kind: job.kind, runs: job.progress.total })
    })
  ).pipe(Command.withDescription(description))

export const bulkCommand = Command.make("bulk").pipe(
  Command.withDescription("Many runs at once, as a job: `job show` tells how far it is"),
  Command.withSubcommands([
    bulk("cancel", "run_cancel", "Cancel the pending and running runs that the flags select"),
    bulk("retry", "run_retry", "Retry the failed and cancelled runs that the flags select, the oldest first"),
    bulk("delete", "run_delete", "Delete the runs that are over and that the flags select, with their logs")
  ])
)

const jobId = Argument.Int("job_id")

const lineOf = (job: JobView) => ({
  job_id: job.job_id,
  kind: job.kind,
  status: job.status,
  progress: `${job.progress.done} of ${job.progress.total}`,
  counts: Object.entries(job.counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", "),
  created_at: job.created_at,
  completed_at: job.completed_at
})

const list = Command.make(
  "list",
  { limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 500"), Flag.withDefault(50)), json },
  ({ json, limit }) =>
    Effect.gen(function* () {
      if (limit < 1 || limit > 500) return yield* failWith({ message: "--limit: expected 1 to 500." })
      const { jobs } = yield* Jobs.use((service) => service.page("operator", limit))
      yield* print(json, json ? [...jobs] : jobs.map(lineOf))
    })
).pipe(Command.withDescription("List jobs of all organizations, newest first"))

const show = Command.make("show", { jobId, json }, ({ jobId, json }) =>
  Effect.gen(function* () {
    const job = yield* Jobs.use((jobs) => jobs.get("operator", jobId))
    if (json) return yield* print(true, job)
    yield* print(false, lineOf(job))
    if (job.report.length > 0) yield* print(false, [...job.report])
  })
).pipe(Command.withDescription("One job: how far it is, what became of its runs, and why some were skipped"))

const cancel = Command.make("cancel", { jobId, json }, ({ jobId, json }) =>
  Effect.flatMap(
    Jobs.use((jobs) => jobs.cancel("operator", jobId)),
    (job) => print(json, json ? job : lineOf(job))
  )
).pipe(Command.withDescription("Cancel a job before its next batch; what is done stays done"))

export const jobCommands = [
  Command.make("job").pipe(
    Command.withDescription("Jobs: many runs cancelled, retried or deleted"),
    Command.withSubcommands([list, show, cancel])
  )
]
