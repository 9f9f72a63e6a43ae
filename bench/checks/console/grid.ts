// The grid of an app with very many records (issue: the console): jumped to any place by its scroll bar, as it is and sorted, and scrolled by
// wheel, frame by frame.
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { type AppOf, type Bed, makeBed } from "../../support/bed.ts"
import type { Check } from "../../support/Check.ts"
import { operatorOf } from "../../support/machine.ts"
import { percentile } from "../../support/statistics.ts"
import { inTab, opened, openTab, sessionOf, sinceNavigation } from "../../support/tab.ts"

const RECORDS = 100_000
/** Shares of the grid's height to jump to, one after another, so that none was loaded before. */
const PLACES = [0.5, 0.25, 0.75, 0.9, 0.1, 0.6, 0.4, 0.66, 0.33, 0.8]
const WHEEL_PIXELS = 240
const FRAME = 1000 / 60

/** Seeds records, with the index on the number that housekeeping builds for a listing that filters or sorts by it. */
const seed = Effect.fnUntraced(function* (bed: Bed, app: AppOf, records: number) {
  const { appId, fields } = app
  const [name, count] = [String(fields["name"]), fields["count"]!]
  yield* bed.sql`
    INSERT INTO records (org_id, app_id, app_record_id, title, cells, created_on, created_by)
    SELECT ${bed.orgId}, ${appId}, n, 'Row ' || n, jsonb_build_object(${name}::text, jsonb_build_array('Row ' || n),
      ${String(count)}::text, jsonb_build_array(n % 1000)), now(), '{"type":"user","user_id":1}'
    FROM generate_series(1, ${records}::int) AS n`
  yield* bed.sql`INSERT INTO field_indexes (field_id, app_id, kind, asked_on) VALUES (${count}, ${appId}, 'number', now())`
  yield* Effect.provide(buildFieldIndexes, operatorOf(bed.machine))
  for (const table of ["records", "record_keys"]) yield* bed.sql.unsafe(`VACUUM (ANALYZE) ${table}`)
})

/** Milliseconds from the drag of the scroll bar until the rows of that position are on the screen. */
const jump = (page: Page, share: number) =>
  inTab(async () => {
    const began = performance.now()
    await page.$eval(".gridbox", (box, to) => box.scrollTo(0, (box.scrollHeight - box.clientHeight) * to), share)
    await page.waitForFunction(
      (to) => {
        const { document } = globalThis as any
        const total = Number(document.querySelector("[role=grid]").getAttribute("aria-rowcount"))
        const rows = [...document.querySelectorAll("table.records tbody tr[aria-rowindex]")]
        const rowIndex = Number(rows[0]?.getAttribute("aria-rowindex"))
        return rows.every((row) => row.getAttribute("aria-busy") === null) && Math.abs(rowIndex / total - to) < 0.02
      },
      { polling: "raf" },
      share
    )
    return performance.now() - began
  })

/** Between two frames, and the longest that the page was held, while the wheel turns. */
const wheel = (page: Page, seconds: number) =>
  inTab(async () => {
    await page.evaluate(`(() => {
      const seen = { frames: [], longest: 0, on: true }
      globalThis.seen = seen
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ type: "longtask" })
      let before = performance.now()
      const frame = (now) => {
        seen.frames.push(now - before)
        before = now
        if (seen.on) requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })()`)
    const box = await (await page.$(".gridbox"))!.boundingBox()
    await page.mouse.move(box!.x + 200, box!.y + 200)
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      await page.mouse.wheel({ deltaY: WHEEL_PIXELS })
      await new Promise((resolve) => setTimeout(resolve, FRAME))
    }
    return (await page.evaluate("seen.on = false, seen")) as {
      readonly frames: ReadonlyArray<number>
      readonly longest: number
    }
  })

export const consoleGrid: Check = {
  name: "console-grid",
  work: "a grid of --records records (100,000), jumped to places by its scroll bar and scrolled by wheel",
  seconds: 10,
  run: Effect.fnUntraced(function* (seconds, say, { records = RECORDS }) {
    const bed = yield* makeBed("bench-console", { temporal: false })
    const { baseUrl } = bed.machine
    const app = yield* bed.app("Rows")
    yield* Effect.orDie(seed(bed, app, records))
    say(`${records} records`)
    const { page } = yield* openTab(baseUrl, yield* bed.operate(sessionOf(bed.orgId)))
    const jumps = (search: string) =>
      Effect.gen(function* () {
        yield* inTab(() =>
          page.goto(`${baseUrl}/console/apps/${app.appId}${search}`, { waitUntil: "domcontentloaded" })
        )
        const drawn = `document.querySelector("table.records tbody tr:not([aria-busy])") !== null`
        yield* sinceNavigation(page, `${opened("Rows")} && ${drawn}`)
        return yield* Effect.forEach(PLACES, (place) => jump(page, place))
      })
    const unsortedJumps = yield* jumps("")
    say(`jumps: ${unsortedJumps.map((one) => one.toFixed(0)).join(", ")} ms`)
    const byKey = yield* jumps("?sort=count")
    say(`sorted: ${byKey.map((one) => one.toFixed(0)).join(", ")} ms`)
    const { frames, longest } = yield* wheel(page, seconds)
    return [
      { what: "jump by the scroll bar, p50", value: percentile(unsortedJumps, 50), unit: "ms", atMost: 500 },
      { what: "jump, longest", value: Math.max(...unsortedJumps), unit: "ms" },
      { what: "jump, sorted by a number, p50", value: percentile(byKey, 50), unit: "ms", atMost: 500 },
      { what: "jump, sorted, longest", value: Math.max(...byKey), unit: "ms" },
      { what: "between two frames by wheel, p50", value: percentile(frames, 50), unit: "ms" },
      { what: "between two frames, p95", value: percentile(frames, 95), unit: "ms", atMost: 3 * FRAME },
      { what: "longest that the page was held", value: longest, unit: "ms" }
    ]
  }, Effect.scoped)
}
