// Filters records page by page before they are collected (decisions A6), until the share of their app is full.
import { Effect } from "effect"

/** Records that are read, with all cells, and evaluated at once. */
export const PAGE = 500

interface Placed {
  readonly record_id: number
  readonly app_id: number
}

/**
 * Adds the kept records to `byApp`, at most `atMost` of each app, in the order of the rows.
 * @param keep returns the ids of a page that are kept
 */
export const filterByPage = Effect.fnUntraced(function* <E>(
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
      const keptIds = ofApp(row)
      if (keptIds.size < atMost) byApp.set(row.app_id, keptIds.add(row.record_id))
    }
  }
})
