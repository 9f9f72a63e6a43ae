// Reads and writes the rows of runs: takeover, reading, step commits, run data (decisions A1, A3).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { TriggerData } from "../model/RunScope.ts"
import type { StepFailed } from "../model/StepFailed.ts"
import { makeCommitStatement, type RunCommit } from "./commitStatement.ts"
import type { PageChange } from "./pageChanges.ts"
import { Holder, type LoadedRun, RunRow } from "./RunRow.ts"
import { type LedgerRow, makeRunData, type OutputRow, type VariableRow } from "./runData.ts"

type Tx<A, E = never> = Effect.Effect<A, E | SqlError>

const Loaded = Schema.Struct({ ...RunRow.fields, ...Holder.fields, trigger: jsonb<TriggerData>() })
type Loaded = typeof Loaded.Type

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
    readonly variables: (runId: string) => Tx<ReadonlyArray<VariableRow>>
    readonly outputs: (runId: string) => Tx<ReadonlyArray<OutputRow>>
    readonly ledger: (runId: string, path: string, iteration: string) => Tx<LedgerRow | null>
    readonly saveItems: (runId: string, path: string, iteration: string, items: ReadonlyArray<unknown>) => Tx<void>
    /** Fails if all items of the run together take too many bytes. */
    readonly weighItems: (runId: string) => Tx<void, StepFailed>
    readonly items: (runId: string, path: string, iteration: string, chunk: number) => Tx<ReadonlyArray<any>>
    /** Applies page changes in the order of their steps. */
    readonly pages: (runId: string, changes: ReadonlyArray<PageChange>) => Tx<void, StepFailed>
    readonly redirect: (runId: string, url: string) => Tx<void>
    readonly isAnswered: (runId: string) => Tx<boolean>
  }
>()("millrace/automations/run/RunStore") {
  static readonly layer = Layer.effect(
    RunStore,
    Effect.gen(function* () {
      const sql = yield* Sql

      const columns = sql.literal(
        ["run_id", "revision_id", "root_run_id"].map((name) => `r.${name}::text`).join(", ") +
          ", r.org_id, r.app_id, r.automation_id, r.event_id, r.type, r.status, r.cursor, r.fence, r.durable, r.wait_why, r.wait_until," +
          " r.cancel_requested_on, r.cancel_reason, r.record_id, r.depth, r.chain, r.log_seq, r.credits, r.executed_ms, r.most_recent_error," +
          " r.traceparent, r.created_on, r.started_on"
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
