// Automations and calculation fields (developer-api.md 11.3): triggers, conditions and values treat a result as its type; a step's write
// calculates as every write does.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, runsOf, runsOver, settled, textOf } from "../runSupport.ts"
import { makeApp, seedApp } from "../support.ts"

layer(spineLayer(), { excludeTestServices: true })("automations and calculations (11.3)", (it) => {
  it.effect("a result fires, is compared and is read as its type; a step's write calculates", () =>
    Effect.gen(function* () {
      const { appId, fields, token } = yield* seedApp([
        { field_type: "single_text", config: { label: "Reference" } },
        { field_type: "number", config: { label: "Price" } },
        { field_type: "number", config: { label: "Quantity" } },
        { field_type: "calculation", config: { label: "Total", expression: "price * quantity", result: "number" } },
        { field_type: "calculation", config: { label: "Dear", expression: "total > 10", result: "boolean" } },
        { field_type: "calculation", config: { label: "Upper", expression: "reference.toUpperCase()", result: "text" } }
      ])
      const app = yield* App
      const field = (slug: string, field_type: string) => ({
        ...{ kind: "variable", source: "field", field_id: fields[slug]!, field_type }
      })
      const trigger = { type: "record_updated", config: { trigger_on_changes_field_ids: [fields["total"]!] } }
      const where = (slug: string, operator: string, value: object) => ({
        operator: "and",
        rows: [{ subject: field(slug, "calculation"), operator, value }]
      })
      const total = ["total ", field("total", "calculation")]
      const actions = [
        {
          type: "current_record_update",
          config: {
            field_assignments: [{ ...assign("single_text", fields["reference"]!, []), field_value: total }],
            trigger_other_flows: false
          }
        }
      ]
      const allChanges = yield* automate(token, appId, {
        trigger,
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      const large = yield* automate(token, appId, {
        trigger,
        filter: where("total", "greater_than", { type: "number", number: ["10"] }),
        actions
      })
      const cheap = yield* automate(token, appId, {
        trigger,
        filter: where("dear", "is", { type: "boolean", boolean: false }),
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      const record = yield* createRecord(token, appId, { price: 1, quantity: 2 })
      const updateRecord = (values: object) =>
        app.call("PUT", `/v1/record/${record}`, { token, body: { fields: values } })
      // 2 → 4, then the same product of other factors, then 20.
      for (const values of [{ quantity: 4 }, { price: 2, quantity: 2 }, { quantity: 10 }]) yield* updateRecord(values)
      yield* runsOver(allChanges, 2)
      yield* runsOver(large, 1)
      yield* settled(appId)
      const counts = yield* Effect.forEach([allChanges, large, cheap], (id) =>
        Effect.map(runsOf(id), (runs) => runs.length)
      )
      assert.deepStrictEqual(counts, [2, 1, 1])
      assert.strictEqual(yield* textOf(record, fields["reference"]!), "total 20")
      assert.strictEqual(yield* textOf(record, fields["upper"]!), "TOTAL 20")
    })
  )

  it.effect("a result that follows a related record fires with the chain of the change", () =>
    Effect.gen(function* () {
      const {
        appId: linesApp,
        fields: lineFields,
        token,
        workspaceId
      } = yield* seedApp([
        { field_type: "number", config: { label: "Price" } },
        { field_type: "number", config: { label: "Seen" } }
      ])
      const orders = yield* makeApp(token, workspaceId, [
        { field_type: "single_text", config: { label: "Title" } },
        {
          field_type: "multi_relation",
          config: { label: "Lines", settings: { referenced_apps: [{ app_id: linesApp }] } }
        },
        {
          field_type: "calculation",
          config: { label: "Total", expression: "sum(related(lines).price)", result: "number" }
        }
      ])
      const app = yield* App
      const exit = [{ type: "exit", config: { exit_type: "success" } }]
      const onTotal = yield* automate(token, orders.appId, {
        trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [orders.fields["total"]!] } },
        actions: exit
      })
      const lineRecord = yield* createRecord(token, linesApp, { price: 1 })
      const order = yield* createRecord(token, orders.appId, { title: "A", lines: [lineRecord] })
      yield* app.call("PUT", `/v1/record/${lineRecord}`, { token, body: { fields: { price: 5 } } })
      const [run] = yield* runsOver(onTotal, 1)
      assert.isDefined(run)
      // What nobody reads, and what gives the same, fires nothing.
      yield* app.call("PUT", `/v1/record/${lineRecord}`, { token, body: { fields: { seen: 1 } } })
      yield* app.call("PUT", `/v1/record/${lineRecord}?workflow=false`, { token, body: { fields: { price: 6 } } })
      yield* eventually("the total", app.call("GET", `/v1/record/${order}`, { token }), ({ json }) =>
        json.fields.some((one: any) => one.external_id === "total" && one.values[0].value === 6)
      )
      yield* settled(orders.appId)
      assert.strictEqual((yield* runsOf(onTotal)).length, 1)
      assert.isDefined(lineFields["seen"])
    })
  )
})
