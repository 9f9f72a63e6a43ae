// What the two ways to build an automation begin with and come to (docs/console.md, "Tasks"): the service with its worker, and the
// automation of six steps that is wanted.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../../support/eventually.ts"
import { freshNamespace, TestConnection, temporalAddress } from "../../../support/temporal.ts"
import { Scene, sceneWith } from "../../pages/chromium.ts"
import { found } from "../../pages/waiting.ts"
import { seedApps } from "../consoleSeeds.ts"
import { openConsoleTab, opened, promise } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"

/** The service with everything that runs automations. */
export const runningScene = Layer.unwrap(
  Effect.map(freshNamespace, (namespace) =>
    sceneWith({
      ROLE: "all",
      RATE_BUDGET: "1000000",
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace
    })
  )
).pipe(Layer.provide(TestConnection.layer))

/** A ship to try it on, two berths to go through, and the page of automations. */
export const beginAtAutomations = Effect.gen(function* () {
  const { browser, service } = yield* Scene
  const { call, ships } = yield* seedApps
  const { apps } = yield* call("GET", "/app")
  const berths = apps.find((one: any) => one.name === "Berths").app_id
  for (const name of ["North", "South"]) yield* call("POST", `/record/app/${berths}`, { fields: { name } })
  const [expected] = ships.fields[1].config.settings.options
  yield* call("POST", `/record/app/${ships.app_id}`, { fields: { name: "The Tern", state: expected.id } })
  const tab = yield* openConsoleTab(browser)
  yield* openSignedIn(tab, `${service.origin}/console/automations`, "Harbor Works")
  yield* opened(tab.page, "Automations")
  return { call, ships, tab }
})

type Call = (method: string, path: string, body?: object) => Effect.Effect<any>

/** Waits until the dry run is over, and looks at it with what was made. */
export const sixStepsWork = Effect.fnUntraced(function* (call: Call, page: Page) {
  yield* promise(() => found(page, `::-p-text(Active)`))
  const { automations } = yield* call("GET", "/automation/org")
  const [made] = automations
  assert.strictEqual(made.status, "active", JSON.stringify(made.broken_reason))
  assert.strictEqual(made.trigger.type, "record_created")
  const [collect, loop, comment] = made.actions
  assert.deepStrictEqual(
    [collect.type, loop.type, comment.type],
    ["collect_app_records", "for_loop", "current_record_comment_create"]
  )
  const [branch] = loop.config.action_rows
  assert.strictEqual(branch.config.condition.rows.length, 1)
  assert.deepStrictEqual(
    branch.config.action_rows.map(({ type }: any) => type),
    ["create_pdf", "send_email"]
  )
  const [, mail] = branch.config.action_rows
  assert.deepStrictEqual(mail.config.to_address, ["pier@harbor.example"])
  const [pdf] = branch.config.action_rows
  assert.strictEqual(pdf.config.pdf_body[1].source, "field")
  const { automation_runs } = yield* call("POST", `/automation-run/automation/${made.id}`, {})
  const run = automation_runs.find((one: any) => one.type === "simulation")
  yield* eventually(
    "the dry run",
    call("GET", `/automation-run/${run.id}`),
    ({ automation_run }: any) => automation_run.status === "completed"
  )
})
