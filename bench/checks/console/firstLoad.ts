// The first visit of the console (issue: the console): from its address to a page that is drawn and answers, with nothing kept, and how
// many bytes that takes.
import { Effect } from "effect"
import { makeBed } from "../../support/bed.ts"
import type { Check } from "../../support/Check.ts"
import { percentile } from "../../support/statistics.ts"
import { inTab, opened, openTab, sessionOf, sinceNavigation } from "../../support/tab.ts"

const LEAST = 5

export const consoleFirstLoad: Check = {
  name: "console-first-load",
  work: "the console's first page by its address, nothing kept from before, until it is drawn and answers",
  seconds: 20,
  run: Effect.fnUntraced(function* (seconds, say) {
    const bed = yield* makeBed("bench-console", { temporal: false })
    const { baseUrl } = bed.machine
    const { page } = yield* openTab(baseUrl, yield* bed.operate(sessionOf(bed.orgId)))
    const cdp = yield* inTab(() => page.createCDPSession())
    yield* inTab(() => cdp.send("Network.enable"))
    yield* inTab(() => cdp.send("Network.setCacheDisabled", { cacheDisabled: true }))
    const bytes: Array<number> = []
    let receivedBytes = 0
    cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
      receivedBytes += encodedDataLength
    })
    const load = Effect.gen(function* () {
      receivedBytes = 0
      yield* inTab(() => page.goto(`${baseUrl}/console`, { waitUntil: "domcontentloaded" }))
      return yield* sinceNavigation(page, opened("Home"))
    })
    // The service reads and compresses the assets once.
    yield* load
    const loadMillis: Array<number> = []
    const until = performance.now() + seconds * 1000
    while (loadMillis.length < LEAST || performance.now() < until) {
      loadMillis.push(yield* load)
      bytes.push(receivedBytes / 1000)
    }
    say(`${loadMillis.length} loads: ${loadMillis.map((one) => one.toFixed(0)).join(", ")} ms`)
    return [
      { what: "first page drawn and answering, p50", value: percentile(loadMillis, 50), unit: "ms", atMost: 1500 },
      { what: "longest", value: Math.max(...loadMillis), unit: "ms" },
      { what: "bytes over the wire, most", value: Math.max(...bytes), unit: "KB", atMost: 300 }
    ]
  }, Effect.scoped)
}
