// Carries out jobs batch by batch (developer-api.md 7.11). A batch and the note of how far the job has come are one transaction, so a batch
// happens once, whatever is killed. Before each batch the rights of who began the job are asked anew (decisions A20).

import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { JobStanding } from "../../engine/temporal/messages.ts"
import { cut } from "../../platform/bounds/cut.ts"
import { jsonText } from "../../platform/sql/json.ts"
import { countOf, rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { Authorities, lacking, readReach } from "../accounts/Authority.ts"
import { isStanding, JobRow, jobColumns, jobKinds, REPORTED, type ReportEntry } from "./Job.ts"
import { JobEnded, JobKinds } from "./JobKind.ts"

/** Time that one call works, in milliseconds; less than a worker has to end its work in. */
const AT_A_TIME = 4_000
/** Longest pause after a batch, in milliseconds: as long as the batch took, so that a job leaves half of the time to others. */
const PAUSE_MOST = 1_000
/** Characters of a message in a report, which may quote what was sent; a longer one ends with a sign for it. */
const MESSAGE_AT_MOST = 999
/** Attempts of one call, a minute apart, after which a job is given up: longer than a database is away. */
const ATTEMPTS = 500

const OpenJob = Schema.Struct({
  ...JobRow.fields,
  reach: Schema.Unknown,
  connection_id: Schema.NullOr(Schema.Int),
  input: Schema.Unknown,
  position: Schema.NullOr(Schema.String)
})
type OpenJob = typeof OpenJob.Type

/** Outcome of a batch: how the job stands, and how long it pauses, where the kind says so. */
interface Slice {
  readonly standing: JobStanding
  readonly pauseMillis?: number | undefined
}

const missing: JobStanding = { over: true, status: "missing", details: "The job is gone." }

const standingOf = (job: Pick<OpenJob, "counts" | "done" | "kind" | "status" | "total">): JobStanding => ({
  over: !["pending", "running"].includes(job.status),
  status: job.status,
  details: [
    `${jobKinds[job.kind].about}: ${job.status}, ${job.done} of ${job.total}`,
    ...Object.entries(job.counts).map(([what, count]) => `- ${what}: ${count}`)
  ].join("\n")
})

export class JobBatches extends Context.Service<
  JobBatches,
  {
    /** Works for some seconds. Repeatable at any time, and safe beside itself. @param attempt of the same call, from 1 */
    readonly carryOut: (jobId: number, attempt: number) => Effect.Effect<JobStanding>
    /** Ends a job whose workflow an operator has cancelled. */
    readonly stop: (jobId: number) => Effect.Effect<JobStanding>
  }
>()("millrace/jobs/JobBatches") {
  static readonly layer = Layer.effect(
    JobBatches,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const kinds = yield* JobKinds
  const authorities = yield* Authorities
  const columns = sql.literal(`${jobColumns}, reach, connection_id, input, position`)

  const load = (jobId: number, lock: boolean) =>
    rowOf(OpenJob)(sql`SELECT ${columns} FROM jobs WHERE job_id = ${jobId} ${sql.literal(lock ? "FOR UPDATE" : "")}`)

  const end = Effect.fnUntraced(function* (jobId: number, status: "cancelled" | "failed", message: string | null) {
    const endedAt = new Date(yield* Clock.currentTimeMillis)
    const entries: ReadonlyArray<ReportEntry> = message === null ? [] : [{ id: null, message }]
    yield* sql`
      UPDATE jobs SET status = ${status}, completed_on = ${endedAt}, report = ${jsonText(entries)}::jsonb || report
      WHERE job_id = ${jobId} AND completed_on IS NULL`
    const job = yield* load(jobId, false)
    return job === undefined ? missing : standingOf(job)
  })

  /** The caller that the job acts for, with the rights of now. */
  const callerOf = Effect.fnUntraced(function* ({ connection_id, kind, org_id, reach, user_id }: OpenJob) {
    if (user_id === null || org_id === null || isStanding(kind)) return "operator" as const
    const storedReach = readReach(reach)
    const lost = lacking(storedReach, [jobKinds[kind].acts])
    if (lost !== undefined) return yield* new JobEnded({ message: `The credential lacks the scope ${lost}.` })
    if (connection_id !== null) {
      const openConnections = yield* countOf(sql`
        SELECT count(*)::int AS n FROM connections WHERE connection_id = ${connection_id} AND ended_on IS NULL`)
      if (openConnections === 0)
        return yield* new JobEnded({ message: "The connection of the app that began the job has ended." })
    }
    const author = { type: "user" as const, user_id }
    return yield* authorities
      .of({ userId: user_id, orgId: org_id, author, automationId: 0, reach: storedReach })
      .present.pipe(
        Effect.catchTag("AuthorityLost", () =>
          Effect.fail(new JobEnded({ message: "Who began the job is no longer an active user." }))
        )
      )
  })

  const oneBatch = Effect.fnUntraced(function* (jobId: number): Effect.fn.Return<Slice, JobEnded | SqlError> {
    const seenJob = yield* load(jobId, false)
    if (seenJob === undefined) return { standing: missing }
    if (seenJob.completed_on !== null) return { standing: standingOf(seenJob) }
    const kind = kinds.get(seenJob.kind)
    if (kind === undefined) return yield* Effect.die(new Error(`Nothing carries out jobs of the kind ${seenJob.kind}.`))
    const caller = yield* callerOf(seenJob)
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const job = yield* load(jobId, true)
        if (job === undefined) return { standing: missing }
        if (job.completed_on !== null) return { standing: standingOf(job) }
        const batch = yield* kind.batch({ jobId, caller, input: job.input, position: job.position })
        const batchEnd = new Date(yield* Clock.currentTimeMillis)
        const doneCount = job.done + batch.done
        const next = {
          ...job,
          status: batch.over ? ("completed" as const) : ("running" as const),
          done: doneCount,
          // Runs that ended or went meanwhile are no longer expected.
          total: batch.over
            ? doneCount
            : Math.max(batch.total ?? expected(doneCount, batch.share) ?? job.total, doneCount),
          counts: sumOf(job.counts, batch.counts),
          report: [
            ...job.report,
            ...batch.report.map(({ id, message }) => ({ id, message: cut(message, MESSAGE_AT_MOST) }))
          ].slice(0, REPORTED)
        }
        yield* sql`
          UPDATE jobs SET status = ${next.status}, position = ${batch.position}, done = ${next.done}, total = ${next.total},
            counts = ${JSON.stringify(next.counts)}::jsonb, report = ${jsonText(next.report)}::jsonb, looked_on = ${batchEnd},
            completed_on = ${batch.over ? batchEnd : null}
          WHERE job_id = ${jobId}`
        return { standing: standingOf(next), pauseMillis: batch.pauseMillis }
      })
    )
  })

  const carryOut = Effect.fn("JobBatches.carryOut")(function* (jobId: number, attempt: number) {
    if (attempt > ATTEMPTS) return yield* end(jobId, "failed", "A fault of the service: it failed again and again.")
    const until = (yield* Clock.currentTimeMillis) + AT_A_TIME
    for (;;) {
      const began = yield* Clock.currentTimeMillis
      const { pauseMillis, standing } = yield* oneBatch(jobId).pipe(
        Effect.catchTag("JobEnded", ({ message }) =>
          Effect.map(end(jobId, "failed", message), (standing): Slice => ({ standing }))
        )
      )
      const nowMillis = yield* Clock.currentTimeMillis
      if (standing.over || nowMillis >= until) return standing
      yield* Effect.sleep(pauseMillis ?? Math.min(PAUSE_MOST, Math.max(1, nowMillis - began)))
    }
  }, orSqlDefect)

  const stop = Effect.fn("JobBatches.stop")(
    (jobId: number) => end(jobId, "cancelled", "An operator cancelled its workflow."),
    orSqlDefect
  )

  return JobBatches.of({ carryOut, stop })
})

/** Number of things by what the part that is done has held. */
const expected = (done: number, share: number | undefined) =>
  share === undefined || done === 0 ? undefined : Math.round(done / share)

const sumOf = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) => {
  const sum: Record<string, number> = { ...a }
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
