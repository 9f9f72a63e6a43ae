// Rows of jobs, as whoever begins one stores them (developer-api.md 7.11), in their own transaction: by `Jobs`, or by the module that carries
// the work out itself and has a job for it.
import { Clock, Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { reachOf, storedReach } from "../accounts/Authority.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import type { JobKindName } from "./Job.ts"

/** A user through a credential; an operator has full access and is no user. */
export type JobsCaller = CallerShape | "operator"

export interface JobStart {
  readonly kind: JobKindName
  /** Input that the job's kind reads at each batch; JSON. */
  readonly input: object
  /** Number of things that it will work on, as counted now. */
  readonly total: number
}

const JobId = Schema.Struct({ job_id: Schema.Int })

const authorOf = (caller: CallerShape) => ({
  org_id: caller.orgId,
  user_id: caller.userId,
  reach: storedReach(reachOf(caller)),
  connection_id: caller.credential.type === "oauth_access_token" ? caller.credential.id : null
})
const byOperator = { org_id: null, user_id: null, reach: null, connection_id: null }

export const makeJobRows = Effect.gen(function* () {
  const sql = yield* Sql

  /** Returns the id. */
  const insert = Effect.fnUntraced(function* (caller: JobsCaller, { input, kind, total }: JobStart) {
    const { connection_id, org_id, reach, user_id } = caller === "operator" ? byOperator : authorOf(caller)
    const createdAt = new Date(yield* Clock.currentTimeMillis)
    const job = yield* rowOf(JobId)(sql`
      INSERT INTO jobs (org_id, user_id, reach, connection_id, kind, input, total, created_on)
      VALUES (${org_id}::bigint, ${user_id}::bigint, ${reach === null ? null : JSON.stringify(reach)}::jsonb,
        ${connection_id}::bigint, ${kind}, ${JSON.stringify(input)}::jsonb, ${total}, ${createdAt})
      RETURNING job_id`)
    return job!.job_id
  })

  /** Ends a job whose work was cancelled elsewhere. */
  const endCancelled = Effect.fnUntraced(function* (jobId: number) {
    const endedAt = new Date(yield* Clock.currentTimeMillis)
    yield* sql`UPDATE jobs SET status = 'cancelled', completed_on = ${endedAt} WHERE job_id = ${jobId} AND completed_on IS NULL`
  })

  return { insert, endCancelled }
})
