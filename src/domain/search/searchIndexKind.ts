// Makes the search entries of an app's records anew, as a job (developer-api.md 11.1, 7.11), in the order of their ids: after a transaction that
// has rewritten all records and deferred this (migration 0074). Until the job has come to a record, the search finds it by its former words.
import { Effect, Schema } from "effect"
import { SEARCH_DEFERRED } from "../../platform/sql/migrations/0074_following_jobs.ts"
import { countOf, rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { recordEntriesAnew } from "../../platform/sql/searchSources.ts"
import type { JobBatch, JobKind } from "../jobs/JobKind.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { JobsCaller } from "../jobs/jobRows.ts"

/** Records of a batch: their writers wait meanwhile. */
const AT_ONCE = 250
/** Records whose entries are made in the transaction itself: a moment. */
const FEW = 1_000

const Input = Schema.Struct({ app_id: Schema.Int })
const decodeInput = Schema.decodeUnknownSync(Input)
const Indexed = Schema.Struct({ last: Schema.NullOr(Schema.String), rows: Schema.Int, renewed: Schema.Int })

export const searchIndexKinds = Effect.map(Sql, (sql) => {
  const batch = Effect.fnUntraced(function* ({ input, position }: JobBatch) {
    const { app_id } = decodeInput(input)
    // Waits for a conversion that rewrites the records before it locks any of them, as writers of records do.
    yield* sql`SELECT 1 FROM apps WHERE app_id = ${app_id} FOR KEY SHARE`
    const batchRow = yield* rowOf(Indexed)(sql.unsafe(recordEntriesAnew(app_id, Number(position ?? 0), AT_ONCE)))
    const { last, renewed, rows } = batchRow!
    return {
      position: last ?? position,
      done: rows,
      counts: { indexed: renewed, unchanged: rows - renewed },
      report: [],
      over: rows < AT_ONCE
    }
  })
  return [{ name: "record_index", batch }] satisfies ReadonlyArray<JobKind>
})

/** Tells a transaction that rewrites all records of an app what to do about their search entries. */
export const makeDeferredSearch = Effect.gen(function* () {
  const sql = yield* Sql
  const jobs = yield* Jobs

  /**
   * The rest of the transaction leaves the entries of the app's records as they are, if there are many, and a job makes them anew.
   * @param caller who sees the job
   */
  return Effect.fnUntraced(function* (caller: JobsCaller, appId: number) {
    const total = yield* countOf(sql`SELECT count(*)::int AS n FROM records WHERE app_id = ${appId}`)
    if (total <= FEW) return
    yield* sql`SELECT set_config(${SEARCH_DEFERRED}, ${String(appId)}, true)`
    yield* jobs.beginStanding(caller, { kind: "record_index", input: { app_id: appId }, total })
  })
})
