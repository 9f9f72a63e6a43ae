// docs/console.md, "A tour": from the link of `npm start` to an automation that has done its work, by the mouse alone.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/eventually.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"
import { Scene, sceneWith } from "../pages/chromium.ts"
import { found } from "../pages/waiting.ts"
import { callerOfScene } from "./consoleSeeds.ts"
import { complaintsOf, judged, openConsoleTab, opened, press, promise, shows, signInTo } from "./consoleTab.ts"

const SceneAtWork = sceneWith({
  ROLE: "all",
  RATE_BUDGET: "1000000",
  TEMPORAL_ADDRESS: temporalAddress(),
  TEMPORAL_NAMESPACE: freshName("console")
})

/** Whose reminder, three days before at eight (UTC, as the browser here), is within a day. */
const dueSoon = () => {
  const nowDate = new Date()
  const days = nowDate.getUTCHours() < 8 ? 3 : 4
  return new Date(nowDate.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

layer(SceneAtWork, { excludeTestServices: true })("first steps", (it) => {
  it.effect("an empty organization is offered a sample app and three automations; each works at once", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      yield* signInTo(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(tab.page, "Home")
      yield* shows(tab.page, "Automations to begin with")
      const cookies = yield* promise(() => tab.page.browserContext().cookies())
      const judgeHome = (name: string) =>
        judged(browser, { address: `${service.origin}/console`, heading: "Home", name, cookies })
      yield* press(tab.page, "Make the sample app")
      yield* promise(() => found(tab.page, "::-p-aria([name='Open the sample app'])"))
      for (const name of ["Route a new order", "Invoice an approved order", "Remind before an order is due"]) {
        yield* press(tab.page, `Turn on: ${name}`)
        yield* promise(() => found(tab.page, `::-p-aria([name="Look at it: ${name}"])`))
      }
      yield* judgeHome("first-steps")
      assert.deepStrictEqual(complaintsOf(tab), [])

      const { automations } = yield* call("GET", "/automation/org")
      assert.deepStrictEqual(
        automations.map(({ broken, status }: any) => [status, broken]),
        [0, 1, 2].map(() => ["active", false])
      )
      const { app_id } = (yield* call("GET", "/app")).apps.find(({ name }: any) => name === "Sample orders")
      assert.strictEqual((yield* call("GET", `/record/app/${app_id}`)).total, 5)
      const app = yield* call("GET", `/app/${app_id}`)
      const state = app.fields.find(({ external_id }: any) => external_id === "state")
      const newOption = state.config.settings.options[0].id
      // Fires the first, whose change fires the second.
      const firstOrder = yield* call("POST", `/record/app/${app_id}`, {
        fields: { number: "1006", customer: "You", total: 12, state: newOption }
      })
      const valueOf = (record: any, name: string) =>
        record.fields.find(({ external_id }: any) => external_id === name)?.values[0]?.value ?? null
      yield* eventually(
        "its state and its invoice",
        call("GET", `/record/${firstOrder.record_id}`),
        (record) =>
          valueOf(record, "state")?.text === "Approved" && valueOf(record, "invoice")?.filename === "Invoice 1006.pdf"
      )
      const large = yield* call("POST", `/record/app/${app_id}`, {
        fields: { number: "1007", customer: "You", total: 1000, state: newOption }
      })
      yield* eventually(
        "the large one waits",
        call("GET", `/record/${large.record_id}`),
        (record) => valueOf(record, "state")?.text === "To approve"
      )
      const due = yield* call("POST", `/record/app/${app_id}`, {
        fields: { number: "1008", customer: "You", total: 1, state: newOption, due: dueSoon() }
      })
      yield* eventually("its reminder is due", call("GET", "/org/home"), ({ due: days }) =>
        days.some(({ record_id }: any) => record_id === due.record_id)
      )

      // Who has made one of their own is offered no first steps.
      yield* call("POST", `/automation/app/${app_id}`, {
        name: "My own",
        trigger: { type: "record_created", config: {} },
        actions: []
      })
      yield* promise(() => tab.page.reload())
      yield* opened(tab.page, "Home")
      yield* promise(() => tab.page.waitForNetworkIdle({ concurrency: 1 }))
      assert.isNull(yield* promise(() => tab.page.$("#first-steps")))
    }).pipe(Effect.scoped)
  )
})
