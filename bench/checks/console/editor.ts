// Keys in the editor of an automation with two hundred steps (issue: the console): from a key in a text of a step until the page has drawn it,
// early and late in the flow, where most earlier values can be referred to.
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { type Bed, makeBed } from "../../support/bed.ts"
import type { Check } from "../../support/Check.ts"
import { percentile } from "../../support/statistics.ts"
import { inTab, opened, openTab, sessionOf, sinceNavigation } from "../../support/tab.ts"

const STEPS = 200
const KEYS = 120
/** Milliseconds from one key to the next, as a fast writer types. */
const BETWEEN = 80

/** Every second step makes a variable, so that the last ones can refer to a hundred. */
const stepAt = (index: number) =>
  index % 2 === 0
    ? { id: `step-${index}`, type: "current_record_comment_create", config: { comment_content: ["It is moored."] } }
    : {
        id: `step-${index}`,
        type: "custom_variable",
        config: { assignment_code: ["4"], custom_variable_defs: [{ custom_type: "any", label: `Value ${index}` }] }
      }

const seedAutomation = Effect.fnUntraced(function* (bed: Bed) {
  const app = yield* bed.app("Edited")
  yield* bed.records(app, 1, false)
  const { automation } = yield* bed.client.get("POST", `/v1/automation/app/${app.appId}`, {
    body: {
      name: "Long",
      trigger: { type: "record_created", config: {} },
      actions: Array.from({ length: STEPS }, (_, index) => stepAt(index))
    }
  })
  return automation.id as number
})

/** Notes for each key when the page has drawn it. */
const watchKeys = `(() => {
  globalThis.keyMillis = []
  addEventListener("keydown", () => {
    const began = performance.now()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => keyMillis.push(performance.now() - began)
      port2.postMessage(0)
    })
  }, true)
})()`

/** Milliseconds of each key that is typed into the first text of the step. */
const typeInto = (page: Page, step: string) =>
  inTab(async () => {
    const card = `[data-step="${step}"]`
    await page.$eval(card, (element) => (element as unknown as { click: () => void }).click())
    const text = await page.waitForSelector(".editor-panel >>> .cm-content")
    await text!.click()
    await page.evaluate("keyMillis.length = 0")
    const words = "the pilot comes aboard at the pier and tells the harbor ".repeat(KEYS / 50)
    for (const letter of words.slice(0, KEYS)) {
      await page.keyboard.press(letter === " " ? "Space" : (letter as "a"))
      await new Promise((resolve) => setTimeout(resolve, BETWEEN))
    }
    return (await page.evaluate("keyMillis")) as ReadonlyArray<number>
  })

export const consoleEditor: Check = {
  name: "console-editor-200",
  work: `keys in the editor of an automation with ${STEPS} steps, early and late in the flow`,
  seconds: 30,
  run: Effect.fnUntraced(function* (_, say) {
    const bed = yield* makeBed("bench-console", { temporal: false })
    const { baseUrl } = bed.machine
    const automationId = yield* Effect.orDie(seedAutomation(bed))
    const { page } = yield* openTab(baseUrl, yield* bed.operate(sessionOf(bed.orgId)))
    const address = `${baseUrl}/console/automations/${automationId}/edit`
    yield* inTab(() => page.goto(address, { waitUntil: "domcontentloaded" }))
    yield* sinceNavigation(page, `${opened("Edit Long")} && document.querySelector("[data-step]") !== null`)
    yield* inTab(() => page.evaluate(watchKeys))
    const early = yield* typeInto(page, "step-2")
    const lateStep = yield* typeInto(page, `step-${STEPS - 2}`)
    say(`${KEYS} keys each; late: ${lateStep.map((one) => one.toFixed(0)).join(", ")} ms`)
    return [
      { what: "a key early in the flow, p50", value: percentile(early, 50), unit: "ms" },
      { what: "a key early in the flow, p95", value: percentile(early, 95), unit: "ms", atMost: 50 },
      { what: "a key late in the flow, p50", value: percentile(lateStep, 50), unit: "ms" },
      { what: "a key late in the flow, p95", value: percentile(lateStep, 95), unit: "ms", atMost: 50 }
    ]
  }, Effect.scoped)
}
