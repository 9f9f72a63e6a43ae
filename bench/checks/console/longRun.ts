// The page of a run with ten thousand entries in its log (issue: the console): from the press on it in the list, and from its address,
// until its steps are seen and answer.
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { type Bed, makeBed } from "../../support/bed.ts"
import type { Check } from "../../support/Check.ts"
import { percentile } from "../../support/statistics.ts"
import { inTab, opened, openTab, sessionOf, sinceNavigation } from "../../support/tab.ts"

const ENTRIES = 10_000
const LEAST = 3

/** Seeds a run with its log as a worker would leave it. */
const seedRun = (bed: Bed) =>
  Effect.gen(function* () {
    const app = yield* bed.app("Logged")
    const [recordId] = yield* bed.records(app, 1, false)
    const { automation } = yield* bed.client.get("POST", `/v1/automation/app/${app.appId}`, {
      body: { name: "Bench", trigger: { type: "record_created", config: {} }, actions: [] }
    })
    const [run] = yield* bed.sql<{ run_id: number }>`
      INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, record_id, created_on,
        started_on, completed_on)
      VALUES (${bed.orgId}, ${app.appId}, ${automation.id}, 1, 1, 'regular', 'completed', true, 0, '{}', ${recordId!}, now(), now(), now())
      RETURNING run_id`
    yield* bed.sql`INSERT INTO run_triggers (run_id, data) VALUES (${run!.run_id}, '{ "type": "record_created" }')`
    yield* bed.sql`
      INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, record_id, detail, logged_on)
      SELECT ${run!.run_id}, n, 'action', 'success', 'Step ' || n, jsonb_build_array(jsonb_build_object('message', 'It is done.', 'level', 'info')),
        'step-' || n, ${recordId!}, jsonb_build_object('duration_ms', n % 90, 'attempts', 1, 'inputs', jsonb_build_object('name', 'row ' || n),
        'outputs', jsonb_build_object('value', n)), now() FROM generate_series(1, ${ENTRIES}::int) AS n`
    yield* bed.sql`ANALYZE`
    return run!.run_id
  })

const STEPS = `${opened("Bench")} && document.querySelectorAll(".step").length > 5`

/** Opens what the first step holds, as one who reads it would. */
const unfold = (page: Page) =>
  inTab(async () => {
    const began = performance.now()
    await page.click(".step summary")
    await page.waitForFunction(`document.querySelector(".step details[open] .json-tree") !== null`, { polling: "raf" })
    return performance.now() - began
  })

export const consoleRun: Check = {
  name: "console-run-10000",
  work: `the page of a run with ${ENTRIES} entries in its log, until its steps are seen and answer`,
  seconds: 20,
  run: Effect.fnUntraced(function* (seconds, say) {
    const bed = yield* makeBed("bench-console", { temporal: false })
    const { baseUrl } = bed.machine
    const runId = yield* Effect.orDie(seedRun(bed))
    const { page } = yield* openTab(baseUrl, yield* bed.operate(sessionOf(bed.orgId)))
    const byAddress = Effect.gen(function* () {
      yield* inTab(() => page.goto(`${baseUrl}/console/runs/${runId}`, { waitUntil: "domcontentloaded" }))
      return yield* sinceNavigation(page, STEPS)
    })
    const byPress = Effect.gen(function* () {
      yield* inTab(() => page.goto(`${baseUrl}/console/runs`, { waitUntil: "domcontentloaded" }))
      yield* sinceNavigation(page, `${opened("Runs")} && document.querySelector(".run-row th a") !== null`)
      const began = performance.now()
      yield* inTab(() => page.click(".run-row th a"))
      yield* sinceNavigation(page, STEPS)
      return performance.now() - began
    })
    yield* byAddress
    const [addressed, pressed, answered]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
    const until = performance.now() + seconds * 1000
    while (pressed.length < LEAST || performance.now() < until) {
      addressed.push(yield* byAddress)
      pressed.push(yield* byPress)
      answered.push(yield* unfold(page))
    }
    say(`${pressed.length} times: ${pressed.map((one) => one.toFixed(0)).join(", ")} ms by a press`)
    return [
      { what: "by a press in the list, p50", value: percentile(pressed, 50), unit: "ms", atMost: 1000 },
      { what: "by a press, longest", value: Math.max(...pressed), unit: "ms" },
      { what: "by its address, p50", value: percentile(addressed, 50), unit: "ms", atMost: 1000 },
      { what: "by its address, longest", value: Math.max(...addressed), unit: "ms" },
      { what: "a step is unfolded, p50", value: percentile(answered, 50), unit: "ms" }
    ]
  }, Effect.scoped)
}
