// Records that are judged before they are collected are read a page at a time (decisions A6), until their app's share is full.
import { Effect } from "effect"

/** What is read and judged at once, with all cells. */
export const PAGE = 500

interface Placed {
  readonly record_id: number
  readonly app_id: number
}

/**
 * Adds to `byApp`, of each app at most so many, in the order of the rows.
 * @param keep ids of those of a page that stay
 */
export const keptInPages = Effect.fnUntraced(function* <E>(
  rows: ReadonlyArray<Placed>,
  byApp: Map<number, Set<number>>,
  atMost: number,
  keep: (page: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, E>
) {
  const ofApp = ({ app_id }: Placed) => byApp.get(app_id) ?? new Set<number>()
  let next = 0
  while (next < rows.length) {
    const page: Array<Placed> = []
    for (; next < rows.length && page.length < PAGE; next++) {
      if (ofApp(rows[next]!).size < atMost) page.push(rows[next]!)
    }
    if (page.length === 0) return
    const kept = new Set(yield* keep(page.map((row) => row.record_id)))
    for (const row of page.filter(({ record_id }) => kept.has(record_id))) {
      const own = ofApp(row)
      if (own.size < atMost) byApp.set(row.app_id, own.add(row.record_id))
    }
  }
})
