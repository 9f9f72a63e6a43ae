// developer-api.md 3.1, 4.1, 4.3 rules 3 and 6: what points to a record, beside whoever takes away or renames that record, its app or its field.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../../src/domain/accounts/Access.ts"
import { Apps } from "../../../../src/domain/records/apps/Apps.ts"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { besideTransaction } from "../../../../src/platform/sql/besideTransaction.ts"
import { appLayer } from "../../../support/app.ts"
import { crossing } from "../../../support/locks.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("records that point to one, beside its end", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, workspaceId } = yield* seedWorkspace
    const sql = yield* SqlClient.SqlClient
    const writer = yield* RecordWriter
    const apps = yield* Apps
    const access = yield* Access
    const call = as(owner)
    const customers = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Customers")
    const vendors = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Vendors")
    const referenced_apps = [customers, vendors].map(({ app_id }) => ({ app_id }))
    const orders = yield* createApp(owner, workspaceId, [field("multi_relation", "Of", { referenced_apps })], "Orders")
    const caller = callerOf(owner)
    const createRecord = (appId: number, fields: object) =>
      Effect.map(call("POST", `/v1/record/app/${appId}`, { fields }), ({ json }) => json.record_id as number)
    const order = (id: number) => Effect.map(call("GET", `/v1/record/${id}`), ({ json }) => json)
    const values = (record: any) => (record.fields[0]?.values ?? []).map(({ value }: any) => value.record_id)
    const links = (target: number) => sql`SELECT record_id FROM record_links WHERE target_id = ${target}`
    const grant = (appId: number) => Effect.orDie(access.check(caller, "app", appId, 5))
    return {
      sql,
      writer,
      apps,
      call,
      customers: customers.app_id as number,
      vendors: vendors.app_id as number,
      orders: orders.app_id as number,
      write: ownWrite(caller, defaultSwitches),
      made: createRecord,
      order,
      values,
      links,
      grant
    }
  })

  it.effect("4.3 rule 3: a record that goes into the trash in the same moment is not pointed to", () =>
    Effect.gen(function* () {
      const { call, customers, links, made, orders, write, writer } = yield* setup
      const ada = yield* made(customers, { name: "Ada" })
      const other = yield* made(orders, {})
      const trashed = (id: number) => writer.remove(write, customers, [id], false)
      const create = yield* crossing(trashed(ada), call("POST", `/v1/record/app/${orders}`, { fields: { of: [ada] } }))
      assert.strictEqual(create.status, 400, create.text)
      assert.include(create.json.error_message, "names no record of a referenced app")
      const bob = yield* made(customers, { name: "Bob" })
      const update = yield* crossing(trashed(bob), call("PUT", `/v1/record/${other}`, { fields: { of: [bob] } }))
      assert.strictEqual(update.status, 400, update.text)
      const cid = yield* made(customers, { name: "Cid" })
      const inputs = [{ fields: {} }, { fields: { of: [cid] } }]
      const batch = yield* crossing(trashed(cid), call("POST", `/v1/record/app/batch/${orders}`, { inputs }))
      assert.strictEqual(batch.status, 400, batch.text)
      for (const id of [ada, bob, cid]) assert.deepStrictEqual(yield* links(id), [])
    })
  )

  it.effect("4.1: whoever trashes or renames a record waits for those that are about to point to it", () =>
    Effect.gen(function* () {
      const { call, customers, made, order, orders, write, writer } = yield* setup
      const ada = yield* made(customers, { name: "Ada" })
      const made1 = writer.create(write, orders, [{ of: [ada] }])
      const renamed = yield* crossing(made1, call("PUT", `/v1/record/${ada}`, { fields: { name: "Countess" } }))
      assert.strictEqual(renamed.status, 200, renamed.text)
      const second = yield* made(orders, {})
      const linked = writer.update(write, orders, [{ record_id: second, fields: { of: [ada] } }])
      assert.strictEqual((yield* crossing(linked, call("DELETE", `/v1/record/${ada}`))).status, 200)
      const restored = writer.restore(write, customers, ada)
      yield* restored
      assert.strictEqual((yield* order(second)).title, "Countess")
      const firstOrder = (yield* call("GET", `/v1/record/app/${orders}?sort_by=app_record_id`)).json.records[0]
      assert.strictEqual(firstOrder.title, "Countess")
    })
  )

  it.effect(
    "4.1: a title is that of a record which is renamed in the same moment; other changes of it are not waited for",
    () =>
      Effect.gen(function* () {
        const { call, customers, made, order, orders, sql, write, writer } = yield* setup
        const ada = yield* made(customers, { name: "Ada" })
        const renamed = writer.update(write, customers, [{ record_id: ada, fields: { name: "Countess" } }])
        const { json } = yield* crossing(renamed, call("POST", `/v1/record/app/${orders}`, { fields: { of: [ada] } }))
        assert.strictEqual(json.title, "Countess")
        assert.strictEqual((yield* order(json.record_id)).title, "Countess")
        yield* call("PUT", `/v1/app/${customers}`, { fields: [field("number", "Orders")] })
        const outsideReply = yield* sql.withTransaction(
          Effect.andThen(
            writer.update(write, customers, [{ record_id: ada, fields: { orders: 1 } }]),
            Effect.timeout(call("POST", `/v1/record/app/${orders}`, { fields: { of: [ada] } }), "60 seconds")
          )
        )
        assert.strictEqual(outsideReply.status, 200)
      })
  )

  it.effect("3.1: an app that is deleted in the same moment leaves nothing that points into it", () =>
    Effect.gen(function* () {
      const { apps, call, customers, grant, links, made, order, orders, values, vendors, write, writer } = yield* setup
      const ada = yield* made(customers, { name: "Ada" })
      const removeCustomers = apps.remove(yield* grant(customers))
      const lateReply = yield* crossing(
        removeCustomers,
        call("POST", `/v1/record/app/${orders}`, { fields: { of: [ada] } })
      )
      assert.strictEqual(lateReply.status, 400, lateReply.text)
      assert.deepStrictEqual(yield* links(ada), [])
      const [vera, vic] = [yield* made(vendors, { name: "Vera" }), yield* made(vendors, { name: "Vic" })]
      const firstOrder = yield* made(orders, {})
      const linked = writer.update(write, orders, [{ record_id: firstOrder, fields: { of: [vera, vic] } }])
      const removal = yield* crossing(linked, call("DELETE", `/v1/app/${vendors}`))
      assert.strictEqual(removal.status, 200, removal.text)
      assert.deepStrictEqual(values(yield* order(firstOrder)), [])
      assert.deepStrictEqual([...(yield* links(vera)), ...(yield* links(vic))], [])
    })
  )

  it.effect("3.1: an app that is deleted takes its own from a record that is being changed, and nothing else", () =>
    Effect.gen(function* () {
      const { call, customers, made, order, orders, values, vendors, write, writer } = yield* setup
      const ada = yield* made(customers, { name: "Ada" })
      const [vera, vic] = [yield* made(vendors, { name: "Vera" }), yield* made(vendors, { name: "Vic" })]
      const firstOrder = yield* made(orders, { of: [ada, vera] })
      const linked = writer.update(write, orders, [{ record_id: firstOrder, fields: { of: [ada, vera, vic] } }])
      assert.strictEqual((yield* crossing(linked, call("DELETE", `/v1/app/${customers}`))).status, 200)
      assert.deepStrictEqual(values(yield* order(firstOrder)), [vera, vic])
    })
  )

  it.effect("3.1: no relation refers to an app that is deleted in the same moment", () =>
    Effect.gen(function* () {
      const { apps, call, customers, grant, orders, vendors } = yield* setup
      const to = (app_id: number) => [field("single_relation", "To", { referenced_apps: [{ app_id }] })]
      const removeCustomers = apps.remove(yield* grant(customers))
      const lateReply = yield* crossing(removeCustomers, call("PUT", `/v1/app/${orders}`, { fields: to(customers) }))
      assert.strictEqual(lateReply.status, 400, lateReply.text)
      assert.include(lateReply.json.error_message, `there is no app ${customers}`)
      const changed = apps.update(yield* grant(orders), { fields: to(vendors) })
      assert.strictEqual((yield* crossing(changed, call("DELETE", `/v1/app/${vendors}`))).status, 200)
      const { json } = yield* call("GET", `/v1/app/${orders}`)
      assert.deepStrictEqual(
        json.fields.map(({ config }: any) => config.settings.referenced_apps),
        [[], []]
      )
    })
  )

  it.effect("4.1: a title is the last one also where its record was found as it was before two changes", () =>
    Effect.gen(function* () {
      const { call, customers, made, order, orders, sql, write, writer } = yield* setup
      yield* call("PUT", `/v1/app/${customers}`, { fields: [field("number", "Orders")] })
      const [bob, ada] = [yield* made(customers, { name: "Bob" }), yield* made(customers, { name: "Ada" })]
      const inParallel = besideTransaction(sql)
      const lockRecord = (id: number, how: string) =>
        sql`SELECT 1 FROM records WHERE record_id = ${id} ${sql.literal(how)}`
      // Whoever comes to point to them waits for the first of them, and has seen the other before what becomes of it.
      const meanwhile = Effect.gen(function* () {
        yield* writer.update(write, customers, [{ record_id: ada, fields: { orders: 1 } }])
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* lockRecord(ada, "FOR NO KEY UPDATE")
            yield* inParallel(lockRecord(ada, "FOR KEY SHARE"))
            yield* writer.update(write, customers, [{ record_id: ada, fields: { name: "Countess" } }])
          })
        )
      })
      const making = call("POST", `/v1/record/app/${orders}`, { fields: { of: [bob, ada] } })
      const { json } = yield* crossing(lockRecord(bob, "FOR UPDATE"), making, inParallel(meanwhile))
      assert.strictEqual((yield* order(json.record_id)).title, "Bob, Countess")
    })
  )

  it.effect(
    "4.1, 4.3: many that point to the same records while these are renamed all come through, with their last names",
    () =>
      Effect.gen(function* () {
        const { call, customers, made, orders, sql } = yield* setup
        const [ada, bob] = [yield* made(customers, { name: "Ada" }), yield* made(customers, { name: "Bob" })]
        const orderIds = yield* Effect.forEach([1, 2, 3, 4], () => made(orders, { of: [bob] }))
        const relationTo = (n: number) => ({ fields: { of: n % 2 === 0 ? [ada, bob] : [bob, ada] } })
        const replies = yield* Effect.all(
          Array.from({ length: 24 }, (_, n) => {
            if (n % 6 === 5)
              return call("PUT", `/v1/record/${n % 4 < 2 ? ada : bob}`, { fields: { name: `Name ${n}` } })
            if (n % 6 === 4) return call("PUT", `/v1/record/${orderIds[n % 4]}`, relationTo(n))
            return n % 6 === 3
              ? call("POST", `/v1/record/app/batch/${orders}`, { inputs: [relationTo(n), relationTo(n + 1)] })
              : call("POST", `/v1/record/app/${orders}`, relationTo(n))
          }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          replies.map(({ status }) => status).filter((status) => status !== 200),
          []
        )
        const wrong = yield* sql`
        SELECT r.title, shown.title AS shown FROM records r CROSS JOIN LATERAL (
          SELECT string_agg(t.title, ', ' ORDER BY e.n) AS title
          FROM jsonb_each(r.cells) c, jsonb_array_elements(c.value) WITH ORDINALITY AS e (id, n)
          JOIN records t ON t.record_id = (e.id#>>'{}')::bigint) shown
        WHERE r.app_id = ${orders} AND r.title IS DISTINCT FROM shown.title`
        assert.deepStrictEqual(wrong, [])
      })
  )
})
