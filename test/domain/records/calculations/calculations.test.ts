// developer-api.md 11.3: calculation fields over the record's own fields, through the API.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../../support/app.ts"
import { as, callerOf, createApp, eventsOf, field, seedWorkspace } from "../../../support/records.ts"
import { askedBy } from "../../../support/statements.ts"

const calculation = (label: string, expression: unknown, result: string, more: object = {}) => ({
  field_type: "calculation",
  config: { label, expression, result, ...more }
})

/** Values of a record by external id: what its entries show first. */
const shownValues = (record: any): Record<string, unknown> =>
  Object.fromEntries(record.fields.map((one: any) => [one.external_id, one.values[0].value ?? one.values[0].start]))

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.3: calculation fields", (it) => {
  const setup = (calculations: ReadonlyArray<any>) =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("number", "Price", { decimals: 2 }),
        field("number", "Quantity"),
        field("single_date", "Due", { time: "enabled" }),
        field("single_category", "Kind", { options: [{ text: "Bulk" }, { text: "Small" }] }),
        ...calculations
      ])
      const call = as(owner)
      const path = `/v1/record/app/${app.app_id}`
      const create = (fields: object) => Effect.map(call("POST", path, { fields }), ({ json }) => json)
      const idOf = (slug: string): number => app.fields.find((one: any) => one.external_id === slug).field_id
      return { app, call, create, idOf, path, owner, workspaceId }
    })

  const allExpressions = [
    calculation("Total", "price * quantity", "number", { decimals: 2 }),
    calculation("Note", "name + ': ' + total", "text"),
    calculation("Reminder", "add_days(due, -7)", "date"),
    calculation("Dear", "total > 10", "boolean")
  ]

  it.effect("results of four types are there with the write, and follow it", () =>
    Effect.gen(function* () {
      const { call, create } = yield* setup(allExpressions)
      const record = yield* create({ name: "Oak", price: 0.1, quantity: 3, due: "2026-04-10" })
      const { dear, note, reminder, total } = shownValues(record)
      assert.deepStrictEqual([total, note, reminder, dear], [0.3, "Oak: 0.3", "2026-04-03 00:00:00", false])
      const path = `/v1/record/${record.record_id}`
      const updated = (yield* call("PUT", path, { fields: { price: 20 } })).json
      assert.deepInclude(shownValues(updated), { total: 60, note: "Oak: 60", dear: true })
      const cleared = (yield* call("PUT", path, { fields: { due: null } })).json
      assert.notProperty(shownValues(cleared), "reminder")
      const delta = (yield* call("GET", `${path}/revision/previous/1`)).json
      assert.deepStrictEqual(
        delta.revision_deltas.map((one: any) => [one.external_id, one.from[0].value, one.to[0].value]),
        [
          ["price", 0.1, 20],
          ["total", 0.3, 60],
          ["note", "Oak: 0.3", "Oak: 60"],
          ["dear", false, true]
        ]
      )
    })
  )

  it.effect("batches calculate too; events name the calculated fields among those that changed", () =>
    Effect.gen(function* () {
      const { app, call, idOf } = yield* setup(allExpressions)
      const batch = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
        inputs: [1, 2].map((quantity) => ({ fields: { price: 2, quantity } }))
      })
      assert.deepStrictEqual(
        batch.json.records.map((one: any) => shownValues(one)["total"]),
        [2, 4]
      )
      const [first] = batch.json.records
      yield* call("PUT", `/v1/record/app/batch/${app.app_id}`, {
        inputs: [{ record_id: first.record_id, fields: { quantity: 6 } }]
      })
      const events = yield* eventsOf("record_id", first.record_id)
      assert.includeMembers(events.at(-1)!.payload.changed, [idOf("quantity"), idOf("total"), idOf("dear")])
      assert.deepStrictEqual(events.at(-1)!.payload.cells[idOf("total")], [12])
    })
  )

  it.effect("filters, sorts and views take a result as its type", () =>
    Effect.gen(function* () {
      const { app, call, create, idOf, path } = yield* setup(allExpressions)
      for (const [quantity, due] of [
        [9, "2026-03-01"],
        [100, "2026-05-01"],
        [20, "2026-04-01"]
      ] as const)
        yield* create({ name: "Oak", price: 1, quantity, due })
      const ordered = yield* call("GET", `${path}?sort_by=total&sort_desc=true`)
      const totals = (reply: any) => reply.json.records.map((one: any) => shownValues(one)["total"])
      assert.deepStrictEqual(totals(ordered), [100, 20, 9])
      const filtered = (filter: object) =>
        Effect.map(
          call("POST", `/v1/record/filter/app/${app.app_id}?sort_by=total`, {
            filters: [{ type: "calculation", ...filter }]
          }),
          totals
        )
      const total = idOf("total")
      assert.deepStrictEqual(
        yield* filtered({ field_id: total, match_type: "larger", values: [{ value: 10 }] }),
        [20, 100]
      )
      assert.deepStrictEqual(
        yield* filtered({ field_id: total, type: "number", match_type: "equal", values: [{ value: 9 }] }),
        [9]
      )
      assert.deepStrictEqual(
        yield* filtered({ field_id: idOf("dear"), match_type: "equal", values: [{ value: false }] }),
        [9]
      )
      assert.deepStrictEqual(
        yield* filtered({ field_id: idOf("reminder"), match_type: "after", values: [{ value: "2026-03-20" }] }),
        [20, 100]
      )
      assert.deepStrictEqual(
        yield* filtered({ field_id: idOf("note"), match_type: "contains", values: [{ value: "OAK: 2" }] }),
        [20]
      )
      const wrong = yield* call("POST", `/v1/record/filter/app/${app.app_id}`, {
        filters: [{ type: "calculation", field_id: total, match_type: "contains", values: [{ value: "1" }] }]
      })
      assert.strictEqual(wrong.status, 400)
    })
  )

  it.effect("a calculation gives the record its title, and a write to it is refused", () =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const app = yield* createApp(owner, workspaceId, [
        calculation("Heading", "number + '. ' + name", "text"),
        field("number", "Number"),
        field("single_text", "Name")
      ])
      const call = as(owner)
      const path = `/v1/record/app/${app.app_id}`
      const { json: record } = yield* call("POST", path, { fields: { number: 4, name: "Oak" } })
      assert.strictEqual(record.title, "4. Oak")
      const updated = yield* call("PUT", `/v1/record/${record.record_id}`, { fields: { number: 5 } })
      assert.strictEqual(updated.json.title, "5. Oak")
      const refusal = yield* call("POST", path, { fields: { heading: "x" } })
      assert.strictEqual(refusal.status, 400)
      assert.include(refusal.json.error_message, "fields.heading: is a computed field")
    })
  )

  it.effect("a code value is taken with references and short forms; ids become names", () =>
    Effect.gen(function* () {
      const { app, call, create, idOf } = yield* setup([])
      const reference = { kind: "variable", source: "field", field_id: idOf("price"), field_type: "number" }
      const { json } = yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [calculation("Sum", [reference, " + {{field.quantity}}"], "number")]
      })
      const sum = json.fields.at(-1)
      assert.strictEqual(sum.config.expression, 'field("price") + field("quantity")')
      assert.strictEqual(sum.config.settings.expression, sum.config.expression)
      assert.strictEqual(shownValues(yield* create({ price: 1.5, quantity: 2 }))["sum"], 3.5)
    })
  )

  it.effect("a definition that does not hold is refused at its place", () =>
    Effect.gen(function* () {
      const { app, call, idOf } = yield* setup([calculation("Total", "price * quantity", "number")])
      const updateApp = (body: object) => call("PUT", `/v1/app/${app.app_id}`, body)
      const expectRefusal = (body: object, problem: string) =>
        Effect.map(updateApp(body), ({ json, status }) => {
          assert.strictEqual(status, 400, JSON.stringify(json))
          assert.include(json.error_message, problem)
        })
      const oneField = (...given: Parameters<typeof calculation>) => ({ fields: [calculation(...given)] })
      yield* expectRefusal(oneField("A", "price *", "number"), "fields[0].config.expression: at 8:")
      yield* expectRefusal(oneField("A", "prise", "number"), "fields[0].config.expression: the app has no field prise")
      yield* expectRefusal(oneField("A", "price", "money"), "fields[0].config.settings.result")
      yield* expectRefusal({ fields: [field("calculation", "A")] }, "fields[0].config.settings.expression: is missing")
      yield* expectRefusal(
        oneField("A", "price", "number", { required: true }),
        "config.required: a calculation is never written"
      )
      yield* expectRefusal(oneField("A", "price", "number", { decimals: 9 }), "fields[0].config.settings.decimals")
      yield* expectRefusal(
        { fields: [field("number", "N", undefined, { expression: "1" })] },
        "fields[0].config.expression"
      )
      yield* expectRefusal(
        {
          fields: [
            calculation("A", "b", "number"),
            calculation("B", "c + 1", "number"),
            calculation("C", "a", "number")
          ]
        },
        "reads itself: a → b → c → a"
      )
      yield* expectRefusal(
        { fields: [{ field_id: idOf("total"), config: { label: "Total", expression: "total + 1" } }] },
        "fields[0].config.expression: reads itself: total → total"
      )
      yield* expectRefusal(
        { fields: [{ field_id: idOf("total"), config: { label: "Total", result: "text" } }] },
        "result: it is number and cannot be changed"
      )
      yield* expectRefusal(
        { fields_to_delete: [{ field_id: idOf("price") }] },
        "the calculation total would no longer work"
      )
      yield* expectRefusal({ fields: [field("unique_id", "No"), calculation("A", "no", "number")] }, "cannot be read")
    })
  )

  it.effect("calculating asks the database no more than an app without calculations does", () =>
    Effect.gen(function* () {
      const writer = yield* RecordWriter
      const statementsOf = Effect.fnUntraced(function* (calculations: ReadonlyArray<any>) {
        const { app, owner } = yield* setup(calculations)
        const write = ownWrite(callerOf(owner), defaultSwitches)
        yield* writer.create(write, app.app_id, [{ price: 1 }])
        const created = yield* askedBy(writer.create(write, app.app_id, [{ price: 1, quantity: 2 }]))
        const [record] = created.answer
        const updates = [{ record_id: record!.record_id, fields: { name: "Crate", price: 3 } }]
        const updated = yield* askedBy(writer.update(write, app.app_id, updates))
        return [...created.asked, ...updated.asked].map(({ statement }) => statement)
      })
      assert.deepStrictEqual(yield* statementsOf(allExpressions), yield* statementsOf([]))
    })
  )

  it.effect("the calculations of a record have one budget: what comes after it is spent says so", () =>
    Effect.gen(function* () {
      const list = `[${Array.from({ length: 60 }, (_, at) => at)}]`
      // About 15,000 steps each: six of them are within the budget.
      const costly = `${list}.map((a) => ${list}.filter((b) => true).length).length + price`
      const { call, create } = yield* setup([
        ...Array.from({ length: 12 }, (_, at) => calculation(`Costly ${at}`, costly, "number")),
        calculation("Cheap", "price + 1", "number"),
        calculation("Reader", "cheap + 1", "number")
      ])
      const record = yield* create({ price: 1 })
      const results = Array.from({ length: 12 }, (_, at) => shownValues(record)[`costly_${at}`])
      const count = results.findIndex((one) => one === undefined)
      assert.strictEqual(count, 6)
      assert.deepStrictEqual(
        results,
        results.map((_, at) => (at < count ? 61 : undefined))
      )
      const { json } = yield* call("GET", `/v1/record/${record.record_id}`)
      const messages = Object.fromEntries(json.calculation_errors.map((one: any) => [one.external_id, one.message]))
      const spent = "the calculations of the record take more than 100000 steps together"
      assert.strictEqual(messages["cheap"], spent)
      assert.strictEqual(messages["reader"], spent)
      assert.lengthOf(json.calculation_errors, 12 - count + 2)
    })
  )
})
