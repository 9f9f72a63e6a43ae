// developer-api.md 11.3: calculations over related records: the record's own write, and the background pass.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { makeRelatedPass } from "../../../../src/domain/records/recalculation/relatedPass.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../../support/app.ts"
import { as, callerOf, createApp, eventsOf, field, seedWorkspace } from "../../../support/records.ts"
import { calculation, relation, settled, shown } from "../../../support/relatedCalculations.ts"
import { askedBy } from "../../../support/statements.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.3: calculations over related records", (it) => {
  const setup = Effect.gen(function* () {
    const pass = yield* makeRelatedPass
    const { owner, workspaceId } = yield* seedWorkspace
    const call = as(owner)
    const lines = yield* createApp(owner, workspaceId, [
      field("single_text", "Name"),
      field("number", "Price", { decimals: 2 }),
      field("number", "Quantity"),
      field("single_category", "Kind", { options: [{ text: "Bulk" }, { text: "Small" }] })
    ])
    const orders = yield* createApp(owner, workspaceId, [
      field("single_text", "Title"),
      relation("Lines", lines.app_id),
      field("number", "Discount"),
      calculation("Total", "sum(related(lines).map((line) => line.price * line.quantity)) - discount", "number"),
      calculation("Names", "related(lines).name.join(', ')", "text")
    ])
    const create = (app: any, fields: object) =>
      Effect.map(call("POST", `/v1/record/app/${app.app_id}`, { fields }), ({ json }) => json)
    const update = (record: any, fields: object) => call("PUT", `/v1/record/${record.record_id}`, { fields })
    const read = (record: any) => Effect.map(call("GET", `/v1/record/${record.record_id}`), ({ json }) => json)
    const values = (record: any) => Effect.map(read(record), shown)
    const state = (app: any) => Effect.map(call("GET", `/v1/app/${app.app_id}`), ({ json }) => json)
    const pending = (app: any) => Effect.map(state(app), (json) => json.calculations_pending)
    const oakLine = yield* create(lines, { name: "Oak", price: 2.5, quantity: 2, kind: "Bulk" })
    const two = yield* create(lines, { name: "Ash", price: 1, quantity: 3 })
    const order = yield* create(orders, { title: "A", lines: [oakLine.record_id, two.record_id], discount: 1 })
    return {
      call,
      create,
      lines,
      one: oakLine,
      order,
      orders,
      owner,
      pass,
      pending,
      read,
      state,
      two,
      update,
      values,
      workspaceId
    }
  })

  it.effect("a record's own write reads what is related; the pass follows a change of it", () =>
    Effect.gen(function* () {
      const { one, order, orders, pass, pending, two, update, values } = yield* setup
      assert.deepInclude(shown(order), { total: 7, names: "Oak, Ash" })
      assert.strictEqual(yield* pending(orders), 0)
      yield* update(one, { quantity: 4 })
      assert.deepStrictEqual([(yield* values(order))["total"], yield* pending(orders)], [7, 1])
      yield* settled(pass)
      assert.deepStrictEqual([(yield* values(order))["total"], yield* pending(orders)], [12, 0])
      // Nobody reads it.
      yield* update(one, { kind: "Small" })
      assert.strictEqual(yield* pending(orders), 0)
      const unlinked = yield* update(order, { lines: [two.record_id] })
      assert.deepInclude(shown(unlinked.json), { total: 2, names: "Ash" })
      const linked = yield* update(order, { lines: [two.record_id, one.record_id] })
      assert.deepInclude(shown(linked.json), { total: 12, names: "Ash, Oak" })
    })
  )

  it.effect("the trash, a restore and the destruction of a related record are followed", () =>
    Effect.gen(function* () {
      const { call, one, order, pass, two, update, values } = yield* setup
      yield* call("DELETE", `/v1/record/${one.record_id}`)
      yield* settled(pass)
      assert.deepInclude(yield* values(order), { total: 2, names: "Ash" })
      yield* call("POST", `/v1/record/${one.record_id}/restore`)
      yield* settled(pass)
      assert.deepInclude(yield* values(order), { total: 7, names: "Oak, Ash" })
      yield* call("DELETE", `/v1/record/${one.record_id}?skip_trash=true`)
      yield* settled(pass)
      assert.deepInclude(yield* values(order), { total: 2, names: "Ash" })
      // One in the trash is left alone until it comes back.
      yield* call("DELETE", `/v1/record/${order.record_id}`)
      yield* update(two, { price: 10 })
      yield* settled(pass)
      const restored = yield* call("POST", `/v1/record/${order.record_id}/restore`)
      assert.deepInclude(shown(restored.json), { total: 2 })
      yield* settled(pass)
      assert.deepInclude(yield* values(order), { total: 29 })
    })
  )

  it.effect("the pass writes an update by the author of the change that it follows", () =>
    Effect.gen(function* () {
      const { call, one, order, orders, owner, pass, read, update } = yield* setup
      yield* call("PUT", `/v1/record/${one.record_id}?workflow=false&hook=false`, { fields: { price: 4 } })
      yield* settled(pass)
      const total = orders.fields[3].field_id
      const changed = yield* read(order)
      assert.strictEqual(changed.revision, 1)
      const [, event] = yield* eventsOf("record_id", order.record_id)
      assert.deepInclude(event!, { type: "record.update" })
      assert.deepStrictEqual(event!.payload.changed, [total])
      assert.deepStrictEqual(event!.payload.author, { type: "user", user_id: owner.userId })
      assert.deepStrictEqual([event!.payload.previous[total], event!.payload.cells[total]], [[7], [10]])
      const revision = yield* call("GET", `/v1/record/${order.record_id}/revision/previous/1`)
      assert.deepStrictEqual(
        revision.json.revision_deltas.map((delta: any) => [delta.external_id, delta.from[0].value, delta.to[0].value]),
        [["total", 7, 10]]
      )
      // The same result is no change.
      yield* update(one, { price: 2, quantity: 4 })
      yield* settled(pass)
      assert.strictEqual((yield* read(order)).revision, 1)
    })
  )

  it.effect("a title that is calculated of related records is the record's, and others show it", () =>
    Effect.gen(function* () {
      const { create, one, order, orders, owner, pass, read, update, workspaceId } = yield* setup
      const parcels = yield* createApp(owner, workspaceId, [
        calculation("Label", "related(orders).names.join('; ') + '!'", "text"),
        relation("Orders", orders.app_id)
      ])
      const parcel = yield* create(parcels, { orders: [order.record_id] })
      assert.strictEqual(parcel.title, "Oak, Ash!")
      yield* update(one, { name: "Elm" })
      yield* settled(pass)
      assert.strictEqual((yield* read(parcel)).title, "Elm, Ash!")
    })
  )

  it.effect("definitions that do not hold are refused at their place", () =>
    Effect.gen(function* () {
      const { call, lines, orders, owner, workspaceId } = yield* setup
      const putApp = (app: any, body: object) => call("PUT", `/v1/app/${app.app_id}`, body)
      const isRefused = (app: any, body: object, problem: string) =>
        Effect.map(putApp(app, body), ({ json, status }) => {
          assert.strictEqual(status, 400, JSON.stringify(json))
          assert.include(json.error_message, problem)
        })
      const oneField = (...given: Parameters<typeof calculation>) => ({ fields: [calculation(...given)] })
      yield* isRefused(
        orders,
        oneField("X", "related(line).price", "number"),
        "fields[0].config.expression: the app has no field line"
      )
      yield* isRefused(
        orders,
        oneField("X", "related(title).price", "number"),
        "a single_text field has no related records"
      )
      yield* isRefused(
        orders,
        { fields: [field("number", "N"), calculation("X", "sum(related(lines).prise)", "number")] },
        "fields[1].config.expression: no app to which lines refers has a field prise"
      )
      // A cycle over apps, and over three.
      const backRelation = yield* putApp(lines, { fields: [relation("Orders", orders.app_id)] })
      assert.strictEqual(backRelation.status, 200)
      const sums = yield* putApp(lines, oneField("Sum", "sum(related(orders).total)", "number"))
      assert.strictEqual(sums.status, 200)
      yield* isRefused(
        orders,
        {
          fields: [
            { field_id: orders.fields[3].field_id, config: { label: "Total", expression: "sum(related(lines).sum)" } }
          ]
        },
        `fields[0].config.expression: reads itself: ${orders.slug}.total → ${lines.slug}.sum → ${orders.slug}.total`
      )
      // Fields that are read stay.
      yield* isRefused(
        lines,
        { fields_to_delete: [{ field_id: lines.fields[1].field_id }] },
        `fields_to_delete: the calculation ${orders.slug}.total reads the field price`
      )
      const converted = yield* call("POST", `/v1/field/${lines.fields[1].field_id}/convert`, {
        field_type: "single_text"
      })
      assert.strictEqual(converted.status, 400)
      assert.include(converted.json.error_message, "a calculation of another app reads the field")
      // A parent of the same app.
      const tasks = yield* createApp(owner, workspaceId, [field("number", "Effort")])
      yield* isRefused(
        tasks,
        {
          fields: [relation("Parent", tasks.app_id), calculation("All", "effort + sum(related(parent).all)", "number")]
        },
        `fields[1].config.expression: reads itself: ${tasks.slug}.all → ${tasks.slug}.all`
      )
    })
  )

  it.effect("a write of an app that nobody reads asks the database no more", () =>
    Effect.gen(function* () {
      const { lines, owner, workspaceId } = yield* setup
      const writer = yield* RecordWriter
      const write = ownWrite(callerOf(owner), defaultSwitches)
      const unreadApp = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("number", "Price", { decimals: 2 }),
        field("number", "Quantity")
      ])
      const statementsOf = Effect.fnUntraced(function* (app: any, fields: Readonly<Record<string, unknown>>) {
        yield* writer.create(write, app.app_id, [{ price: 1 }])
        const created = yield* askedBy(writer.create(write, app.app_id, [{ price: 1, quantity: 2 }]))
        const id = created.answer[0]!.record_id
        const updated = yield* askedBy(writer.update(write, app.app_id, [{ record_id: id, fields }]))
        const removalStatements = yield* askedBy(writer.remove(write, app.app_id, [id], false))
        return [...created.asked, ...updated.asked, ...removalStatements.asked].map(({ statement }) => statement)
      })
      const unreadStatements = yield* statementsOf(unreadApp, { price: 3 })
      assert.notInclude(unreadStatements.join("\n"), "calculation_")
      // Where somebody reads, a statement notes the update and one the trash; a field that nobody reads costs nothing.
      const noted = yield* statementsOf(lines, { price: 3 })
      assert.deepStrictEqual(
        noted.filter((statement) => !statement.includes("calculation_changes")),
        unreadStatements
      )
      assert.strictEqual(noted.length, unreadStatements.length + 2)
      assert.strictEqual((yield* statementsOf(lines, { kind: "Small" })).length, unreadStatements.length + 1)
    })
  )
})
