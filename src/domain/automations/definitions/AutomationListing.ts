// Listings of automations by app, workspace and organization (developer-api.md 1.4, 7.3), by ascending id. A caller who is no workspace
// admin, or whose token does not select the app, gets an empty list rather than 404 (section 7).
import { Context, Effect, Layer, Schema } from "effect"
import type { ValidationError } from "../../../platform/primitives/errors.ts"
import { Cursors } from "../../../platform/sealing/Cursors.ts"
import { countOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { fold, foldCase } from "../../../platform/text/folding.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { spelledTag } from "../input/automationTags.ts"
import { Automations } from "./Automations.ts"
import { administeredApps, type ListedWithin } from "./administeredApps.ts"
import { type Status, statusCondition } from "./automationStatus.ts"
import type { AutomationView } from "./automationView.ts"
import { automationColumns, readRow, StoredAutomation } from "./StoredAutomation.ts"

export type { ListedWithin } from "./administeredApps.ts"

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string
  readonly status?: Status
  /** Part of the name, case-insensitive. */
  readonly name?: string
  /** Tag that they have, case-insensitive. */
  readonly tag?: string
}
export interface AutomationPage {
  readonly total: number
  readonly cursor: string | null
  readonly automations: ReadonlyArray<AutomationView>
}

const TAGS_LISTED = 1_000

/** Tag as most automations spell it, and how many have it. */
const TagUse = Schema.Struct({ tag: Schema.String, automations: Schema.Int })
type TagUse = typeof TagUse.Type

export class AutomationListing extends Context.Service<
  AutomationListing,
  {
    readonly page: (
      caller: CallerShape,
      within: ListedWithin,
      query: PageQuery
    ) => Effect.Effect<AutomationPage, ValidationError>
    /** Tags of the organization's automations that the caller may see, the most used first. */
    readonly tags: (caller: CallerShape) => Effect.Effect<ReadonlyArray<TagUse>>
  }
>()("millrace/automations/definitions/AutomationListing") {
  static readonly layer = Layer.effect(
    AutomationListing,
    Effect.gen(function* () {
      const sql = yield* Sql
      const cursors = yield* Cursors
      const { view } = yield* Automations

      const page = Effect.fn("AutomationListing.page")(function* (
        caller: CallerShape,
        within: ListedWithin,
        { cursor, limit, name, status, tag }: PageQuery
      ) {
        const scope = within.kind === "org" ? "org" : `${within.kind}/${within.id}`
        // Without a tag as the release before writes it, so that its cursors hold.
        const filters =
          tag === undefined
            ? `${status ?? ""}${name === undefined ? "" : `/${name}`}`
            : JSON.stringify([status ?? null, name ?? null, tag])
        const listing = `automations/${caller.userId}/${scope}/${filters}`
        const apps = yield* administeredApps(sql, caller, within)
        const from = sql`
            FROM automations x JOIN apps a USING (app_id)
            WHERE x.deleted_on IS NULL AND x.app_id = ANY(${apps}::text[]::bigint[])
              AND ${sql.literal(status === undefined ? "true" : statusCondition[status])}
              AND ${name === undefined ? sql.literal("true") : sql`strpos(fold_text(x.name), ${fold(name)}::text) > 0`}
              AND ${tag === undefined ? sql.literal("true") : sql`${foldCase(spelledTag(tag))}::text IN (SELECT fold_case(t) FROM unnest(x.tags) t)`}`
        const page =
          cursor === undefined
            ? { total: yield* countOf(sql`SELECT count(*)::int AS n ${from}`), position: 0 }
            : yield* cursors.read(listing, cursor, Schema.Int)
        const rows = yield* rowsOf(StoredAutomation)(sql`
            SELECT ${sql.literal(automationColumns)} ${from} AND x.automation_id > ${page.position}
            ORDER BY x.automation_id LIMIT ${limit + 1}`)
        const pageRows = rows.slice(0, limit)
        const next =
          rows.length > limit
            ? yield* cursors.issue(listing, { total: page.total, position: pageRows.at(-1)!.automation_id })
            : null
        return {
          total: page.total,
          cursor: next,
          automations: yield* Effect.forEach(pageRows, (row) => Effect.andThen(Effect.yieldNow, view(readRow(row))))
        }
      }, orSqlDefect)

      const tags = Effect.fn("AutomationListing.tags")(function* (caller: CallerShape) {
        const apps = yield* administeredApps(sql, caller, { kind: "org" })
        return yield* rowsOf(TagUse)(sql`
            SELECT mode() WITHIN GROUP (ORDER BY t) AS tag, count(*)::int AS automations
            FROM automations x, unnest(x.tags) t
            WHERE x.deleted_on IS NULL AND x.app_id = ANY(${apps}::text[]::bigint[])
            GROUP BY fold_case(t) ORDER BY automations DESC, fold_case(t) LIMIT ${TAGS_LISTED}`)
      }, orSqlDefect)
      return AutomationListing.of({ page, tags })
    })
  )
}
