// The editor in a tab of the console, on an automation of any number of steps; where its canvas stands, and which cards a key draws anew.
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Scene } from "../../pages/chromium.ts"
import { until } from "../../pages/waiting.ts"
import { seedApps } from "../consoleSeeds.ts"
import { openConsoleTab, opened, promise } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"

/** Counts what React draws, by the protocol of its developer tools: a component counts for the step whose card it holds. */
const countDrawnCards = () => {
  const page = globalThis as any
  page.drawnCards = []
  const PERFORMED_WORK = 1
  const cardIn = (fiber: any): string | undefined => {
    for (let inner = fiber.child; inner !== null && inner !== undefined; inner = inner.child) {
      const step = typeof inner.type === "string" ? inner.stateNode?.dataset?.step : undefined
      if (step !== undefined) return step
      if (typeof inner.type === "string" && inner.stateNode?.className !== "step-node") return undefined
    }
    return undefined
  }
  const visit = (fiber: any) => {
    const isComponent = typeof fiber.type === "function" || typeof fiber.type === "object"
    if (isComponent && (fiber.flags & PERFORMED_WORK) !== 0) {
      const step = cardIn(fiber)
      if (step !== undefined) page.drawnCards.push(step)
    }
    if (fiber.alternate !== null && fiber.alternate.child === fiber.child) return
    for (let inner = fiber.child; inner !== null; inner = inner.sibling) visit(inner)
  }
  page.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_: number, root: any) => visit(root.current),
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {}
  }
}

/** Steps whose cards were drawn anew since the last look. */
export const takeDrawnCards = (page: Page) =>
  promise(async () => {
    const steps = (await page.evaluate("drawnCards.splice(0)")) as Array<string>
    return [...new Set(steps)]
  })

/** @param actionsOf steps of the automation, from the id of the field *Length* */
export const openFlow = Effect.fnUntraced(function* (
  actionsOf: (length: number) => ReadonlyArray<object>,
  look: { readonly width?: number; readonly height?: number } = {}
) {
  const { browser, service } = yield* Scene
  const { call, ships } = yield* seedApps
  const length = ships.fields.find((one: any) => one.external_id === "length").field_id
  const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
    name: "Ask the pier",
    trigger: { type: "record_created", config: {} },
    actions: actionsOf(length)
  })
  const tab = yield* openConsoleTab(browser, { width: 1280, height: 800, ...look })
  yield* promise(() => tab.page.evaluateOnNewDocument(countDrawnCards))
  yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
  yield* opened(tab.page, "Edit Ask the pier")
  const read = Effect.map(call("GET", `/automation/${automation.id}`), (answer: any) => answer.automation)
  return { automation, call, page: tab.page, read, ships, tab }
})

export const comment = (id: string, text = "Mind the pier.") => ({
  id,
  type: "current_record_comment_create",
  config: { comment_content: [text] }
})

interface View {
  readonly x: number
  readonly y: number
  readonly zoom: number
}
/** Where the canvas stands. */
export const viewOf = (page: Page) =>
  promise(
    () =>
      page.evaluate(() => {
        const { a, e, f } = new (globalThis as any).DOMMatrix(
          (globalThis as any).document.querySelector(".react-flow__viewport").style.transform
        )
        return { zoom: a, x: e, y: f }
      }) as Promise<View>
  )

/** Waits until the canvas is drawn smaller or larger than it was: the places of its cards are measured after that. */
export const zoomIs = (page: Page, comparison: "<" | ">", zoom: number) =>
  promise(() =>
    until(
      page,
      `new DOMMatrix(document.querySelector(".react-flow__viewport").style.transform).a ${comparison} ${zoom}`
    )
  )

/** Waits until the card lies within the canvas. */
export const isInView = (page: Page, step: string) =>
  promise(() =>
    until(
      page,
      (id) => {
        const { document } = globalThis as any
        const frame = document.querySelector(".flow-canvas").getBoundingClientRect()
        const card = document.querySelector(`[data-step="${id}"]`)?.getBoundingClientRect()
        return (
          card !== undefined &&
          card.top >= frame.top &&
          card.bottom <= frame.bottom &&
          card.left >= frame.left &&
          card.right <= frame.right
        )
      },
      step
    )
  )
