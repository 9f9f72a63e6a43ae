// Pages of records (developer-api.md 1.4, 4.2): of an app, of its trash, of a view, and by a filter.
import { Context, Effect, Layer, Result, Schema } from "effect"
import { type NotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { Cursors } from "../../../platform/sealing/Cursors.ts"
import { countOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import type { UserView } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { withFields } from "../reading/chosenFields.ts"
import { Records } from "../reading/Records.ts"
import type { SelectedRows } from "../reading/selectedRows.ts"
import { Position } from "./distantPages.ts"
import { type ListingNarrowing, makeNarrowing } from "./listingFilters.ts"
import { makeSelection } from "./recordSelect.ts"
import type { Order } from "./Selection.ts"
import { sortName, sortOf } from "./sorting.ts"

export const pageLimits = { default: 50, max: 500 } as const

/** `limit` and `cursor` as sent. */
export interface PageRequest {
  readonly limit?: number
  readonly cursor?: string
}
/** Request of a page of live records. */
export interface LookRequest extends PageRequest {
  /** Records left out before the first of this page. */
  readonly offset?: number
  /** Names of the fields that are shown (../reading/chosenFields.ts); left out: all. */
  readonly fields?: string
  /** `none`: the page's `total` is null, and nothing is counted. */
  readonly total?: "exact" | "none"
  /** Text that the title contains. */
  readonly title?: string
  /** An IANA zone, in which relative dates are judged; left out: that of the caller's profile. */
  readonly timezone?: string
}
export interface SortRequest {
  readonly sort_by?: string
  readonly sort_desc?: boolean
}
export interface RecordPage {
  /** Null if the request asked for none. */
  readonly total: number | null
  readonly cursor: string | null
  /** Each as the API shows it: JSON. */
  readonly records: ReadonlyArray<string>
}

type Paged = Effect.Effect<RecordPage, ValidationError | NotFound>

export class Listings extends Context.Service<
  Listings,
  {
    /** Newest first unless sorted; `filters: null` lists all. */
    readonly ofApp: (grant: AccessGrant, filters: RecordFilters | null, page: LookRequest & SortRequest) => Paged
    /** Latest deletion first. */
    readonly trash: (grant: AccessGrant, page: PageRequest) => Paged
    /** The grant's view: its filters and sort. */
    readonly ofView: (grant: AccessGrant, page: LookRequest) => Paged
  }
>()("millrace/records/Listings") {
  static readonly layer = Layer.effect(
    Listings,
    Effect.suspend(() => make)
  )
}

const TrashedRow = Schema.Struct({ ...RecordRow.fields, deleted: Schema.String })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const cursors = yield* Cursors
  const records = yield* Records
  const selection = yield* makeSelection
  const { narrow, savedView } = yield* makeNarrowing
  const invalid = (message: string) => new ValidationError({ message })

  /** Reads a page of any listing. The first page counts the total; the cursor carries it to the others. */
  const page = Effect.fnUntraced(function* <Row extends RecordRow, P, E1, E2>(
    listing: string,
    request: PageRequest,
    position: Schema.Decoder<P>,
    count: Effect.Effect<number, E1>,
    pages: (after: P | null, limit: number) => Effect.Effect<SelectedRows<Row>, E2>,
    positionOf: (row: Row) => P,
    shownAs: (rows: ReadonlyArray<Row>, users?: ReadonlyArray<UserView>) => Effect.Effect<ReadonlyArray<string>>,
    { counts = true, skipped = 0 } = {}
  ) {
    const limit = request.limit ?? pageLimits.default
    if (limit < 0 || limit > pageLimits.max) return yield* invalid(`limit: expected 0 to ${pageLimits.max}.`)
    const cursorState = request.cursor === undefined ? null : yield* cursors.read(listing, request.cursor, position)
    if (limit === 0) return { total: counts ? (cursorState?.total ?? (yield* count)) : null, cursor: null, records: [] }
    const page = yield* pages(cursorState?.position ?? null, limit + 1)
    const pageRows = page.rows.slice(0, limit)
    // Skips the count on a first page that contains everything.
    const isComplete = page.rows.length <= limit && skipped === 0
    const total = counts
      ? (cursorState?.total ?? (isComplete ? page.rows.length : (page.total ?? (yield* count))))
      : null
    const cursor =
      page.rows.length > limit
        ? yield* cursors.issue(listing, { total: total ?? 0, position: positionOf(pageRows.at(-1)!) })
        : null
    return { total, cursor, records: yield* shownAs(pageRows, page.users) }
  })

  const listPage = Effect.fnUntraced(function* (
    scope: string,
    { caller }: AccessGrant,
    definition: AppDefinition,
    filters: Pick<ListingNarrowing, "filters" | "stored">,
    order: Order,
    request: LookRequest
  ) {
    const { offset = 0, timezone, title } = request
    if (offset < 0) return yield* invalid("offset: expected 0 or more.")
    const chosenDefinition = withFields(definition, request.fields)
    if (Result.isFailure(chosenDefinition)) return yield* invalid(chosenDefinition.failure)
    const { cursorName, ...narrowed } = yield* narrow(caller, definition, { ...filters, timezone, title })
    const chosenRecords = { definition, order, ...narrowed }
    const sorted = typeof order === "string" ? order : sortName(order)
    const counts = request.total !== "none"
    // Cursors carry the total, so that a listing that counts nothing has cursors of its own.
    const bound = `${scope} ${sorted} ${cursorName}${counts ? "" : " uncounted"}`
    const { count, pages } = yield* selection.both({ ...chosenRecords, offset }, counts)
    return yield* page(
      bound,
      request,
      Position,
      count,
      pages,
      ({ record_id, sort_key }) => ({ id: record_id, ...(sort_key === undefined ? {} : { key: sort_key }) }),
      (rows, users) =>
        records.rendered(
          rows.map((record) => ({ record, definition: chosenDefinition.success })),
          users
        ),
      { counts, skipped: offset }
    )
  }, orSqlDefect)

  const ofApp = Effect.fn("Listings.ofApp")(function* (
    grant: AccessGrant,
    filters: RecordFilters | null,
    request: LookRequest & SortRequest
  ) {
    const definition = yield* selection.granted(grant)
    const sort = request.sort_by === undefined ? null : sortOf(definition, request.sort_by, request.sort_desc ?? false)
    if (sort !== null && Result.isFailure(sort)) return yield* invalid(sort.failure)
    const order = sort === null ? "newest" : sort.success
    const scope = `records/app/${grant.appId}${filters === null ? "" : "/filter"}`
    return yield* listPage(scope, grant, definition, { filters: filters ?? [], stored: false }, order, request)
  })

  const ofView = Effect.fn("Listings.ofView")(function* (grant: AccessGrant, request: LookRequest) {
    const definition = yield* selection.granted(grant)
    const view = yield* savedView(grant.id)
    const field = view.sort_by === null ? undefined : definition.byId.get(view.sort_by)
    const order = field === undefined ? "newest" : { by: field, desc: view.sort_desc }
    const filters = { filters: view.filters, stored: true }
    return yield* listPage(`records/view/${grant.id}`, grant, definition, filters, order, request)
  }, orSqlDefect)

  const trash = Effect.fn("Listings.trash")((grant: AccessGrant, request: PageRequest) => {
    const from = sql`FROM records r WHERE r.app_id = ${grant.appId} AND r.deleted_on IS NOT NULL`
    return page(
      `records/app/${grant.appId}/trash`,
      request,
      Position,
      countOf(sql`SELECT count(*)::int AS n ${from}`),
      (after, limit) =>
        Effect.map(
          rowsOf(TrashedRow)(sql`
          SELECT ${selection.columns}, r.deleted_on::text AS deleted ${from}
            AND ${after === null ? sql.literal("true") : sql`(r.deleted_on, r.record_id) < (${after.key}::timestamptz, ${after.id}::bigint)`}
          ORDER BY r.deleted_on DESC, r.record_id DESC LIMIT ${limit}::int`),
          (rows) => ({ rows })
        ),
      ({ record_id, deleted }) => ({ id: record_id, key: deleted }),
      records.views
    )
  }, orSqlDefect)

  return Listings.of({ ofApp, trash, ofView })
})
