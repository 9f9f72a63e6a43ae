// Jobs as their callers meet them (developer-api.md 7.11): begun, seen, listed, cancelled. A worker carries them out (JobBatches.ts). Whoever
// began a job sees it, and so do owners and admins of the organization; an operator sees all.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { Conflict, NotFound, Restricted, type ValidationError } from "../../platform/primitives/errors.ts"
import { Cursors } from "../../platform/sealing/Cursors.ts"
import { countOf, rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { Files } from "../records/files/Files.ts"
import {
  type JobKindName,
  JobRow,
  type JobView,
  jobColumns,
  jobKindNames,
  jobKinds,
  jobOf,
  standingKinds
} from "./Job.ts"
import { type JobStart, type JobsCaller, makeJobRows } from "./jobRows.ts"

/** Jobs of one organization that may be open at once, without standing ones. */
const OPEN_AT_ONCE = 10

export interface JobsPage {
  readonly total: number
  readonly cursor: string | null
  readonly jobs: ReadonlyArray<JobView>
}

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Stores the job, with the caller's reach; it begins within seconds. Joins the caller's transaction. Returns its id. */
    readonly begin: (caller: JobsCaller, start: JobStart) => Effect.Effect<number, Conflict | Restricted>
    /** `begin` for a job that follows from a change of the same transaction, which the caller was allowed. */
    readonly beginStanding: (caller: JobsCaller, start: JobStart) => Effect.Effect<number>
    readonly get: (caller: JobsCaller, jobId: number) => Effect.Effect<JobView, NotFound>
    /** Newest first. */
    readonly page: (caller: JobsCaller, limit: number, cursor?: string) => Effect.Effect<JobsPage, ValidationError>
    /** Ends it before its next batch; what is done stays done. */
    readonly cancel: (caller: JobsCaller, jobId: number) => Effect.Effect<JobView, NotFound | Conflict | Restricted>
  }
>()("millrace/jobs/Jobs") {
  static readonly layer = Layer.effect(
    Jobs,
    Effect.suspend(() => make)
  )
}

const Position = Schema.Struct({ before: Schema.Int })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const cursors = yield* Cursors
  const files = yield* Files
  const { insert } = yield* makeJobRows
  const columns = sql.literal(jobColumns)

  const view = Effect.fnUntraced(function* (row: JobRow) {
    const file = row.file_id === null || row.org_id === null ? undefined : yield* files.stored(row.org_id, row.file_id)
    if (file === undefined) return jobOf(row, null)
    return jobOf(row, { name: file.name, size: file.size, link: yield* files.link(file.file_id) })
  })

  /**
   * Condition on `jobs` for those that the credential's selection of content shows: a limited one, only those that were begun within the same
   * selection, in any order.
   */
  const withinSelection = ({ selection }: CallerShape) => {
    if (selection === "all") return sql`true`
    const [workspaces, apps] = [JSON.stringify(selection.workspaceIds), JSON.stringify(selection.appIds)]
    return sql`(reach -> 'workspaces' @> ${workspaces}::jsonb AND reach -> 'workspaces' <@ ${workspaces}::jsonb
      AND reach -> 'apps' @> ${apps}::jsonb AND reach -> 'apps' <@ ${apps}::jsonb)`
  }

  /** Condition on `jobs` for those that the caller may see. */
  const seenBy = (caller: JobsCaller) => {
    if (caller === "operator") return sql`true`
    const kinds = jobKindNames.filter((kind) => holds(caller, jobKinds[kind].reads))
    const seesAll = (caller.role === "owner" || caller.role === "admin") && caller.selection === "all"
    return sql`org_id = ${caller.orgId} AND kind = ANY(${kinds}::text[]) AND (${seesAll} OR user_id = ${caller.userId})
      AND ${withinSelection(caller)}`
  }

  const find = Effect.fnUntraced(function* (caller: JobsCaller, jobId: number, lock = false) {
    const row = yield* rowOf(JobRow)(sql`
      SELECT ${columns} FROM jobs WHERE job_id = ${jobId} AND ${seenBy(caller)} ${sql.literal(lock ? "FOR UPDATE" : "")}`)
    return row ?? (yield* new NotFound({ message: `No job with id ${jobId}.` }))
  })

  const mayAct = (caller: JobsCaller, kind: JobKindName) => {
    const { acts } = jobKinds[kind]
    return caller === "operator" || holds(caller, acts)
      ? Effect.void
      : Effect.fail(new Restricted({ message: `The credential lacks the scope ${acts}.` }))
  }

  const checkOpen = Effect.fnUntraced(function* ({ orgId }: CallerShape) {
    // Two that begin at once count one after the other.
    yield* sql`SELECT 1 FROM organizations WHERE org_id = ${orgId} FOR NO KEY UPDATE`
    const openJobs = yield* countOf(
      sql`SELECT count(*)::int AS n FROM jobs WHERE completed_on IS NULL AND org_id = ${orgId}
        AND kind <> ALL(${standingKinds}::text[])`
    )
    if (openJobs < OPEN_AT_ONCE) return
    return yield* new Conflict({
      message: `An organization has at most ${OPEN_AT_ONCE} jobs at once: cancel one, or wait.`
    })
  })

  const begin = Effect.fn("Jobs.begin")(
    function* (
      caller: JobsCaller,
      { input, kind, total }: JobStart
    ): Effect.fn.Return<number, Conflict | Restricted | SqlError> {
      yield* mayAct(caller, kind)
      if (caller !== "operator") {
        // Their rights of a later moment would have to be asked of each of them.
        if (caller.standings !== undefined)
          return yield* new Restricted({ message: "A step that is tried with several people's rights begins no job." })
        yield* checkOpen(caller)
      }
      const jobId = yield* insert(caller, { input, kind, total })
      yield* audit.record({
        event: "job.started",
        ...(caller === "operator" ? {} : { orgId: caller.orgId }),
        details: { job_id: jobId, kind, total }
      })
      return jobId
    },
    sql.withTransaction,
    orSqlDefect
  )

  /** Leaves no entry of its own in the audit log: the change that it follows has one. */
  const beginStanding = Effect.fn("Jobs.beginStanding")(insert, sql.withTransaction, orSqlDefect)

  const get = Effect.fn("Jobs.get")(
    (caller: JobsCaller, jobId: number) => Effect.flatMap(find(caller, jobId), view),
    orSqlDefect
  )

  const page = Effect.fn("Jobs.page")(function* (caller: JobsCaller, limit: number, cursor?: string) {
    const listing = `jobs/${caller === "operator" ? caller : caller.userId}`
    const former = cursor === undefined ? null : yield* cursors.read(listing, cursor, Position)
    const olderJobs = former === null ? sql`true` : sql`job_id < ${former.position.before}`
    const visibleJobs = seenBy(caller)
    const total = former?.total ?? (yield* countOf(sql`SELECT count(*)::int AS n FROM jobs WHERE ${visibleJobs}`))
    const rows = yield* rowsOf(JobRow)(sql`
      SELECT ${columns} FROM jobs WHERE ${visibleJobs} AND ${olderJobs} ORDER BY job_id DESC LIMIT ${limit + 1}::int`)
    const pageRows = rows.slice(0, limit)
    const next =
      rows.length > limit
        ? yield* cursors.issue(listing, { total, position: { before: pageRows.at(-1)!.job_id } })
        : null
    return { total, cursor: next, jobs: yield* Effect.forEach(pageRows, view) }
  }, orSqlDefect)

  const cancel = Effect.fn("Jobs.cancel")(
    function* (caller: JobsCaller, jobId: number) {
      // The lock waits for the batch under way.
      const job = yield* find(caller, jobId, true)
      yield* mayAct(caller, job.kind)
      if (job.completed_on !== null) return yield* new Conflict({ message: `The job is ${job.status} already.` })
      const endedAt = new Date(yield* Clock.currentTimeMillis)
      yield* sql`UPDATE jobs SET status = 'cancelled', completed_on = ${endedAt} WHERE job_id = ${jobId}`
      yield* audit.record({
        event: "job.cancelled",
        ...(job.org_id === null ? {} : { orgId: job.org_id }),
        details: { job_id: jobId, kind: job.kind }
      })
      return yield* view({ ...job, status: "cancelled", completed_on: endedAt })
    },
    sql.withTransaction,
    orSqlDefect
  )

  return Jobs.of({ begin, beginStanding, get, page, cancel })
})
