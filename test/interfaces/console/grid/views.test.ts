// docs/console.md, "Views" and "Groups", in real Chromium: a view keeps columns, conditions and groups; changes of it are saved or discarded.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { SharedScene } from "../../pages/sharedScene.ts"
import { clicked, found, selectIn, until } from "../../pages/waiting.ts"
import { complaintsOf, fill, gone, judgedInAllSizes, opened, press, promise, shows } from "../consoleTab.ts"
import { clickCell, keys, openGrid, reads, seedBoats } from "./gridTab.ts"

const showsLabels = (page: Page, ...wanted: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (words) =>
        [...(globalThis as any).document.querySelectorAll("[data-head] .head-label")]
          .map((one: any) => one.textContent)
          .join() === words,
      wanted.join()
    )
  )
/** Waits until the heads of groups read so. */
const showsGroups = (page: Page, ...wanted: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (words) =>
        [...(globalThis as any).document.querySelectorAll(".group-head [aria-expanded]")]
          .map((one: any) => [...one.querySelectorAll("span")].map(({ textContent }: any) => textContent).join(" "))
          .join() === words,
      wanted.join()
    )
  )
/** Waits until the tools of the app stand in one row, at each width from 1280 pixels on. */
const standInOneRow = Effect.fnUntraced(function* (page: Page) {
  const former = page.viewport()
  for (const width of [1280, 1440, 1920]) {
    yield* promise(() => page.setViewport({ width, height: 900 }))
    yield* promise(() =>
      until(page, () => {
        const tools = [...(globalThis as any).document.querySelectorAll(".app-tools > *")]
          .map((tool) => tool.getBoundingClientRect())
          .filter(({ height, width }) => height > 1 && width > 1)
        return Math.max(...tools.map(({ top }) => top)) < Math.min(...tools.map(({ bottom }) => bottom))
      })
    )
  }
  yield* promise(() => page.setViewport(former))
})
const menu = (page: Page, column: string, item: string) =>
  Effect.andThen(press(page, `Options of ${column}`), press(page, item, "menuitem"))

layer(SharedScene, { excludeTestServices: true })("views of a grid", (it) => {
  it.effect("keep columns, order and conditions; changes are this browser's until they are saved or discarded", () =>
    Effect.gen(function* () {
      const { app, call } = yield* seedBoats()
      const tab = yield* openGrid(app)
      const { page } = tab
      const fieldId = (slug: string) => app.fields.find((one: any) => one.external_id === slug).field_id
      yield* menu(page, "Port", "Hide")
      yield* menu(page, "Length", "Sort descending")
      yield* press(page, "Save as view")
      yield* fill(page, "Name", "Longest")
      yield* judgedInAllSizes(page, "save-view")
      yield* press(page, "Save view")
      yield* promise(() => found(page, `::-p-aria([name="Sorted by Length"][role="button"])`))
      yield* showsLabels(page, "Name", "Length", "Kind", "Built")
      const viewId = Number(new URL(page.url()).searchParams.get("view"))
      const storedView = Effect.map(call("GET", `/view/${viewId}`), ({ view }: any) => view)
      const firstView = yield* storedView
      assert.deepInclude(firstView, { sort_by: fieldId("length"), sort_desc: true, private: false })
      assert.deepStrictEqual(
        firstView.columns.filter(({ hidden }: any) => hidden).map(({ field_id }: any) => field_id),
        [fieldId("port")]
      )
      yield* reads(page, 0, 0, "Boat 6")

      yield* menu(page, "Kind", "Move left")
      yield* menu(page, "Length", "Sort ascending")
      yield* reads(page, 0, 0, "Boat 1")
      assert.deepStrictEqual(yield* storedView, firstView)
      yield* promise(() => page.reload())
      yield* opened(page, app.name)
      yield* showsLabels(page, "Name", "Kind", "Length", "Built")
      yield* reads(page, 0, 0, "Boat 1")
      yield* judgedInAllSizes(page, "view-changes")
      yield* press(page, "Discard changes")
      yield* showsLabels(page, "Name", "Length", "Kind", "Built")
      yield* reads(page, 0, 0, "Boat 6")

      yield* menu(page, "Kind", "Move left")
      yield* menu(page, "Length", "Sort ascending")
      yield* press(page, "Save view")
      yield* gone(page, `::-p-aria([name="Discard changes"][role="button"])`)
      yield* reads(page, 0, 0, "Boat 1")
      const second = yield* storedView
      assert.isFalse(second.sort_desc)
      assert.deepStrictEqual(second.columns.map(({ field_id }: any) => field_id).slice(1, 3), [
        fieldId("kind"),
        fieldId("length")
      ])

      // Somebody else groups the view meanwhile: what is not changed here is not saved over it.
      yield* menu(page, "Length", "Sort descending")
      yield* reads(page, 0, 0, "Boat 6")
      yield* call("PUT", `/view/${viewId}`, { group_by: fieldId("kind") })
      yield* press(page, "Save view")
      yield* gone(page, `::-p-aria([name="Discard changes"][role="button"])`)
      const third = yield* storedView
      assert.deepInclude(third, { sort_desc: true, group_by: fieldId("kind"), columns: second.columns })
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("say by what they narrow and open it; a private one is made and shared", () =>
    Effect.gen(function* () {
      const { app, call } = yield* seedBoats(6, "Dinghies")
      const length = app.fields.find((one: any) => one.external_id === "length").field_id
      const filters = [{ field_id: length, type: "number", match_type: "larger", values: [{ value: 4 }] }]
      const body = { name: "Long", layout: "table", filters, sort_by: length, private: true }
      const { view } = yield* call("POST", `/view/app/${app.app_id}`, body)
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* shows(page, "Long (private)")
      yield* promise(() => selectIn(page, "#view", String(view.view_id)))
      yield* reads(page, 1, 0, "Boat 6")
      yield* standInOneRow(page)
      yield* judgedInAllSizes(page, "app-tools")
      yield* press(page, "Filtered by 1 · sorted by Length")
      yield* press(page, "Remove: Length is more than “4”")
      yield* reads(page, 5, 0, "Boat 6")
      yield* press(page, "Discard changes")
      yield* press(page, "Filtered by 1 · sorted by Length")
      yield* promise(() => found(page, `::-p-aria([name="Remove: Length is more than “4”"][role="button"])`))
      yield* press(page, "Change view")
      yield* promise(() => clicked(page, "#view-private"))
      yield* promise(() => until(page, "document.querySelector('#view-private')?.checked === false"))
      assert.isFalse((yield* call("GET", `/view/${view.view_id}`)).view.private)
      assert.deepStrictEqual(complaintsOf(tab), [])

      // The list leads out of a view that is gone.
      yield* promise(() => page.goto(page.url().replace(/view=\d+/, "view=4711")))
      yield* shows(page, "Loading the view failed.")
      yield* promise(() => selectIn(page, "#view", ""))
      yield* promise(() => until(page, "!location.search.includes('view=')"))
      yield* reads(page, 0, 0, "Boat 1")
    }).pipe(Effect.scoped)
  )

  it.effect("follow what others change of them, and keep what the reader has changed, with a note", () =>
    Effect.gen(function* () {
      const { app, call } = yield* seedBoats(6, "Ferries")
      const fieldId = (slug: string) => app.fields.find((one: any) => one.external_id === slug).field_id
      const { view } = yield* call("POST", `/view/app/${app.app_id}`, { name: "All", layout: "table" })
      const change = (body: object) => call("PUT", `/view/${view.view_id}`, body)
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* promise(() => selectIn(page, "#view", String(view.view_id)))
      yield* promise(() => until(page, `location.search.includes("view=${view.view_id}")`))
      yield* reads(page, 0, 0, "Boat 1")
      const filters = [{ field_id: fieldId("length"), type: "number", match_type: "larger", values: [{ value: 4 }] }]
      yield* change({ filters, columns: [{ field_id: fieldId("port"), hidden: true }] })
      yield* showsLabels(page, "Name", "Length", "Kind", "Built")
      yield* reads(page, 0, 0, "Boat 5")

      yield* menu(page, "Length", "Sort descending")
      yield* reads(page, 0, 0, "Boat 6")
      yield* change({ filters: [], group_by: fieldId("kind") })
      yield* shows(page, "The view was changed meanwhile. Your changes are kept")
      // The order is the reader's, and so are the conditions that the address named with it.
      yield* promise(() => until(page, `document.querySelectorAll(".group-head").length === 1`))
      yield* reads(page, 0, 0, "Boat 6")
      yield* judgedInAllSizes(page, "view-overtaken")
      yield* press(page, "Save view")
      yield* gone(page, `::-p-aria([name="Discard changes"][role="button"])`)
      const storedView = (yield* call("GET", `/view/${view.view_id}`)).view
      const sort = { sort_by: fieldId("length"), sort_desc: true }
      assert.deepInclude(storedView, { filters: [], group_by: fieldId("kind"), ...sort })
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("group rows under heads with counts, which open and close; cells are edited as in any grid", () =>
    Effect.gen(function* () {
      const { app, call, ids } = yield* seedBoats(5, "Skiffs")
      const kind = app.fields.find((one: any) => one.external_id === "kind")
      const [sail, motor] = kind.config.settings.options.map(({ id }: any) => id)
      for (const [at, option] of [motor, sail, motor].entries())
        yield* call("PUT", `/record/${ids[at]}`, { fields: { kind: option } })
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* menu(page, "Kind", "Group by this field")
      yield* showsGroups(page, "Sail 1", "Motor 2", "No Kind 2")
      yield* reads(page, 0, 0, "Boat 2")
      yield* reads(page, 1, 0, "Boat 1")
      // Each group is a listing of its own: the last one is read too.
      yield* reads(page, 3, 0, "Boat 4")
      yield* judgedInAllSizes(page, "grid-groups")
      // The keyboard walks over heads, and reaches them by Tab.
      yield* clickCell(page, 0, 1)
      yield* keys(page, "ArrowDown", "9", "Enter")
      yield* reads(page, 1, 1, "9", null)
      yield* promise(async () => {
        await page.focus(".group-head:nth-child(3) [aria-expanded]")
        await page.keyboard.press("Enter")
      })
      yield* promise(() => found(page, ".group-head:nth-child(3) [aria-expanded=false]"))
      yield* reads(page, 1, 0, "Boat 4")
      yield* press(page, "Save as view")
      yield* fill(page, "Name", "By kind")
      yield* press(page, "Save view")
      yield* promise(() => until(page, "new URL(location.href).searchParams.has('view')"))
      yield* showsGroups(page, "Sail 1", "Motor 2", "No Kind 2")
      const viewId = Number(new URL(page.url()).searchParams.get("view"))
      assert.strictEqual((yield* call("GET", `/view/${viewId}`)).view.group_by, kind.field_id)
      // A record is added in its group.
      yield* press(page, "Add to Sail")
      yield* fill(page, "Name", "Sloop")
      yield* keys(page, "Enter")
      yield* gone(page, "dialog")
      yield* showsGroups(page, "Sail 2", "Motor 2", "No Kind 2")
      // A record that gets another value moves to that group.
      yield* call("PUT", `/record/${ids[1]}`, { fields: { kind: motor } })
      yield* showsGroups(page, "Sail 1", "Motor 3", "No Kind 2")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
