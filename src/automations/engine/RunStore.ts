// The rows of runs: taking one over, committing a step (run row, ledger, log, values in one statement), ending (A1, A3).
// No statement here commits anything for a run whose fence has been raised since.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { jsonText } from "../../sql/json.ts"
import { makeFailing } from "./failing.ts"
import { type Commit, type Holder, type LoadedRun, type RunRow, RunTaken } from "./Run.ts"
import type { TriggerData } from "./Scope.ts"

type Tx<A, E = never> = Effect.Effect<A, E | SqlError>

export interface VariableRow {
  readonly custom_type: string
  readonly label: string
  readonly value: unknown
}
export interface OutputRow {
  readonly type: string
  readonly app_id: number
  readonly output: unknown
}
export interface LedgerRow {
  readonly state: "started" | "done" | "failed"
  readonly attempts: number
  readonly result: any
}

export interface InboxRow {
  readonly row_id: number
  readonly event_id: number
}

/** Items of a loop, or targets of a step over a collection, in one row of `run_items`. */
export const ITEMS_PER_CHUNK = 100

export class RunStore extends Context.Service<
  RunStore,
  {
    /** Raises the fence and loads the run; null when it is over or gone. */
    readonly take: (runId: string) => Tx<LoadedRun | null>
    /** In a transaction. Fails with `RunTaken` when another executor has the run. Answers whether a cancel is asked for. */
    readonly commit: (run: RunRow, commit: Commit, inboxRow: InboxRow | null) => Tx<boolean, RunTaken>
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
>()("millrace/automations/engine/RunStore") {
  static readonly layer = Layer.effect(
    RunStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

      const columns = sql.literal(
        ["run_id", "revision_id", "root_run_id"].map((name) => `r.${name}::text`).join(", ") +
          ", r.org_id, r.app_id, r.automation_id, r.event_id, r.type, r.status, r.cursor, r.fence, r.durable, r.wait_until," +
          " r.cancel_requested_on, r.record_id, r.depth, r.chain, r.log_seq, r.credits, r.executed_ms, r.most_recent_error," +
          " r.created_on, r.started_on"
      )

      const take = Effect.fnUntraced(function* (runId: string) {
        const at = yield* now
        const [row] = yield* sql<RunRow & Holder & { trigger: TriggerData }>`
          WITH r AS (
            UPDATE runs SET fence = fence + 1, status = 'running', started_on = coalesce(started_on, ${at})
            WHERE run_id = ${runId}::bigint AND status IN ('pending', 'running') RETURNING *
          )
          SELECT ${columns}, t.data AS trigger, a.owner_id, a.deleted_on IS NOT NULL AS deleted, p.workspace_id,
            u.person_id AS owner_person_id, u.role AS owner_role, u.status = 'active' AS owner_active
          FROM r JOIN run_triggers t USING (run_id) JOIN automations a USING (automation_id)
            JOIN apps p ON p.app_id = a.app_id JOIN users u ON u.user_id = a.owner_id`
        if (row === undefined) return null
        const { trigger, workspace_id, owner_id, owner_person_id, owner_role, owner_active, deleted, ...run } = row
        const holder: Holder = { workspace_id, owner_id, owner_person_id, owner_role, owner_active, deleted }
        return { run, holder, trigger }
      })

      const none = sql.literal("")
      const failing = makeFailing(sql)
      /** With the end of a run go its place and its mailbox row, and with that the event where no other row needs it. */
      const leave = (row: InboxRow | null) => sql`, place AS (
            DELETE FROM run_places WHERE run_id = (SELECT run_id FROM fenced)
          )${
            row === null
              ? none
              : sql`, mailbox AS (
            DELETE FROM automation_inbox WHERE row_id = ${String(row.row_id)}::bigint
              AND run_id = (SELECT run_id FROM fenced)
          ), event AS (
            DELETE FROM automation_events WHERE event_id = ${String(row.event_id)}::bigint
              AND EXISTS (SELECT 1 FROM fenced) AND NOT EXISTS (
                SELECT 1 FROM automation_inbox i
                WHERE i.event_id = ${String(row.event_id)}::bigint AND i.row_id <> ${String(row.row_id)}::bigint)
          )`
          }`

      const commit = Effect.fnUntraced(function* (run: RunRow, c: Commit, inboxRow: InboxRow | null) {
        const at = yield* now
        const { ledger, ending } = c
        const seq = run.log_seq
        const logs = c.logs.map((entry, index) => ({ ...entry, seq: seq + index + 1 }))
        const values = c.variables.map((variable, index) => ({ ...variable, seq: seq + index }))
        const rows = yield* sql<{ cancel: boolean }>`
          WITH fenced AS (
            UPDATE runs SET
              cursor = ${jsonText(c.cursor)}::jsonb, log_seq = log_seq + ${logs.length}::int,
              credits = credits + ${c.credits}::int, executed_ms = executed_ms + ${String(c.executedMs)}::bigint,
              most_recent_error = ${c.mostRecentError}, wait_until = ${c.waitUntil},
              status = ${ending?.status ?? "running"}, failure_reason = ${ending?.failure_reason ?? null},
              error_message = ${ending?.error_message ?? null}, completed_on = ${ending === null ? null : at}
            WHERE run_id = ${run.run_id}::bigint AND fence = ${run.fence} AND status = 'running'
            RETURNING run_id, cancel_requested_on IS NOT NULL AS cancel
          ), ledger AS (
            INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on, done_on)
            SELECT run_id, ${ledger?.path ?? null}, ${ledger?.iteration ?? null}, ${ledger?.action_id ?? null},
              ${ledger?.state ?? null}, ${ledger?.attempts ?? 1}::int,
              nullif(${jsonText(ledger?.result ?? null)}::jsonb, 'null'::jsonb),
              ${at}, ${ledger === null || ledger.state === "started" ? null : at}
            FROM fenced WHERE ${ledger !== null}
            ON CONFLICT (run_id, path, iteration) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
              result = coalesce(excluded.result, run_ledger.result), done_on = excluded.done_on
          ), log AS (
            INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, record_id, detail, logged_on)
            SELECT run_id, l.seq, l.type, l.status, l.label, l.messages, l.action_id, l.record_id,
              nullif(l.detail, 'null'::jsonb), ${at}
            FROM fenced, jsonb_to_recordset(${jsonText(logs)}::jsonb) AS l (seq int, type text, status text,
              label text, messages jsonb, action_id text, record_id bigint, detail jsonb)
          ), variables AS (
            INSERT INTO run_variables (run_id, custom_type, label, seq, value)
            SELECT run_id, v.custom_type, v.label, v.seq, v.value
            FROM fenced, jsonb_to_recordset(${jsonText(values)}::jsonb)
              AS v (custom_type text, label text, seq int, value jsonb)
            ON CONFLICT (run_id, custom_type, label) DO UPDATE SET seq = excluded.seq, value = excluded.value
          ), outputs AS (
            INSERT INTO run_outputs (run_id, type, app_id, seq, output)
            SELECT run_id, o.type, o.app_id, ${seq}::int, o.output
            FROM fenced, jsonb_to_recordset(${jsonText(c.outputs)}::jsonb)
              AS o (type text, app_id bigint, output jsonb)
            ON CONFLICT (run_id, type, app_id) DO UPDATE SET seq = excluded.seq, output = excluded.output
          )${ending === null ? none : leave(inboxRow)}${
            ending?.status === "completed" && run.type !== "simulation"
              ? sql`, well AS (${failing.over(run.automation_id)})`
              : none
          }
          SELECT cancel, set_config('synchronous_commit',
            CASE WHEN ${c.lazy} THEN 'off' ELSE current_setting('synchronous_commit') END, true) FROM fenced`
        if (rows.length === 0) return yield* new RunTaken({ runId: run.run_id })
        if (ending?.status === "failed") yield* failing.begin([run.run_id])
        return rows[0]!.cancel
      })

      const variables = (runId: string) =>
        sql<VariableRow>`SELECT custom_type, label, value FROM run_variables WHERE run_id = ${runId}::bigint ORDER BY seq`
      const outputs = (runId: string) =>
        sql<OutputRow>`SELECT type, app_id, output FROM run_outputs WHERE run_id = ${runId}::bigint ORDER BY seq`
      const ledger = (runId: string, path: string, iteration: string) =>
        Effect.map(
          sql<LedgerRow>`SELECT state, attempts, result FROM run_ledger
            WHERE run_id = ${runId}::bigint AND path = ${path} AND iteration = ${iteration}`,
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
          items: items.slice(chunk * ITEMS_PER_CHUNK, (chunk + 1) * ITEMS_PER_CHUNK)
        }))
        if (chunks.length === 0) return
        yield* sql`
          INSERT INTO run_items (run_id, path, iteration, chunk, items)
          SELECT ${runId}::bigint, ${path}, ${iteration}, c.chunk, c.items
          FROM jsonb_to_recordset(${jsonText(chunks)}::jsonb) AS c (chunk int, items jsonb)
          ON CONFLICT (run_id, path, iteration, chunk) DO NOTHING`
      })
      const items = (runId: string, path: string, iteration: string, chunk: number) =>
        Effect.map(
          sql<{ items: ReadonlyArray<unknown> }>`SELECT items FROM run_items WHERE run_id = ${runId}::bigint
            AND path = ${path} AND iteration = ${iteration} AND chunk = ${chunk}::int`,
          ([row]) => row?.items ?? []
        )

      const page: RunStore["Service"]["page"] = (runId, { join, html, fullscreen, removeBranding }) =>
        Effect.asVoid(sql`
          INSERT INTO run_pages (run_id, html, fullscreen, remove_branding)
          VALUES (${runId}::bigint, ${html}, ${fullscreen}, ${removeBranding})
          ON CONFLICT (run_id) DO UPDATE SET fullscreen = excluded.fullscreen, remove_branding = excluded.remove_branding,
            html = CASE ${join}::text WHEN 'add_below' THEN run_pages.html || excluded.html
              WHEN 'add_above' THEN excluded.html || run_pages.html ELSE excluded.html END`)
      const redirect: RunStore["Service"]["redirect"] = (runId, url) =>
        Effect.asVoid(sql`
          INSERT INTO run_pages (run_id, redirect) VALUES (${runId}::bigint, ${url})
          ON CONFLICT (run_id) DO UPDATE SET redirect = excluded.redirect`)

      return RunStore.of({ take, commit, variables, outputs, ledger, saveItems, items, page, redirect })
    })
  )
}
