// Copies data of an earlier run into a new one: everything that a retried run has finished, or the values for the test of a single step
// (developer-api.md 7.8, 7.13).
import type { Sql } from "../../../platform/sql/Sql.ts"
import { runHolder } from "../../records/files/File.ts"

export const makeCopyEarlierRun = (sql: Sql) => {
  /** Negative sequence numbers keep the order and come before everything that the run publishes itself. */
  const orderKept = sql.literal("-row_number() OVER (ORDER BY seq DESC)")

  /**
   * Copies ledger, items and values of the retried run. A loop that failed continues with its items. Any other failed step begins anew, on
   * its present targets. So does a step that waited for called runs, which the new run does not have.
   */
  const takeOver = (runId: string) => sql`
    WITH pair AS (
      SELECT run_id AS fresh, retry_of_run_id AS old FROM runs WHERE run_id = ${runId}::bigint
    ), ledger AS (
      INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on, done_on)
      SELECT fresh, path, iteration, action_id, CASE state WHEN 'failed' THEN 'started' ELSE state END, attempts,
        result, started_on, done_on
      FROM run_ledger l JOIN pair ON run_id = old
      WHERE (state <> 'failed' OR coalesce(result ? 'type' AND result ? 'size', false)) AND (state = 'done' OR NOT EXISTS (
        SELECT 1 FROM run_calls c WHERE c.run_id = l.run_id AND c.path = l.path AND c.iteration = l.iteration))
      RETURNING path, iteration
    ), items AS (
      INSERT INTO run_items (run_id, path, iteration, chunk, items)
      SELECT fresh, path, iteration, chunk, items FROM run_items JOIN pair ON run_id = old JOIN ledger USING (path, iteration)
    ), variables AS (
      INSERT INTO run_variables (run_id, custom_type, label, seq, value)
      SELECT fresh, custom_type, label, ${orderKept}, value FROM run_variables JOIN pair ON run_id = old
    ), holds AS (
      INSERT INTO file_holds (file_id, holder)
      SELECT h.file_id, ${runHolder("")} || fresh FROM file_holds h JOIN pair ON h.holder = ${runHolder("")} || old
      ON CONFLICT DO NOTHING
    ), outputs AS (
      INSERT INTO run_outputs (run_id, type, app_id, seq, output)
      SELECT fresh, type, app_id, ${orderKept}, output FROM run_outputs JOIN pair ON run_id = old
    )
    INSERT INTO run_pages (run_id, html, fullscreen, remove_branding, redirect, answer)
    SELECT fresh, html, fullscreen, remove_branding, redirect, answer FROM run_pages JOIN pair ON run_id = old`

  const takeValues = (runId: string, from: string) => sql`
    WITH variables AS (
      INSERT INTO run_variables (run_id, custom_type, label, seq, value)
      SELECT ${runId}::bigint, custom_type, label, ${orderKept}, value FROM run_variables WHERE run_id = ${from}::bigint
    ), holds AS (
      INSERT INTO file_holds (file_id, holder)
      SELECT file_id, ${runHolder(runId)} FROM file_holds WHERE holder = ${runHolder(from)}
      ON CONFLICT DO NOTHING
    )
    INSERT INTO run_outputs (run_id, type, app_id, seq, output)
    SELECT ${runId}::bigint, type, app_id, ${orderKept}, output FROM run_outputs WHERE run_id = ${from}::bigint`

  return { takeOver, takeValues }
}
