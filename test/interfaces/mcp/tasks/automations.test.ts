// Tasks in plain words about automations, webhooks and secrets, by a host's client against a running service with its worker
// (docs/mcp-tasks.md).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RunPatience } from "../../../../src/interfaces/mcp/followRun.ts"
import { automate } from "../../../domain/automations/runSupport.ts"
import { as } from "../../../support/records.ts"
import { servedAtHome } from "../../../support/served.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { seedFailedDelivery } from "../seeds.ts"
import { automationTasks } from "./automationTasks.ts"
import { carryOut } from "./carryOut.ts"
import { hookTasks } from "./hookTasks.ts"
import { seedLibrary } from "./library.ts"

const onBook = { type: "record_updated", config: {} }
const quietly = { trigger_other_flows: false, trigger_webhooks: false }

/** Tidy and Lend follow a change of book 12; Lend makes a loan without its book. Wait stands in a delay, Picky takes no book. */
const seedAutomations = Effect.gen(function* () {
  const library = yield* seedLibrary
  const { owner, booksId, loansId, books } = library
  const ask = as(owner)
  const app = (yield* ask("GET", `/v1/app/${booksId}`)).json
  const fieldId = (name: string) => app.fields.find((one: any) => one.external_id === name).field_id as number
  const text = (name: string, field_type: string) => ({
    kind: "variable",
    source: "field",
    field_id: fieldId(name),
    field_type
  })
  const noted = (note: string) => ({
    type: "current_record_update",
    config: {
      ...quietly,
      field_assignments: [
        {
          field_type: "multi_text",
          variable_def: text("notes", "multi_text"),
          assignment_type: "set",
          field_value: [note]
        }
      ]
    }
  })
  const manually = { type: "automation_called", config: {} }
  const tidy = yield* automate(owner.key, booksId, { name: "Tidy", trigger: onBook, actions: [noted("Untidy.")] })
  yield* ask("PUT", `/v1/automation/${tidy}`, { actions: [noted("Tidy.")] })
  yield* automate(owner.key, booksId, {
    name: "Lend",
    trigger: onBook,
    actions: [{ type: "record_create", config: { ...quietly, app_id: loansId, field_assignments: [] } }]
  })
  const wait = yield* automate(owner.key, booksId, {
    name: "Wait",
    trigger: manually,
    actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }, noted("Late.")]
  })
  yield* automate(owner.key, booksId, {
    name: "Picky",
    trigger: manually,
    filter: {
      operator: "and",
      rows: [{ subject: text("pages", "number"), operator: "greater_than", value: { type: "number", number: "9000" } }]
    },
    actions: [noted("Long.")]
  })
  yield* ask("PUT", `/v1/record/${books[11]}`, { fields: { pages: 621 } })
  yield* ask("POST", `/v1/automation/${wait}/manual-run`, { record_id: books[1] })
  const sql = yield* SqlClient.SqlClient
  const runCounts = sql<{ done: number; waits: number }>`
    SELECT count(*) FILTER (WHERE completed_on IS NOT NULL)::int AS done,
           count(*) FILTER (WHERE wait_until IS NOT NULL)::int AS waits FROM runs WHERE app_id = ${booksId}`
  yield* eventually("runs of books", runCounts, ([row]) => row!.done === 2 && row!.waits === 1)
  return library
})

/** An active webhook with two failed deliveries, and a secret. */
const seedHook = Effect.gen(function* () {
  const library = yield* seedLibrary
  const { owner, booksId } = library
  const sql = yield* SqlClient.SqlClient
  const ask = as(owner)
  const hookReply = yield* ask("POST", `/v1/hook/app/${booksId}`, {
    type: "record.update",
    url: "https://93.184.215.14/hook"
  })
  assert.strictEqual(hookReply.status, 200, hookReply.text)
  const hookId = hookReply.json.hook_id as number
  yield* sql`UPDATE hooks SET status = 'active' WHERE hook_id = ${hookId}`
  yield* seedFailedDelivery(hookId, 7)
  yield* seedFailedDelivery(hookId, 8)
  yield* ask("POST", "/v1/secret/org", { name: "mail_key", value: "sk-before-the-move" })
  return library
})

/** For a machine's worst minute. */
const patient = Layer.succeed(RunPatience, 80_000)
const world = servedAtHome((env) => Layer.provide(spineLayer(env), patient))

layer(world, { excludeTestServices: true })("tasks about what happens by itself", (it) => {
  it.effect("automations and their runs", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedAutomations
      yield* carryOut(owner.key, automationTasks)
    })
  )

  it.effect("webhooks, deliveries and secrets", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedHook
      yield* carryOut(owner.key, hookTasks)
    })
  )
})
