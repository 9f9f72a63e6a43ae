// Pages of an app with very many records, one call after another: as it is, by one field's filter and by one field's order, the first page
// and the hundredth (developer-api.md 1.4, 4.4).
import { Effect } from "effect"
import { buildFieldIndexes } from "../../src/domain/records/listing/buildFieldIndexes.ts"
import { type AppOf, type Bed, makeBed } from "../support/bed.ts"
import type { Check, Reading } from "../support/Check.ts"
import { callTimes } from "../support/callTimes.ts"
import { operatorOf } from "../support/machine.ts"
import { BenchFailed } from "../support/Row.ts"

const RECORDS = 1_000_000
/** Distinct numbers, evenly spread over the records: each occurs in one record of a hundred. */
const NUMBERS = 100
const PAGE = 50
const DEEP = 100
const FIRST_MILLIS = 5
const MILLIS = 50

const seed = Effect.fnUntraced(function* ({ orgId, sql }: Bed, { appId, fields }: AppOf, records: number) {
  yield* sql`
    INSERT INTO records (org_id, app_id, app_record_id, title, cells, created_on, created_by)
    SELECT ${orgId}, ${appId}, n, 'Row ' || n, jsonb_build_object(
        ${String(fields["name"])}::text, jsonb_build_array('Row ' || md5(n::text)),
        ${String(fields["count"])}::text, jsonb_build_array(n % ${NUMBERS}::int)),
      now(), '{"type":"user","user_id":1}'
    FROM generate_series(1, ${records}::int) AS n`
})

interface Listing {
  readonly what: string
  readonly sort?: string
  readonly filters: ReadonlyArray<object>
}

export const listing: Check = {
  name: "listing",
  work: `pages of an app of --records records (${RECORDS}): all, by a filter, in an order; the first and the ${DEEP}th`,
  seconds: 60,
  run: Effect.fnUntraced(function* (seconds, say, { records = RECORDS }) {
    const bed = yield* makeBed("bench-listing", { temporal: false })
    const app = yield* bed.app("Big")
    const { count, name } = app.fields
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
          ? bed.client.get("GET", `/v1/record/app/${app.appId}?${query}`)
          : bed.client.get("POST", `/v1/record/filter/app/${app.appId}?${query}`, { body: { filters }, key: null })
      return Effect.mapError(page, ({ message }) => new BenchFailed({ message }))
    }
    /** The cursor of the last page of so many. */
    const deep = Effect.fnUntraced(function* (one: Listing) {
      let cursor: string | undefined
      for (let page = 1; page < DEEP; page++) cursor = (yield* call(one, cursor)).cursor ?? cursor
      return cursor
    })
    yield* Effect.mapError(seed(bed, app, records), ({ message }) => new BenchFailed({ message }))
    say(`${records} records`)
    // Requests each listing once, for which housekeeping then builds the indexes.
    for (const indexedListing of listings) yield* call(indexedListing)
    yield* Effect.orDie(Effect.provide(buildFieldIndexes, operatorOf(bed.machine)))
    for (const table of ["records", "record_keys"]) yield* Effect.orDie(bed.sql.unsafe(`VACUUM (ANALYZE) ${table}`))
    say("the fields have their indexes")
    const read: Array<Reading> = []
    for (const listing of listings) {
      for (const page of [1, DEEP]) {
        const cursor = page === 1 ? undefined : yield* deep(listing)
        yield* callTimes(1, call(listing, cursor))
        const { p50, p99 } = yield* callTimes(seconds / listings.length / 2, call(listing, cursor))
        const what = `${listing.what}, page ${page}`
        const isDefaultFirstPage = page === 1 && listing.filters.length === 0 && listing.sort === undefined
        say(`${what}: ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
        read.push(
          { what: `${what}, p50`, value: p50, unit: "ms", ...(isDefaultFirstPage ? { atMost: FIRST_MILLIS } : {}) },
          { what: `${what}, p99`, value: p99, unit: "ms", atMost: MILLIS }
        )
      }
    }
    return read
  }, Effect.scoped)
}
