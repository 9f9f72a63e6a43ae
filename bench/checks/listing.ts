// Pages of an app with very many records, one call after another: as it is, by one field's filter and by one field's order, the first page
// and the hundredth (developer-api.md 1.4, 4.4).
import { Effect } from "effect"
import { makeBed } from "../support/bed.ts"
import type { Check, Reading } from "../support/Check.ts"
import { callTimes } from "../support/callTimes.ts"
import { buildIndexesFor, DEEP, pagesOf, seedPages } from "../support/pages.ts"

const RECORDS = 1_000_000
const FIRST_MILLIS = 5
const MILLIS = 50

export const listing: Check = {
  name: "listing",
  work: `pages of an app of --records records (${RECORDS}): all, by a filter, in an order; the first and the ${DEEP}th`,
  seconds: 60,
  run: Effect.fnUntraced(function* (seconds, say, { records = RECORDS }) {
    const bed = yield* makeBed("bench-listing", { temporal: false })
    const app = yield* bed.app("Big")
    const pages = pagesOf(bed, app)
    const { call, deep, listings } = pages
    yield* seedPages(bed, app, records)
    say(`${records} records`)
    yield* buildIndexesFor(bed, [pages])
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
