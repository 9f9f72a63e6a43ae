// developer-api.md 4.1: titles that show another record's follow it, however many records point there.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { erasePerson } from "../../../../src/domain/accounts/personErasure.ts"
import { makeStoredTitles } from "../../../../src/domain/records/writing/storedTitles.ts"
import { appLayer, seedUser } from "../../../support/app.ts"
import { crossing } from "../../../support/locks.ts"
import { as, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { askedBy } from "../../../support/statements.ts"

const POINTING = 2300

layer(appLayer(), { excludeTestServices: true })("titles of records that point to one", (it) => {
  it.effect("4.1, P1: they are called as the user is whom they name, after a new name and after the erasure", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const cleo = yield* seedUser(orgId, "member", "Cleo")
      const shifts = yield* createApp(owner, workspaceId, [field("multi_user", "Who")], "Shifts")
      const tasks = yield* createApp(
        owner,
        workspaceId,
        [field("single_text", "Name"), field("single_user", "Who")],
        "Tasks"
      )
      const relationSettings = { referenced_apps: [{ app_id: shifts.app_id }] }
      const pays = yield* createApp(owner, workspaceId, [field("single_relation", "For", relationSettings)], "Pays")
      const createRecord = (app: { app_id: number }, fields: object) =>
        Effect.map(call("POST", `/v1/record/app/${app.app_id}`, { fields }), ({ json }) => json.record_id as number)
      const shift = yield* createRecord(shifts, { who: [owner.userId, cleo.userId] })
      const other = yield* createRecord(shifts, { who: [owner.userId] })
      const ids = [
        shift,
        other,
        yield* createRecord(tasks, { name: "Sweep", who: cleo.userId }),
        yield* createRecord(pays, { for: shift })
      ]
      const [own] = yield* sql<{ name: string; email: string }>`
        SELECT u.name, p.email FROM users u JOIN people p USING (person_id) WHERE user_id = ${cleo.userId}`
      const ownersName = (yield* sql<{ name: string }>`SELECT name FROM users WHERE user_id = ${owner.userId}`)[0]!.name
      const titles = Effect.map(
        sql`SELECT title, revision FROM records WHERE record_id = ANY(${ids.map(String)}::bigint[]) ORDER BY record_id`,
        (rows) => rows.map(({ revision, title }) => [title, revision])
      )
      const naming = (name: string) => {
        const both = `${ownersName}, ${name}`
        return [
          [both, 0],
          [ownersName, 0],
          ["Sweep", 0],
          [both, 0]
        ]
      }
      assert.deepStrictEqual(yield* titles, naming("Cleo"))
      yield* call("PUT", `/v1/org/user/${cleo.userId}`, { name: "Cleo Mar" })
      assert.deepStrictEqual(yield* titles, naming("Cleo Mar"))
      yield* sql.withTransaction(erasePerson(own!.email))
      assert.deepStrictEqual(yield* titles, naming("Erased user"))
    })
  )

  it.effect("4.1: what comes to name a user who is renamed in the same moment is called as they are then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const retitle = yield* makeStoredTitles
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const cleo = yield* seedUser(orgId, "member", "Cleo")
      const shifts = yield* createApp(owner, workspaceId, [field("single_user", "Who")], "Shifts")
      const relationSettings = { referenced_apps: [{ app_id: shifts.app_id }] }
      const pays = yield* createApp(owner, workspaceId, [field("single_relation", "For", relationSettings)], "Pays")
      const createRecord = (app: { app_id: number }, fields: object) =>
        call("POST", `/v1/record/app/${app.app_id}`, { fields })
      const names = ["Cleo Mar", "Cleo Lux", "Cleo Ray"]
      /** Another name, as the service gives one; its titles have been put right when somebody waits for it. */
      const whileRenaming = <A, R>(other: Effect.Effect<A, never, R>) =>
        crossing(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM users WHERE user_id = ${cleo.userId} FOR UPDATE`
            yield* sql`UPDATE users SET name = ${names[0]!} WHERE user_id = ${cleo.userId}`
            yield* retitle.retitleNaming(orgId, cleo.userId)
          }),
          other
        )
      const titleOf = (id: number) => Effect.map(call("GET", `/v1/record/${id}`), ({ json }) => json.title as string)

      const create = yield* whileRenaming(createRecord(shifts, { who: cleo.userId }))
      const shift = create.json.record_id as number
      assert.strictEqual(yield* titleOf(shift), names.shift())

      const other = (yield* createRecord(shifts, { who: owner.userId })).json.record_id as number
      const update = yield* whileRenaming(call("PUT", `/v1/record/${other}`, { fields: { who: cleo.userId } }))
      assert.strictEqual(update.status, 200, update.text)
      assert.strictEqual(yield* titleOf(other), names.shift())

      const pay = (yield* whileRenaming(createRecord(pays, { for: shift }))).json.record_id as number
      assert.strictEqual(yield* titleOf(pay), names[0])
    })
  )

  it.effect(
    "4.1, 3.1: they follow the definition of its app, what its records are called, and the end of the app",
    () =>
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* seedWorkspace
        const call = as(owner)
        const to = (label: string, ...apps: ReadonlyArray<{ app_id: number }>) =>
          field("multi_relation", label, { referenced_apps: apps.map(({ app_id }) => ({ app_id })) })
        const kinds = field("single_category", "Kind", { options: [{ text: "Firm" }] })
        const customers = yield* createApp(owner, workspaceId, [field("single_text", "Name"), kinds], "Customers")
        const vendors = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Vendors")
        const orders = yield* createApp(owner, workspaceId, [to("Of", customers, vendors)], "Orders")
        const bills = yield* createApp(owner, workspaceId, [to("For", orders)], "Bills")
        const createRecord = (app: { app_id: number }, fields: object) =>
          Effect.map(call("POST", `/v1/record/app/${app.app_id}`, { fields }), ({ json }) => json.record_id as number)
        const ada = yield* createRecord(customers, { name: "Ada", kind: "Firm" })
        const blank = yield* createRecord(customers, {})
        const vera = yield* createRecord(vendors, { name: "Vera" })
        const order = yield* createRecord(orders, { of: [ada, blank, vera] })
        const bill = yield* createRecord(bills, { for: [order] })
        const sql = yield* SqlClient.SqlClient
        const titles = Effect.map(
          sql`SELECT title, revision FROM records WHERE record_id IN (${order}, ${bill}) ORDER BY record_id`,
          (rows) => rows.map(({ revision, title }) => [title, revision])
        )
        const both = (title: string | null) => [
          [title, 0],
          [title ?? "Orders #1", 0]
        ]
        const changes = (body: object) => call("PUT", `/v1/app/${customers.app_id}`, body)
        assert.deepStrictEqual(yield* titles, both("Ada, Customers #2, Vera"))
        yield* changes({ item_name: "Client" })
        assert.deepStrictEqual(yield* titles, both("Ada, Client #2, Vera"))
        const [name, kind] = customers.fields
        yield* call("PUT", `/v1/app/${customers.app_id}/fields/order`, { fields: [{ field_id: kind.field_id }] })
        assert.deepStrictEqual(yield* titles, both("Firm, Client #2, Vera"))
        const [{ id }] = kind.config.settings.options
        const settings = { options: [{ id, text: "Company" }] }
        yield* changes({ fields: [{ ...field("single_category", "Kind", settings), field_id: kind.field_id }] })
        assert.deepStrictEqual(yield* titles, both("Company, Client #2, Vera"))
        yield* changes({
          item_name: "Guest",
          fields_to_delete: [{ field_id: kind.field_id }, { field_id: name.field_id }]
        })
        assert.deepStrictEqual(yield* titles, both("Guest #1, Guest #2, Vera"))
        yield* call("DELETE", `/v1/app/${customers.app_id}`)
        assert.deepStrictEqual(yield* titles, both("Vera"))
        yield* call("DELETE", `/v1/app/${vendors.app_id}`)
        assert.deepStrictEqual(yield* titles, both(null))
        yield* call("PUT", `/v1/app/${orders.app_id}`, { item_name: "Sale" })
        assert.strictEqual((yield* call("GET", `/v1/record/${bill}`)).json.title, "Sale #1")
      })
  )

  it.effect("4.1: all follow it, a thousand at a time, and of each its title field alone is read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const customers = yield* createApp(owner, workspaceId, [field("single_text", "Name")])
      const orders = yield* createApp(owner, workspaceId, [
        field("single_relation", "Customer", { referenced_apps: [{ app_id: customers.app_id }] }),
        field("multi_text", "Notes")
      ])
      const { json: customer } = yield* call("POST", `/v1/record/app/${customers.app_id}`, { fields: { name: "Old" } })
      const firstOrder = yield* call("POST", `/v1/record/app/${orders.app_id}`, {
        fields: { customer: customer.record_id, notes: "long" }
      })
      assert.strictEqual(firstOrder.json.title, "Old")
      yield* sql`
        WITH more AS (
          INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
          SELECT app_id, org_id, n, title, cells, created_on, created_by
          FROM records, generate_series(2, ${POINTING}::int) n WHERE record_id = ${firstOrder.json.record_id}
          RETURNING record_id)
        INSERT INTO record_links (record_id, field_id, target_id)
        SELECT m.record_id, l.field_id, l.target_id FROM more m, record_links l WHERE l.record_id = ${firstOrder.json.record_id}`
      yield* sql`UPDATE records SET title = 'New' WHERE record_id = ${customer.record_id}`
      const { retitlePointing } = yield* makeStoredTitles
      const { asked } = yield* askedBy(retitlePointing([customer.record_id]))
      const titles =
        yield* sql`SELECT title, count(*)::int AS n FROM records WHERE app_id = ${orders.app_id} GROUP BY title`
      assert.deepStrictEqual(titles, [{ title: "New", n: POINTING }])
      const read = asked.filter(({ statement }) => statement.includes("FOR UPDATE")).map(({ rows }) => rows)
      assert.deepStrictEqual(
        read.map(({ length }) => length),
        [1000, 1000, 300, 0]
      )
      for (const { cells } of read.flat() as ReadonlyArray<{ cells: object }>)
        assert.deepStrictEqual(cells, { [orders.fields[0].field_id]: [customer.record_id] })
    })
  )
})
