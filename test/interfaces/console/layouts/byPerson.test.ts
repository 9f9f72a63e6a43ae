// docs/console.md, "Groups" and "Board, calendar, gallery, form", in real Chromium: a grid grouped by people, numbers and dates, of which there
// are many, and a board of people and of related records (developer-api.md 11.6).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { until } from "../../pages/waiting.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { choose, complaintsOf, judgedInAllSizes, openConsoleTab, opened, press, promise, shows } from "../consoleTab.ts"
import { reads } from "../grid/gridTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { dragCard, standsIn } from "./layoutTab.ts"

const SIZES = 105

const seedHauls = Effect.gen(function* () {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const create = (name: string, fields: ReadonlyArray<object>) =>
    call("POST", "/app", { workspace_id: workspaces[0].workspace_id, name, item_name: "Haul", fields })
  const quays = yield* create("Quays", [field("single_text", "Name")])
  const { records } = yield* call("POST", `/record/app/batch/${quays.app_id}`, {
    inputs: ["East", "West"].map((name) => ({ fields: { name } }))
  })
  const quayIds: ReadonlyArray<number> = records.map(({ record_id }: any) => record_id)
  const app = yield* create("Hauls", [
    field("single_text", "Name"),
    field("number", "Weight", { decimals: 1, unit: "t", unit_location: "suffix" }),
    field("single_date", "Due"),
    field("single_user", "Clerk"),
    field("single_relation", "Quay", { referenced_apps: [{ app_id: quays.app_id }] })
  ])
  const { user_id } = yield* call("GET", "/user")
  const hauls = Array.from({ length: SIZES }, (_, at) => ({
    name: `Haul ${at}`,
    weight: at / 2,
    quay: quayIds[at % 2]
  }))
  for (let from = 0; from < SIZES; from += 50)
    yield* call("POST", `/record/app/batch/${app.app_id}`, {
      inputs: hauls
        .slice(from, from + 50)
        .map((fields) => ({ fields: { ...fields, due: from === 0 ? "2026-03-05" : "2026-04-05" } }))
    })
  const first = (yield* call("GET", `/record/app/${app.app_id}?limit=1`)).records[0]
  yield* call("PUT", `/record/${first.record_id}`, { fields: { clerk: user_id } })
  const fieldId = (name: string): number => app.fields.find(({ external_id }: any) => external_id === name).field_id
  return { app, call, fieldId, first, quayIds, user_id }
})

const heads = `[...document.querySelectorAll(".group-head .group-bar > button:first-child")].map((one) => one.textContent)`

layer(SharedScene, { excludeTestServices: true })("groups and boards by values of records", (it) => {
  it.effect(
    "people, numbers and dates group a grid, many of them on demand; cards go from one person or record to another",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const { app, call, fieldId, first, quayIds, user_id } = yield* seedHauls
        const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
        const { page } = tab
        yield* openSignedIn(tab, `${service.origin}/console/apps/${app.app_id}`, "Harbor Works")
        yield* opened(page, "Hauls")
        yield* press(page, "Columns")
        yield* choose(page, "Group by", "Clerk")
        yield* promise(() => until(page, `${heads}.join("; ").includes("No Clerk${SIZES - 1}")`))
        yield* choose(page, "Group by", "Due")
        yield* promise(() => until(page, `${heads}[0]?.includes("2026")`))
        yield* choose(page, "Group dates by", "Month")
        yield* promise(() => until(page, `${heads}[0] === "March 202650"`))
        yield* choose(page, "Group by", "Weight")
        yield* promise(() => until(page, `${heads}[0] === "0.0 t1"`))
        yield* promise(() => page.keyboard.press("Escape"))
        yield* reads(page, 9, 0, "Haul 9")
        yield* judgedInAllSizes(page, "grid-groups-number")
        const answer = (cursor = "") =>
          call("POST", `/record/filter/app/${app.app_id}/groups?limit=100${cursor}`, {
            group_by: "weight",
            filters: []
          })
        assert.strictEqual((yield* answer()).total, SIZES)
        // The line behind the hundredth group lists the others.
        yield* promise(() =>
          until(page, () => {
            const doc = (globalThis as any).document
            doc.querySelector(".gridbox").scrollTop = 1e9
            const more = [...doc.querySelectorAll(".group-head button")].find((one: any) =>
              /^Show more groups/.test(one.textContent)
            )
            more?.click()
            return more !== undefined
          })
        )
        yield* promise(() =>
          until(page, () => {
            const doc = (globalThis as any).document
            doc.querySelector(".gridbox").scrollTop = 1e9
            return [...doc.querySelectorAll(".group-head")].some((one: any) => one.textContent.includes("52.0 t"))
          })
        )

        yield* press(page, "Board")
        yield* promise(() => until(page, `document.querySelector('[data-drop="${user_id}"]') !== null`))
        yield* shows(page, "No clerk")
        const name = (yield* call("GET", `/record/app/${app.app_id}?limit=2`)).records[1].title
        yield* dragCard(page, name, String(user_id))
        yield* standsIn(page, name, String(user_id), "saved")
        yield* judgedInAllSizes(page, "board-people")
        const clerkOf = (record: any) =>
          record.fields.find(({ field_id }: any) => field_id === fieldId("clerk"))?.values[0]?.value.user_id
        const { records } = yield* call("GET", `/record/app/${app.app_id}?limit=2`)
        assert.deepStrictEqual(records.map(clerkOf), [user_id, user_id])

        yield* choose(page, "Columns by", "Quay")
        yield* promise(() => until(page, `document.querySelectorAll(".board-column").length === 3`))
        const other = quayIds.find(
          (id) =>
            id !== first.fields.find(({ field_id }: any) => field_id === fieldId("quay")).values[0].value.record_id
        )
        yield* dragCard(page, first.title, String(other))
        yield* standsIn(page, first.title, String(other), "saved")
        const moved = yield* call("GET", `/record/${first.record_id}`)
        assert.strictEqual(
          moved.fields.find(({ field_id }: any) => field_id === fieldId("quay")).values[0].value.record_id,
          other
        )
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )
})
