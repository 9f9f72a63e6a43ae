// docs/console.md, the canvas of the editor in real Chromium: panned, zoomed and fitted at every width, the chosen step in view, steps dragged
// and folded; a key in a form draws one card anew, however long the flow is.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { SharedScene } from "../../pages/sharedScene.ts"
import { clicked, found, until } from "../../pages/waiting.ts"
import { complaintsOf, judgedInAllSizes, press, promise, shows } from "../consoleTab.ts"
import { comment, isInView, openFlow, takeDrawnCards, viewOf, zoomIs } from "./flowTab.ts"

const many = (count: number) => () => Array.from({ length: count }, (_, index) => comment(`step-${index + 1}`))

const branching = (length: number) => [
  {
    id: "is-long",
    type: "conditional",
    config: {
      condition: {
        operator: "and",
        rows: [
          {
            subject: { kind: "variable", source: "field", field_id: length, field_type: "number" },
            operator: "greater_or_equal_than",
            value: { type: "number", number: ["1000"] }
          }
        ]
      },
      action_rows: [comment("inner-1"), comment("inner-2")],
      else_action_rows: [comment("other")]
    }
  },
  comment("last")
]

const centreOf = (page: Page, selector: string) =>
  promise(async () => {
    const element = await found(page, selector)
    const { height, width, x, y } = (await element.boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  })

const order = (page: Page) =>
  promise(() => page.$$eval("[data-step]", (cards) => cards.map((card) => (card as any).dataset.step)))

layer(SharedScene, { excludeTestServices: true })("the canvas of the editor", (it) => {
  it.effect("with 200 steps a key in a form draws the card of its step anew, and no other", () =>
    Effect.gen(function* () {
      const { page, tab } = yield* openFlow(many(200))
      yield* promise(() => clicked(page, '[data-step="step-2"]'))
      yield* promise(async () => {
        await clicked(page, "details:has(#step-name) > summary")
        await clicked(page, "#step-name")
      })
      yield* takeDrawnCards(page)
      yield* promise(() => page.keyboard.type("Hail"))
      yield* promise(() => until(page, `document.querySelector('[data-step="step-2"] strong').textContent === "Hail"`))
      assert.deepStrictEqual(yield* takeDrawnCards(page), ["step-2"])
      yield* shows(page, "Not saved yet, kept in this browser")
      assert.deepStrictEqual(yield* takeDrawnCards(page), [])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "is panned by wheel and drag, zoomed by Ctrl and wheel, buttons and keys, fitted, and shows its overview",
    () =>
      Effect.gen(function* () {
        for (const [width, height] of [
          [1280, 800],
          [1024, 768],
          [360, 740]
        ] as const) {
          const { page, tab } = yield* openFlow(many(12), { width, height })
          if (width < 960) yield* press(page, "Canvas")
          yield* promise(() => found(page, ".react-flow__minimap"))
          const frame = yield* centreOf(page, ".flow-canvas")
          const start = yield* viewOf(page)
          yield* promise(async () => {
            await page.mouse.move(frame.x, frame.y)
            await page.mouse.wheel({ deltaY: 120 })
          })
          yield* promise(() =>
            until(page, `!document.querySelector(".react-flow__viewport").style.transform.includes("${start.y}px")`)
          )
          const panned = yield* viewOf(page)
          assert.isBelow(panned.y, start.y)
          assert.strictEqual(panned.zoom, start.zoom)
          yield* press(page, "Zoom out")
          yield* zoomIs(page, "<", start.zoom)
          yield* promise(() => page.keyboard.press("0"))
          yield* isInView(page, "trigger")
          yield* isInView(page, "step-12")
          const fitted = yield* viewOf(page)
          yield* promise(async () => {
            await page.mouse.move(frame.x, frame.y)
            await page.keyboard.down("Control")
            await page.mouse.wheel({ deltaY: -120 })
            await page.keyboard.up("Control")
          })
          yield* zoomIs(page, ">", fitted.zoom)
          const zoomed = yield* viewOf(page)
          yield* promise(async () => {
            const corner = (await (await found(page, ".flow-canvas")).boundingBox())!
            await page.mouse.move(corner.x + 12, corner.y + 60)
            await page.mouse.down()
            await page.mouse.move(corner.x + 42, corner.y + 100, { steps: 4 })
            await page.mouse.up()
          })
          const dragged = yield* viewOf(page)
          assert.deepStrictEqual([Math.round(dragged.x - zoomed.x), Math.round(dragged.y - zoomed.y)], [30, 40])
          assert.deepStrictEqual(complaintsOf(tab), [])
        }
      }).pipe(Effect.scoped)
  )

  it.effect("brings what the arrow keys choose into view, and keeps its bar there", () =>
    Effect.gen(function* () {
      const { page, tab } = yield* openFlow(many(60))
      yield* promise(() => page.focus('[data-step="trigger"]'))
      for (let count = 0; count < 25; count++) yield* promise(() => page.keyboard.press("ArrowDown"))
      yield* promise(() => found(page, '[data-step="step-24"][aria-current="step"]'))
      yield* isInView(page, "step-24")
      yield* promise(() => page.focus('[data-step="step-60"]'))
      yield* isInView(page, "step-60")
      yield* promise(() => page.focus('[data-step="trigger"]'))
      yield* isInView(page, "trigger")
      const bar = (yield* promise(() =>
        page.evaluate(`(() => {
        scrollTo(0, document.documentElement.scrollHeight)
        return document.querySelector(".editor-bar").getBoundingClientRect().top
      })()`)
      )) as number
      assert.isAtLeast(bar, 0)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("shows steps as sentences; they are dragged to another place, folded and unfolded", () =>
    Effect.gen(function* () {
      const { page, read, tab } = yield* openFlow(branching)
      yield* shows(page, "If Length ≥ 1,000")
      yield* shows(page, "When a record of Ships is created")
      yield* judgedInAllSizes(page, "canvas")
      const { zoom } = yield* viewOf(page)
      yield* press(page, "Show the whole flow")
      yield* zoomIs(page, "<", zoom)
      const from = yield* centreOf(page, '[data-step="inner-1"]')
      const to = yield* centreOf(page, `[data-place='{"parent":"is-long","branch":"else_action_rows","index":1}']`)
      yield* promise(async () => {
        await page.mouse.move(from.x, from.y)
        await page.mouse.down()
        await page.mouse.move(to.x, to.y, { steps: 8 })
        await page.mouse.up()
      })
      yield* promise(() =>
        until(page, `document.querySelector('[data-step="inner-1"]').getAttribute("aria-current") === "step"`)
      )
      assert.deepStrictEqual(yield* order(page), [
        "trigger",
        "filter",
        "is-long",
        "inner-2",
        "other",
        "inner-1",
        "last"
      ])
      yield* press(page, "Save")
      yield* shows(page, "Saved")
      const ids = (list: ReadonlyArray<any>) => list.map(({ id }) => id)
      const [branch] = (yield* read).actions
      assert.deepStrictEqual(
        [ids(branch.config.action_rows), ids(branch.config.else_action_rows)],
        [["inner-2"], ["other", "inner-1"]]
      )
      yield* promise(() => clicked(page, '[data-step="is-long"]'))
      yield* press(page, "Collapse Condition")
      yield* shows(page, "3 inside")
      assert.deepStrictEqual(yield* order(page), ["trigger", "filter", "is-long", "last"])
      yield* promise(() => page.focus('[data-step="is-long"]'))
      yield* promise(() => page.keyboard.press("ArrowDown"))
      yield* promise(() => found(page, '[data-step="last"][aria-current="step"]'))
      yield* press(page, "Expand Condition")
      yield* promise(() => until(page, `document.querySelectorAll("[data-step]").length === 7`))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("what is typed into a searched list stays as its choices change", () =>
    Effect.gen(function* () {
      const { call, page, ships, tab } = yield* openFlow(branching)
      const [name, , length] = ships.fields
      yield* promise(() => clicked(page, '[data-step="is-long"]'))
      const list = `.panel-form ::-p-aria([name="Field"][role="combobox"])`
      yield* promise(async () => {
        await clicked(page, list)
        await page.keyboard.type("Net")
      })
      yield* shows(page, "Nothing found")
      const label = ({ config, field_id }: any, words: string) =>
        call("PUT", `/app/${ships.app_id}`, {
          fields: [{ field_id, config: { label: words, settings: config.settings } }]
        })
      yield* label(length, "Net length")
      yield* promise(() => found(page, `[role="option"]::-p-text(Net length)`))
      yield* label(name, "Net name")
      yield* promise(() => found(page, `[role="option"]::-p-text(Net name)`))
      assert.strictEqual(yield* promise(() => page.$eval(list, (input) => (input as any).value)), "Net")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "an unfinished condition loses nothing: the draft survives a refused save and a new tab; a problem leads to its field",
    () =>
      Effect.gen(function* () {
        const { page, read } = yield* openFlow((length) => [
          ...branching(length),
          { id: "mail", type: "send_email", config: {} }
        ])
        const version = (yield* read).version
        // The line of problems moves the flow as it comes.
        yield* promise(() => found(page, ".problem-list summary"))
        yield* promise(() => clicked(page, '[data-step="is-long"]'))
        yield* promise(async () => {
          await clicked(page, `.panel-form ::-p-aria([name="Number"][role="textbox"])`)
          await page.keyboard.down("Control")
          await page.keyboard.press("a")
          await page.keyboard.up("Control")
          await page.keyboard.press("Backspace")
        })
        yield* shows(page, "If Length ≥ …")
        yield* press(page, "Save")
        yield* shows(page, "Your draft is kept in this browser.")
        assert.strictEqual((yield* read).version, version)
        yield* promise(() => page.reload())
        yield* shows(page, "You left changes here")
        yield* shows(page, "If Length ≥ …")
        yield* press(page, "Discard them")
        yield* shows(page, "If Length ≥ 1,000")
        yield* promise(() => clicked(page, ".problem-list summary"))
        yield* promise(() => clicked(page, `.problem-line ::-p-text(Send email › To)`))
        yield* promise(() => found(page, '[data-step="mail"][aria-current="step"]'))
      }).pipe(Effect.scoped)
  )
})
