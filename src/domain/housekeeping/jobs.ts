// Recurring deletion of expired data, each job a Temporal Schedule that an operator sees in the UI (service.md 2.2, 8; decisions O9, O23,
// W5, W8; developer-api.md 1.8, 4.3, 6, 7.10, 7.11). Every job works in batches and may be repeated at any time.
import { Clock, Effect, Schema } from "effect"
import { forgetChanges } from "../../engine/changes/forgetChanges.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { pruneMails } from "../../platform/mail/pruneMails.ts"
import { allInTurn } from "../../platform/primitives/allInTurn.ts"
import { deleteInBatches } from "../../platform/sql/deleteInBatches.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { releaseCaught, releasePayloads } from "../automations/inbound/pruneCatches.ts"
import { pruneCredits, pruneRuns } from "../automations/run/pruneRuns.ts"
import { pruneWeblinks } from "../automations/weblinks/pruneWeblinks.ts"
import { Connections } from "../connections/Connections.ts"
import { pauseLapsedHooks } from "../connections/lapsedHooks.ts"
import { prune } from "../connections/pruneConnections.ts"
import { pruneJobs } from "../jobs/pruneJobs.ts"
import { buildFieldIndexes } from "../records/listing/buildFieldIndexes.ts"
import { buildPairIndexes } from "../records/listing/buildPairIndexes.ts"
import { foldLiveCounts } from "../records/listing/liveCount.ts"
import { recalculateDaily } from "../records/recalculation/dailyRecalculation.ts"
import { housekeeping as recordsHousekeeping } from "../records/recordHousekeeping.ts"
import { housekeeping as webhookHousekeeping } from "../webhooks/hookHousekeeping.ts"

export interface HousekeepingJob<R> {
  readonly everyMinutes: number
  readonly about: string
  /** Resolves to how many rows of each kind went. */
  readonly run: Effect.Effect<Readonly<Record<string, number>>, never, R>
}

const job = <R>(everyMinutes: number, about: string, run: HousekeepingJob<R>["run"]): HousekeepingJob<R> => ({
  everyMinutes,
  about,
  run
})

const BATCH = 5_000

const idempotencyKeys = Effect.gen(function* () {
  const sql = yield* Sql
  const { idempotencyHours } = yield* AppConfig
  const cutoff = new Date((yield* Clock.currentTimeMillis) - idempotencyHours * 3_600_000)
  const deletedCount = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM idempotency_keys WHERE ctid IN (
        SELECT ctid FROM idempotency_keys WHERE created_on < ${cutoff} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`
  )
  return { idempotency_keys: deletedCount }
}).pipe(orSqlDefect)

const Dropped = Schema.Struct({ dropped: Schema.Int })

/** Drops old months of the audit log by the database's own clock and owner: the service may not delete entries (decisions O23). */
const auditLog = Effect.gen(function* () {
  const sql = yield* Sql
  const { auditKeepMonths } = yield* AppConfig
  // Each may wait for others a while: a transaction has a connection that no other statement waits for.
  const next = sql
    .withTransaction(rowOf(Dropped)(sql`SELECT audit_log_keep(${auditKeepMonths}) AS dropped`))
    .pipe(Effect.map((row) => row!.dropped))
  return { audit_months: yield* deleteInBatches(1, next) }
}).pipe(orSqlDefect)

export const jobs = {
  oauth: job(
    60,
    "Expired tokens, codes, requests, sessions and links; connections that ended long ago, or are shut out and were left; hooks of those that have lapsed; unused dynamic clients",
    Effect.map(
      allInTurn({ ended: Connections.use(({ endLeftOver }) => endLeftOver), hooks: pauseLapsedHooks, prune }),
      (done) => ({ connections_ended: done.ended, hooks_paused: done.hooks, ...done.prune })
    )
  ),
  webhooks: job(
    60,
    "Withheld deliveries that expire; deliveries past their retention",
    Effect.map(webhookHousekeeping, (done) => ({ ...done }))
  ),
  records: job(
    60,
    "Records past their time in the trash; uploads never attached, files that hang nowhere",
    Effect.map(recordsHousekeeping, (done) => ({ ...done }))
  ),
  counts: job(
    5,
    "Changes of how many records an app has, put together",
    Effect.map(foldLiveCounts, (changes) => ({ record_counts: changes }))
  ),
  indexes: job(
    5,
    "Indexes of fields that large apps are filtered or sorted by, and of pairs of them; keys of fields that are gone",
    Effect.map(allInTurn({ fields: buildFieldIndexes, pairs: buildPairIndexes }), ({ fields, pairs }) => ({
      ...fields,
      ...pairs
    }))
  ),
  changes: job(5, "What has changed, once nobody can go on from there", forgetChanges),
  runs: job(
    60,
    "Runs of automations past their retention, with log, ledger and values; payloads and files of inbound webhooks that nothing needs",
    Effect.map(allInTurn({ releasePayloads, pruneRuns, releaseCaught }), (done) => ({
      ...done.releasePayloads,
      ...done.pruneRuns,
      ...done.releaseCaught
    }))
  ),
  mails: job(60, "Mails past their retention", pruneMails),
  credits: job(60, "Credits that organizations used in hours past their retention", pruneCredits),
  weblinks: job(
    60,
    "Weblinks that expired or were spent long ago, or whose automation or record is gone",
    pruneWeblinks
  ),
  audit: job(60, "Months of the audit log past their retention; partitions for those to come", auditLog),
  calculations: job(
    15,
    "Calculations that read today's date, once a day",
    Effect.map(recalculateDaily, (begun) => ({ ...begun }))
  ),
  jobs: job(60, "Jobs past their retention", pruneJobs),
  idempotency: job(60, "Stored answers of idempotency keys past their day", idempotencyKeys)
} as const

export type JobName = keyof typeof jobs
export const jobNames = Object.keys(jobs) as ReadonlyArray<JobName>
