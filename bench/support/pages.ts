// Pages of large apps: records with a text and a number, and the listings that are asked for (developer-api.md 1.4, 4.4).
import { Effect } from "effect"
import { buildFieldIndexes } from "../../src/domain/records/listing/buildFieldIndexes.ts"
import type { AppOf, Bed } from "./bed.ts"
import { operatorOf } from "./machine.ts"
import { BenchFailed, benchFailed } from "./Row.ts"

/** Distinct numbers, evenly spread over the records: each occurs in one record of a hundred. */
const NUMBERS = 100
const PAGE = 50
/** Number of the page far behind the first. */
export const DEEP = 100
/** Records of one statement. */
const AT_ONCE = 500_000

export interface Listing {
  readonly what: string
  readonly sort?: string
  readonly filters: ReadonlyArray<object>
}

/** Adds records without the triggers of records: their entries of the search are no part of a page. */
export const seedPages = Effect.fnUntraced(function* ({ orgId, sql }: Bed, { appId, fields }: AppOf, records: number) {
  const rows = (from: number) => sql`
    INSERT INTO records (org_id, app_id, app_record_id, title, cells, created_on, created_by)
    SELECT ${orgId}, ${appId}, n, 'Row ' || n, jsonb_build_object(
        ${String(fields["name"])}::text, jsonb_build_array('Row ' || md5(n::text)),
        ${String(fields["count"])}::text, jsonb_build_array(n % ${NUMBERS}::int)),
      now(), '{"type":"user","user_id":1}'
    FROM generate_series(${from + 1}::int, ${Math.min(records, from + AT_ONCE)}::int) AS n`
  const counted = sql`INSERT INTO record_counts (app_id, change) VALUES (${appId}, ${records})`
  const batches = Array.from({ length: Math.ceil(records / AT_ONCE) }, (_, batch) =>
    sql.withTransaction(Effect.andThen(sql`SET LOCAL session_replication_role = replica`, rows(batch * AT_ONCE)))
  )
  yield* Effect.all([...batches, counted], { discard: true })
}, Effect.mapError(benchFailed))

/** Listings of an app, and the request of one of their pages. */
export const pagesOf = (bed: Bed, { appId, fields }: AppOf) => {
  const { count, name } = fields
  const number = (match_type: string, value: number) => ({
    field_id: count,
    type: "number",
    match_type,
    values: [{ value }]
  })
  const listings: ReadonlyArray<Listing> = [
    { what: "newest first", filters: [] },
    { what: "one number in a hundred", filters: [number("equal", 7)] },
    { what: "half of all numbers", filters: [number("smaller", NUMBERS / 2)] },
    { what: "in the order of a number", sort: `sort_by=${count}&`, filters: [] },
    { what: "in the order of a text", sort: `sort_by=${name}&`, filters: [] }
  ]
  // Sends no Idempotency-Key, as a client that only reads sends none: the answer would be stored for a day, which waits for the disk.
  const call = ({ filters, sort = "" }: Listing, cursor?: string) => {
    const query = `${sort}limit=${PAGE}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
    const page =
      filters.length === 0
        ? bed.client.get("GET", `/v1/record/app/${appId}?${query}`)
        : bed.client.get("POST", `/v1/record/filter/app/${appId}?${query}`, { body: { filters }, key: null })
    return Effect.mapError(page, ({ message }) => new BenchFailed({ message }))
  }
  /** The cursor of a page so many pages behind the first. */
  const deep = Effect.fnUntraced(function* (one: Listing) {
    let cursor: string | undefined
    for (let page = 1; page < DEEP; page++) cursor = (yield* call(one, cursor)).cursor ?? cursor
    return cursor
  })
  return { listings, call, deep }
}

/** Requests each listing once, for which housekeeping then builds the indexes, and has them built. */
export const buildIndexesFor = Effect.fnUntraced(function* (bed: Bed, apps: ReadonlyArray<ReturnType<typeof pagesOf>>) {
  for (const { call, listings } of apps) for (const listing of listings) yield* call(listing)
  yield* Effect.mapError(Effect.provide(buildFieldIndexes, operatorOf(bed.machine)), benchFailed)
  for (const table of ["records", "record_keys"])
    yield* Effect.mapError(bed.sql.unsafe(`VACUUM (ANALYZE) ${table}`), benchFailed)
})
