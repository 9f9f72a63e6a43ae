// Data of a run beside its row: variables, outputs, the ledger of its steps, items of loops, its page, its answer (decisions A1). Values are
// sealed.
import { Effect, Schema } from "effect"
import { ActorTuning } from "../../../platform/config/Tuning.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { countOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { StepFailed } from "../model/StepFailed.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { PAGE_CHARS, tooLong } from "../model/textBounds.ts"
import { mergePageChanges, type PageChange } from "./pageChanges.ts"

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

/** Items of a loop, or targets of a step over a collection, per row of `run_items`. */
export const ITEMS_PER_CHUNK = 100

const Items = Schema.Struct({ items: Schema.Unknown })

export const makeRunData = Effect.gen(function* () {
  const sql = yield* Sql
  const { loopBytesAtMost } = yield* ActorTuning
  const { open, seal, sealText } = yield* makeSealed

  const variables = (runId: string) =>
    Effect.flatMap(
      rowsOf(VariableRow)(sql`
        SELECT custom_type, label, value FROM run_variables WHERE run_id = ${runId}::bigint ORDER BY seq`),
      (rows) => Effect.forEach(rows, (row) => Effect.map(open(row.value), (value): VariableRow => ({ ...row, value })))
    )
  const outputs = (runId: string) =>
    Effect.flatMap(
      rowsOf(OutputRow)(sql`SELECT type, app_id, output FROM run_outputs WHERE run_id = ${runId}::bigint ORDER BY seq`),
      (rows) => Effect.forEach(rows, (row) => Effect.map(open(row.output), (output): OutputRow => ({ ...row, output })))
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
  /** Fails if all items of the run together take too many bytes. */
  const weighItems = (runId: string) =>
    Effect.flatMap(
      countOf(sql`SELECT coalesce(sum(pg_column_size(items)), 0) AS n FROM run_items WHERE run_id = ${runId}::bigint`),
      (bytes) =>
        bytes <= loopBytesAtMost
          ? Effect.void
          : Effect.fail(
              new StepFailed({ message: `The lists of the run's loops take more than ${loopBytesAtMost} bytes.` })
            )
    )
  const items = (runId: string, path: string, iteration: string, chunk: number) =>
    Effect.flatMap(
      rowsOf(Items)(sql`SELECT items FROM run_items WHERE run_id = ${runId}::bigint
        AND path = ${path} AND iteration = ${iteration} AND chunk = ${chunk}::int`),
      ([row]) => Effect.map(open(row?.items ?? []), (items) => items as ReadonlyArray<any>)
    )

  /** Writes page changes in the order of their steps. An addition rewrites the whole page, so additions of the same commit are merged first. */
  const pages = (runId: string, changes: ReadonlyArray<PageChange>) =>
    Effect.forEach(
      mergePageChanges(changes.map((change) => ({ ...change, html: sealText(change.html) }))),
      ({ above, below, fullscreen, removeBranding, replaces }) =>
        Effect.flatMap(
          sql`
          INSERT INTO run_pages (run_id, html, fullscreen, remove_branding)
          VALUES (${runId}::bigint, ${above + below}, ${fullscreen}, ${removeBranding})
          ON CONFLICT (run_id) DO UPDATE SET fullscreen = excluded.fullscreen, remove_branding = excluded.remove_branding,
            html = CASE WHEN ${replaces} THEN excluded.html ELSE ${above} || run_pages.html || ${below} END
          WHERE ${replaces} OR length(run_pages.html) + length(excluded.html) <= ${PAGE_CHARS}
          RETURNING run_id`,
          ({ length }) => (length > 0 ? Effect.void : Effect.fail(tooLong("The page is", PAGE_CHARS)))
        ),
      { discard: true }
    )
  const redirect = (runId: string, url: string) =>
    Effect.asVoid(sql`
      INSERT INTO run_pages (run_id, redirect) VALUES (${runId}::bigint, ${sealText(url)})
      ON CONFLICT (run_id) DO UPDATE SET redirect = excluded.redirect`)

  const isAnswered = (runId: string) =>
    Effect.map(
      countOf(sql`SELECT count(*)::int AS n FROM run_pages WHERE run_id = ${runId}::bigint AND answer IS NOT NULL`),
      (rows) => rows > 0
    )

  return { variables, outputs, ledger, saveItems, weighItems, items, pages, redirect, isAnswered }
})

export type RunData = Effect.Success<typeof makeRunData>
