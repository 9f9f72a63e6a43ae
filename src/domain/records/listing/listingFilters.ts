// Narrows a listing of live records, and groups of them, alike (developer-api.md 4.2, 4.4): by record filters and by a part of the title. Reads
// the filters and the order of a saved view.
import { hash } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { NotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import { makeFilterContexts } from "../filters/FilterContexts.ts"
import { resolveFilters } from "../filters/resolveFilters.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { makeSelection } from "./recordSelect.ts"

/** Filters, and how a request reads them. */
export interface ListingNarrowing {
  readonly filters: RecordFilters
  /** The filters were judged when they were stored. */
  readonly stored: boolean
  /** Text that the title contains. */
  readonly title?: string | undefined
  /** An IANA zone, in which relative dates are judged; left out: that of the caller's profile. */
  readonly timezone?: string | undefined
}

const SavedView = Schema.Struct({
  filters: jsonb<RecordFilters>(),
  sort_by: Schema.NullOr(Schema.Int),
  sort_desc: Schema.Boolean,
  group_by: Schema.NullOr(Schema.Int)
})

const digest = (value: unknown) => hash("sha256", JSON.stringify(value), "base64url").slice(0, 22)

export const makeNarrowing = Effect.gen(function* () {
  const sql = yield* Sql
  const { titled } = yield* makeSelection
  const contextOf = yield* makeFilterContexts

  /** The conditions, and their part of the name that a cursor is bound to. */
  const narrow = Effect.fnUntraced(function* (
    caller: CallerShape,
    definition: AppDefinition,
    narrowing: ListingNarrowing
  ) {
    const { filters, stored, timezone } = narrowing
    const title = (narrowing.title ?? "").trim()
    const context = yield* contextOf(filters, { userId: caller.userId, timezone, stored })
    const resolved = resolveFilters(definition, filters, context)
    if (Result.isFailure(resolved)) return yield* new ValidationError({ message: resolved.failure })
    const narrowed =
      filters.length === 0 ? "" : `${caller.userId} ${digest(timezone === undefined ? filters : [filters, timezone])}`
    return {
      conditions: resolved.success.conditions,
      ...(title === "" ? {} : { also: titled(definition, title) }),
      cursorName: `${narrowed}${title === "" ? "" : ` ${digest(title)}`}`
    }
  })

  const savedView = Effect.fnUntraced(function* (viewId: number) {
    const view = yield* rowOf(SavedView)(sql`
      SELECT filters, sort_by, sort_desc, group_by FROM views WHERE view_id = ${viewId}`)
    return view ?? (yield* new NotFound({ message: `No view with id ${viewId}.` }))
  })

  return { narrow, savedView }
})
