// Filters for lists of runs (developer-api.md 7.11, 7.13), and their SQL conditions on `runs r`.
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { idListOf } from "../../../platform/sql/idList.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { fold } from "../../../platform/text/folding.ts"
import { waitingFor, waitReasons } from "../run/waitReasons.ts"

/** Times are ISO 8601. */
export const RunFilters = Schema.Struct({
  app_ids: Schema.optionalKey(Schema.Array(Schema.Int)),
  automation_ids: Schema.optionalKey(Schema.Array(Schema.Int)),
  workspace_ids: Schema.optionalKey(Schema.Array(Schema.Int)),
  status: Schema.optionalKey(Schema.Literals(["pending", "running", "completed", "failed", "cancelled"])),
  from: Schema.optionalKey(Schema.String),
  to: Schema.optionalKey(Schema.String),
  run_ids: Schema.optionalKey(Schema.Array(Schema.String)),
  record_ids: Schema.optionalKey(Schema.Array(Schema.Int)),
  caused_by_run_ids: Schema.optionalKey(Schema.Array(Schema.String)),
  retry_of_run_ids: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Chains whose runs are listed, the run with which each began included. */
  chain_run_ids: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Part of the error message, case-insensitive. */
  error_contains: Schema.optionalKey(Schema.String),
  waiting: Schema.optionalKey(Schema.Array(Schema.Literals(waitReasons))),
  /** Filters for operators: an organization's runs, and runs older than a given one. */
  org_id: Schema.optionalKey(Schema.Int),
  before: Schema.optionalKey(Schema.String)
})
export type RunFilters = typeof RunFilters.Type

type Conditions = {
  readonly [K in keyof RunFilters]-?: (value: NonNullable<RunFilters[K]>) => Statement.Fragment | null
}

export const makeRunSearch = (sql: Sql) => {
  const idList = idListOf(sql)
  const conditions: Conditions = {
    // These two narrow the apps in which the caller may look.
    app_ids: () => null,
    workspace_ids: () => null,
    automation_ids: (list) => sql`r.automation_id = ${idList(list)}`,
    status: (status) => sql`r.status = ${status}`,
    from: (at) => sql`r.created_on >= ${new Date(at)}`,
    to: (at) => sql`r.created_on <= ${new Date(at)}`,
    run_ids: (list) => sql`r.run_id = ${idList(list)}`,
    record_ids: (list) => sql`r.record_id = ${idList(list)}`,
    caused_by_run_ids: (list) => sql`r.caused_by_run_id = ${idList(list)}`,
    retry_of_run_ids: (list) => sql`r.retry_of_run_id = ${idList(list)}`,
    chain_run_ids: (list) => sql`(r.root_run_id = ${idList(list)} OR r.run_id = ${idList(list)})`,
    error_contains: (text) =>
      sql`r.error_message IS NOT NULL AND strpos(fold_text(r.error_message), ${fold(text)}::text) > 0`,
    waiting: (whys) => sql.or(whys.length === 0 ? [sql`false`] : whys.map((why) => waitingFor(sql, why))),
    org_id: (id) => sql`r.org_id = ${id}`,
    before: (runId) => sql`r.run_id < ${runId}::bigint`
  }

  const conditionsOf = (filters: RunFilters): ReadonlyArray<Statement.Fragment> =>
    (Object.keys(conditions) as Array<keyof RunFilters>).flatMap((name) => {
      const value = filters[name]
      return value === undefined
        ? []
        : ((conditions[name] as (value: unknown) => Statement.Fragment | null)(value) ?? [])
    })

  return { conditionsOf }
}
