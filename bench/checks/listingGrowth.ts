// Measures the cost of ten times as many records for reads: pages of two apps of one service in turn, so that other work of the machine affects
// both equally (developer-api.md 1.4, 4.4), and single records of either.
import { Effect } from "effect"
import { makeBed } from "../support/bed.ts"
import type { Check, Reading } from "../support/Check.ts"
import { timesInTurn } from "../support/callTimes.ts"
import { buildIndexesFor, DEEP, pagesOf, seedPages } from "../support/pages.ts"
import { benchFailed } from "../support/Row.ts"
import { percentile } from "../support/statistics.ts"

const RECORDS = 10_000_000
const TIMES = 10
const GROWTH = 1.1

export const listingGrowth: Check = {
  name: "listing-growth",
  work: `pages and records of an app of --records records (${RECORDS}), beside those of an app of a tenth`,
  seconds: 120,
  run: Effect.fnUntraced(function* (seconds, say, { records = RECORDS }) {
    const bed = yield* makeBed("bench-listing-growth", { temporal: false })
    const apps = [yield* bed.app("Small"), yield* bed.app("Big")] as const
    yield* seedPages(bed, apps[0], records / TIMES)
    yield* seedPages(bed, apps[1], records)
    say(`${records / TIMES} and ${records} records`)
    const [small, big] = [pagesOf(bed, apps[0]), pagesOf(bed, apps[1])]
    yield* buildIndexesFor(bed, [small, big])
    say("the fields have their indexes")

    const read: Array<Reading> = []
    /** Two pages of each listing, and single records. */
    const kinds = small.listings.length * 2 + 1
    const compare = Effect.fnUntraced(function* (what: string, calls: Parameters<typeof timesInTurn>[1]) {
      const [before, after] = yield* timesInTurn(seconds / kinds, calls)
      for (const rank of [50, 99]) {
        const [from, to] = [percentile(before, rank), percentile(after, rank)]
        say(`${what}, p${rank}: ${from.toFixed(1)} and ${to.toFixed(1)} ms`)
        read.push({
          what: `${what}, p${rank}, times as long`,
          value: to / from,
          unit: "",
          ...(rank === 99 ? { atMost: GROWTH } : {})
        })
      }
    })

    for (const [place, listing] of small.listings.entries()) {
      const other = big.listings[place]!
      yield* compare(`${listing.what}, page 1`, [small.call(listing), big.call(other)])
      const [cursor, otherCursor] = [yield* small.deep(listing), yield* big.deep(other)]
      yield* compare(`${listing.what}, page ${DEEP}`, [small.call(listing, cursor), big.call(other, otherCursor)])
    }
    const drawnRecord = Effect.fnUntraced(function* (appId: number, count: number) {
      const from = yield* bed.sql<{ first: number }>`
        SELECT min(record_id)::int AS first FROM records WHERE app_id = ${appId}`
      return Effect.suspend(() =>
        bed.client.get("GET", `/v1/record/${from[0]!.first + Math.floor(Math.random() * count)}`)
      )
    }, Effect.mapError(benchFailed))
    yield* compare("a record", [
      yield* drawnRecord(apps[0].appId, records / TIMES),
      yield* drawnRecord(apps[1].appId, records)
    ])
    return read
  }, Effect.scoped)
}
