// The rows of runs: taking one over, committing a step (run row, ledger, log, values in one statement), ending (A1, A3).
// No statement here commits anything for a run whose fence has been raised since.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { jsonb } from "../../../ground/sql/columns.ts"
import { jsonText } from "../../../ground/sql/json.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import type { TriggerData } from "../model/RunScope.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { makeFailing } from "./failureStreaks.ts"
import { type Commit, Holder, type LoadedRun, RunRow } from "./RunRow.ts"
import { turnsGiven } from "./RunTurns.ts"

type Tx<A, E = never> = Effect.Effect<A, E | SqlError>

export const VariableRow = Schema.Struct({
  custom_type: Schema.String,
  label: Schema.String,
  value: Schema.Unknown
})
export type VariableRow = typeof VariableRow.Type
export const OutputRow = Schema.Struct({ type: Schema.String, app_id: Schema.Int, output: Schema.Unknown })
export type OutputRow = typeof OutputRow.Type
export const LedgerRow = Schema.Struct({
  state: Schema.Literals(["started", "done", "failed"]),
  attempts: Schema.Int,
  result: Schema.Any
})
export type LedgerRow = typeof LedgerRow.Type

export interface InboxRow {
  readonly row_id: number
  readonly event_id: number
}

export interface RunCommit {
  readonly run: RunRow
  readonly commit: Commit
  /** The mailbox row that goes with the end of a plain run. */
  readonly inboxRow: InboxRow | null
}

const Loaded = Schema.Struct({ ...RunRow.fields, ...Holder.fields, trigger: jsonb<TriggerData>() })
type Loaded = typeof Loaded.Type

/** Items of a loop, or targets of a step over a collection, in one row of `run_items`. */
export const ITEMS_PER_CHUNK = 100

const CommittedRun = Schema.Struct({ run_id: Schema.String, cancel: Schema.Boolean, turns: Schema.Int })

const CancelReason = Schema.Struct({ cancel_reason: Schema.NullOr(Schema.String) })

const Items = Schema.Struct({ items: Schema.Unknown })

export class RunStore extends Context.Service<
  RunStore,
  {
    /** Raises the fence and loads the run; null when it is over or gone. */
    readonly take: (runId: string) => Tx<LoadedRun | null>
    /** As it is, in whosever hands. */
    readonly read: (runId: string) => Tx<LoadedRun | null>
    /**
     * Steps of different runs, in one statement. Answers for each run whether a cancel is asked for; one that is missing has
     * another executor, or the server has lost what came before.
     */
    readonly commit: (all: ReadonlyArray<RunCommit>) => Tx<ReadonlyMap<string, boolean>>
    /** Why somebody else than a person has it cancelled. */
    readonly cancelReason: (runId: string) => Tx<string | null>
    readonly variables: (runId: string) => Tx<ReadonlyArray<VariableRow>>
    readonly outputs: (runId: string) => Tx<ReadonlyArray<OutputRow>>
    readonly ledger: (runId: string, path: string, iteration: string) => Tx<LedgerRow | null>
    readonly saveItems: (runId: string, path: string, iteration: string, items: ReadonlyArray<unknown>) => Tx<void>
    readonly items: (runId: string, path: string, iteration: string, chunk: number) => Tx<ReadonlyArray<any>>
    readonly page: (
      runId: string,
      page: {
        readonly join: "add_below" | "add_above" | "replace_previous"
        readonly html: string
        readonly fullscreen: boolean
        readonly removeBranding: boolean
      }
    ) => Tx<void>
    readonly redirect: (runId: string, url: string) => Tx<void>
  }
>()("millrace/automations/run/RunStore") {
  static readonly layer = Layer.effect(
    RunStore,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { open, seal, sealText } = yield* makeSealed
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

      const columns = sql.literal(
        ["run_id", "revision_id", "root_run_id"].map((name) => `r.${name}::text`).join(", ") +
          ", r.org_id, r.app_id, r.automation_id, r.event_id, r.type, r.status, r.cursor, r.fence, r.durable, r.wait_why, r.wait_until," +
          " r.cancel_requested_on, r.cancel_reason, r.record_id, r.depth, r.chain, r.log_seq, r.credits, r.executed_ms, r.most_recent_error," +
          " r.created_on, r.started_on"
      )

      const beside = sql.literal(
        "t.data AS trigger, a.deleted_on IS NOT NULL AS deleted, p.workspace_id, coalesce(u.status = 'active', false) AS author_active"
      )
      const around = sql.literal(
        "JOIN run_triggers t USING (run_id) JOIN automations a USING (automation_id) JOIN apps p ON p.app_id = a.app_id" +
          " LEFT JOIN (automation_revisions v JOIN users u ON u.user_id = v.author_id) ON v.revision_id = r.revision_id"
      )
      const loadedOf = (row: Loaded | undefined): LoadedRun | null => {
        if (row === undefined) return null
        const { trigger, workspace_id, author_active, deleted, ...run } = row
        return { run, holder: { workspace_id, author_active, deleted }, trigger }
      }

      const take = Effect.fnUntraced(function* (runId: string) {
        const at = yield* now
        const row = yield* rowOf(Loaded)(sql`
          WITH r AS (
            UPDATE runs SET fence = fence + 1, status = 'running', started_on = coalesce(started_on, ${at})
            WHERE run_id = ${runId}::bigint AND status IN ('pending', 'running') RETURNING *
          )
          SELECT ${columns}, ${beside} FROM r ${around}`)
        return loadedOf(row)
      })

      const read = (runId: string) =>
        Effect.map(
          rowsOf(Loaded)(sql`SELECT ${columns}, ${beside} FROM runs r ${around} WHERE r.run_id = ${runId}::bigint`),
          ([row]) => loadedOf(row)
        )

      const outbox = yield* Outbox
      const failing = makeFailing(sql)

      /**
       * With the end of a run go its place and its mailbox row, and with that the event where no other row needs it. A run is
       * committed only from where the executor believes it to be: a server that dies may lose commits that did not wait for the
       * disk, and what was in them is then done again, not skipped.
       */
      const commit = Effect.fnUntraced(function* (all: ReadonlyArray<RunCommit>) {
        const at = yield* now
        const input = all.map(({ commit: c, inboxRow, run }) => {
          const leaves = c.ending === null ? null : inboxRow
          return {
            run_id: run.run_id,
            fence: run.fence,
            seq: run.log_seq,
            spent: run.credits,
            stood: run.cursor,
            cursor: c.cursor,
            credits: c.credits,
            executed_ms: c.executedMs,
            most_recent_error: c.mostRecentError,
            wait_why: c.waits?.why ?? null,
            wait_until: c.waits?.until ?? null,
            status: c.ending?.status ?? "running",
            failure_reason: c.ending?.failure_reason ?? null,
            error_message: c.ending?.error_message ?? null,
            over: c.ending !== null,
            ledger: c.ledger,
            logs: c.logs.map((entry, index) => ({ ...entry, seq: run.log_seq + index + 1 })),
            variables: c.variables.map((variable, index) => ({
              ...variable,
              value: seal(variable.value),
              seq: run.log_seq + index
            })),
            outputs: c.outputs.map((output) => ({ ...output, output: seal(output.output) })),
            automation_id: run.automation_id,
            well: c.ending?.status === "completed" && run.type !== "simulation",
            row_id: leaves?.row_id ?? null,
            event_id: leaves?.event_id ?? null
          }
        })
        const told = all.flatMap(({ commit: { lazy } }) => lazy?.apps.map(String) ?? [])
        const lazy = all.every((one) => one.commit.lazy !== null)
        // The condition that is always true makes the planner expect one row, so that it goes by index however new its figures are.
        const rows = yield* rowsOf(CommittedRun)(sql`
          WITH given AS MATERIALIZED (
            SELECT * FROM jsonb_to_recordset(${jsonText(input)}::jsonb) AS g (
              run_id bigint, fence bigint, seq int, spent int, stood jsonb, cursor jsonb, credits int, executed_ms bigint,
              most_recent_error text, wait_why text, wait_until timestamptz, status text, failure_reason text, error_message text, over boolean,
              ledger jsonb, logs jsonb, variables jsonb,
              outputs jsonb, automation_id bigint, well boolean, row_id bigint, event_id bigint)
            WHERE run_id + 0 = run_id
          ), fenced AS (
            UPDATE runs r SET
              cursor = nullif(g.cursor, 'null'), log_seq = r.log_seq + jsonb_array_length(g.logs),
              credits = r.credits + g.credits, executed_ms = r.executed_ms + g.executed_ms,
              most_recent_error = g.most_recent_error, status = g.status, wait_why = g.wait_why, wait_until = g.wait_until,
              wait_since = CASE WHEN g.wait_why IS NOT NULL THEN ${at}::timestamptz END,
              failure_reason = g.failure_reason, error_message = g.error_message,
              completed_on = CASE WHEN g.over THEN ${at}::timestamptz END
            FROM given g
            WHERE r.run_id = g.run_id AND r.fence = g.fence AND r.status = 'running' AND r.log_seq = g.seq
              AND r.credits = g.spent AND nullif(r.cursor, 'null') IS NOT DISTINCT FROM nullif(g.stood, 'null')
            RETURNING r.run_id, r.record_id, r.cancel_requested_on IS NOT NULL AS cancel, g.seq, g.ledger, g.logs, g.variables, g.outputs, g.over,
              g.over OR g.wait_why IS NOT DISTINCT FROM 'called_run' AS turn_back, g.automation_id, g.well, g.row_id, g.event_id
          ), ledger AS (
            INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on, done_on)
            SELECT run_id, l.path, l.iteration, l.action_id, l.state, l.attempts, nullif(l.result, 'null'), ${at}::timestamptz,
              CASE WHEN l.state <> 'started' THEN ${at}::timestamptz END
            FROM fenced, jsonb_to_recordset(fenced.ledger) AS l (path text, iteration text, action_id text, state text,
              attempts int, result jsonb)
            ON CONFLICT (run_id, path, iteration) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
              result = coalesce(excluded.result, run_ledger.result), done_on = excluded.done_on
          ), log AS (
            INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, record_id, detail, logged_on)
            SELECT run_id, l.seq, l.type, l.status, l.label, l.messages, l.action_id, l.record_id,
              nullif(l.detail, 'null'), ${at}
            FROM fenced, jsonb_to_recordset(fenced.logs) AS l (seq int, type text, status text,
              label text, messages jsonb, action_id text, record_id bigint, detail jsonb)
          ), variables AS (
            INSERT INTO run_variables (run_id, custom_type, label, seq, value)
            SELECT run_id, v.custom_type, v.label, v.seq, v.value
            FROM fenced, jsonb_to_recordset(fenced.variables) AS v (custom_type text, label text, seq int, value jsonb)
            ON CONFLICT (run_id, custom_type, label) DO UPDATE SET seq = excluded.seq, value = excluded.value
          ), outputs AS (
            INSERT INTO run_outputs (run_id, type, app_id, seq, output)
            SELECT run_id, o.type, o.app_id, fenced.seq, o.output
            FROM fenced, jsonb_to_recordset(fenced.outputs) AS o (type text, app_id bigint, output jsonb)
            ON CONFLICT (run_id, type, app_id) DO UPDATE SET seq = excluded.seq, output = excluded.output
          ), place AS (
            DELETE FROM run_places p USING fenced f WHERE p.run_id = f.run_id AND f.over
          ), mailbox AS (
            DELETE FROM automation_inbox i USING fenced f WHERE i.row_id = f.row_id AND i.run_id = f.run_id
          ), event AS (
            DELETE FROM automation_events e USING fenced f WHERE e.event_id = f.event_id AND NOT EXISTS (
              SELECT 1 FROM automation_inbox i WHERE i.event_id = e.event_id
                AND i.row_id NOT IN (SELECT row_id FROM fenced WHERE row_id IS NOT NULL))
          ), well AS (
            ${failing.over}
          ), turns AS (
            ${turnsGiven(sql, at)}
          )
          SELECT run_id::text, cancel, (SELECT count(*) FROM turns) AS turns, set_config('synchronous_commit', CASE
            WHEN ${lazy} AND NOT EXISTS (
              SELECT 1 FROM hooks WHERE app_id = ANY(${told}::text[]::bigint[]) AND status = 'active')
            THEN 'off' ELSE current_setting('synchronous_commit') END, true) FROM fenced`)
        if (rows.some(({ turns }) => turns > 0)) yield* outbox.announce
        const written = new Map(rows.map(({ cancel, run_id }) => [run_id, cancel]))
        yield* failing.begin(
          all.flatMap(({ commit: { ending }, run }) =>
            ending?.status === "failed" && written.has(run.run_id) ? [run.run_id] : []
          )
        )
        return written
      })

      const cancelReason = (runId: string) =>
        Effect.map(
          rowsOf(CancelReason)(sql`SELECT cancel_reason FROM runs WHERE run_id = ${runId}::bigint`),
          ([row]) => row?.cancel_reason ?? null
        )
      const variables = (runId: string) =>
        Effect.flatMap(
          rowsOf(VariableRow)(sql`
            SELECT custom_type, label, value FROM run_variables WHERE run_id = ${runId}::bigint ORDER BY seq`),
          (rows) =>
            Effect.forEach(rows, (row) => Effect.map(open(row.value), (value): VariableRow => ({ ...row, value })))
        )
      const outputs = (runId: string) =>
        Effect.flatMap(
          rowsOf(OutputRow)(
            sql`SELECT type, app_id, output FROM run_outputs WHERE run_id = ${runId}::bigint ORDER BY seq`
          ),
          (rows) =>
            Effect.forEach(rows, (row) => Effect.map(open(row.output), (output): OutputRow => ({ ...row, output })))
        )
      const ledger = (runId: string, path: string, iteration: string) =>
        Effect.map(
          rowsOf(LedgerRow)(sql`SELECT state, attempts, result FROM run_ledger
            WHERE run_id = ${runId}::bigint AND path = ${path} AND iteration = ${iteration}`),
          ([row]) => row ?? null
        )

      const saveItems = Effect.fnUntraced(function* (
        runId: string,
        path: string,
        iteration: string,
        items: ReadonlyArray<unknown>
      ) {
        const chunks = Array.from({ length: Math.ceil(items.length / ITEMS_PER_CHUNK) }, (_, chunk) => ({
          chunk,
          items: seal(items.slice(chunk * ITEMS_PER_CHUNK, (chunk + 1) * ITEMS_PER_CHUNK))
        }))
        if (chunks.length === 0) return
        yield* sql`
          INSERT INTO run_items (run_id, path, iteration, chunk, items)
          SELECT ${runId}::bigint, ${path}, ${iteration}, c.chunk, c.items
          FROM jsonb_to_recordset(${jsonText(chunks)}::jsonb) AS c (chunk int, items jsonb)
          ON CONFLICT (run_id, path, iteration, chunk) DO NOTHING`
      })
      const items = (runId: string, path: string, iteration: string, chunk: number) =>
        Effect.flatMap(
          rowsOf(Items)(sql`SELECT items FROM run_items WHERE run_id = ${runId}::bigint
            AND path = ${path} AND iteration = ${iteration} AND chunk = ${chunk}::int`),
          ([row]) => Effect.map(open(row?.items ?? []), (items) => items as ReadonlyArray<unknown>)
        )

      const page: RunStore["Service"]["page"] = (runId, { join, html, fullscreen, removeBranding }) =>
        Effect.asVoid(sql`
          INSERT INTO run_pages (run_id, html, fullscreen, remove_branding)
          VALUES (${runId}::bigint, ${sealText(html)}, ${fullscreen}, ${removeBranding})
          ON CONFLICT (run_id) DO UPDATE SET fullscreen = excluded.fullscreen, remove_branding = excluded.remove_branding,
            html = CASE ${join}::text WHEN 'add_below' THEN run_pages.html || excluded.html
              WHEN 'add_above' THEN excluded.html || run_pages.html ELSE excluded.html END`)
      const redirect: RunStore["Service"]["redirect"] = (runId, url) =>
        Effect.asVoid(sql`
          INSERT INTO run_pages (run_id, redirect) VALUES (${runId}::bigint, ${sealText(url)})
          ON CONFLICT (run_id) DO UPDATE SET redirect = excluded.redirect`)

      return RunStore.of({
        take,
        read,
        commit,
        cancelReason,
        variables,
        outputs,
        ledger,
        saveItems,
        items,
        page,
        redirect
      })
    })
  )
}
