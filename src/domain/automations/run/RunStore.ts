// Reads and writes the rows of runs: takeover, reading, step commits, run data (decisions A1, A3).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { TriggerData } from "../model/RunScope.ts"
import { makeCommitStatement, type RunCommit } from "./commitStatement.ts"
import { Holder, type LoadedRun, RunRow } from "./RunRow.ts"
import { makeRunData, type RunData } from "./runData.ts"

type Tx<A> = Effect.Effect<A, SqlError>

const Loaded = Schema.Struct({ ...RunRow.fields, ...Holder.fields, trigger: jsonb<TriggerData>() })
type Loaded = typeof Loaded.Type

/** Columns of ids, which an executor handles as texts. */
const TEXTS: ReadonlySet<string> = new Set(["run_id", "revision_id", "root_run_id"])

const CancelReason = Schema.Struct({ cancel_reason: Schema.NullOr(Schema.String) })

export class RunStore extends Context.Service<
  RunStore,
  {
    /** Raises the fence and loads the run; null if the run has ended or was deleted. */
    readonly take: (runId: string) => Tx<LoadedRun | null>
    /** Reads the run without taking its fence. */
    readonly read: (runId: string) => Tx<LoadedRun | null>
    /**
     * Commits steps of different runs in one statement. Returns for each run whether its cancellation is requested. A run that is missing
     * in the result has another executor, or the database server has lost earlier commits.
     */
    readonly commit: (all: ReadonlyArray<RunCommit>) => Tx<ReadonlyMap<string, boolean>>
    /** Returns the reason of a cancellation that no person requested. */
    readonly cancelReason: (runId: string) => Tx<string | null>
  } & RunData
>()("millrace/automations/run/RunStore") {
  static readonly layer = Layer.effect(
    RunStore,
    Effect.gen(function* () {
      const sql = yield* Sql

      const columns = sql.literal(
        Object.keys(RunRow.fields)
          .map((name) => (TEXTS.has(name) ? `r.${name}::text` : `r.${name}`))
          .join(", ")
      )
      const holderColumns = sql.literal(
        "t.data AS trigger, a.deleted_on IS NOT NULL AS deleted, p.workspace_id, coalesce(u.status = 'active', false) AS author_active"
      )
      const holderJoins = sql.literal(
        "JOIN run_triggers t USING (run_id) JOIN automations a USING (automation_id) JOIN apps p ON p.app_id = a.app_id" +
          " LEFT JOIN (automation_revisions v JOIN users u ON u.user_id = v.author_id) ON v.revision_id = r.revision_id"
      )
      const loadedOf = (row: Loaded | undefined): LoadedRun | null => {
        if (row === undefined) return null
        const { trigger, workspace_id, author_active, deleted, ...run } = row
        return { run, holder: { workspace_id, author_active, deleted }, trigger, fresh: false }
      }

      const take = Effect.fnUntraced(function* (runId: string) {
        const startedAt = new Date(yield* Clock.currentTimeMillis)
        const row = yield* rowOf(Loaded)(sql`
          WITH r AS (
            UPDATE runs SET fence = fence + 1, status = 'running', started_on = coalesce(started_on, ${startedAt})
            WHERE run_id = ${runId}::bigint AND status IN ('pending', 'running') RETURNING *
          )
          SELECT ${columns}, ${holderColumns} FROM r ${holderJoins}`)
        return loadedOf(row)
      })

      const read = (runId: string) =>
        Effect.map(
          rowsOf(Loaded)(
            sql`SELECT ${columns}, ${holderColumns} FROM runs r ${holderJoins} WHERE r.run_id = ${runId}::bigint`
          ),
          ([row]) => loadedOf(row)
        )

      const cancelReason = (runId: string) =>
        Effect.map(
          rowsOf(CancelReason)(sql`SELECT cancel_reason FROM runs WHERE run_id = ${runId}::bigint`),
          ([row]) => row?.cancel_reason ?? null
        )

      return RunStore.of({
        ...{ take, read, cancelReason },
        commit: yield* makeCommitStatement,
        ...(yield* makeRunData)
      })
    })
  )
}
