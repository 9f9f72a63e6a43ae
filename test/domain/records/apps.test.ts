// developer-api.md 3.1, 3.2: apps and their fields, and what definition changes do to records.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedToken, seedUser } from "../../support/app.ts"
import { as, createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"

const state = field(
  "status",
  "State",
  {
    options: [
      { text: "Planned", color: "gray", means_completed: false },
      { text: "Ready", color: "blue", means_completed: false },
      { text: "Delivered", color: "green", means_completed: true }
    ]
  },
  { required: true }
)

layer(appLayer(), { excludeTestServices: true })("developer-api.md 3.1: apps", (it) => {
  const setup = Effect.map(seedWorkspace, (seed) => ({ ...seed, call: as(seed.owner) }))
  const record = Effect.fnUntraced(function* (call: ReturnType<typeof as>, appId: number, fields: object) {
    const reply = yield* call("POST", `/v1/record/app/${appId}`, { fields })
    assert.strictEqual(reply.status, 200, reply.text)
    return reply.json
  })
  const titleOf = (call: ReturnType<typeof as>, id: number) =>
    Effect.map(call("GET", `/v1/record/${id}`), (r) => r.json.title)

  it.effect("an app is created whole and reads back with its fields in order and settings with defaults", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(
        owner,
        workspaceId,
        [
          field("single_text", "Reference"),
          field("number", "Weight", { decimals: 1 }),
          state,
          field("single_text", "Reference")
        ],
        "Deliveries",
        { item_name: "Delivery", icon: { type: "graphic", id: "box" } }
      )
      assert.strictEqual(app.external_id, app.slug)
      assert.strictEqual(app.record_name, "Delivery")
      assert.strictEqual(app.item_name, "Delivery")
      assert.strictEqual(app.type, "database")
      assert.deepStrictEqual(app.config, {
        name: "Deliveries",
        item_name: "Delivery",
        description: null,
        icon: { type: "graphic", id: "box" }
      })
      assert.deepStrictEqual(
        app.fields.map((f: any) => f.slug),
        ["reference", "weight", "state", "reference_2"]
      )
      assert.deepStrictEqual(app.fields[1].config, {
        label: "Weight",
        slug: "weight",
        external_id: "weight",
        description: null,
        required: false,
        unique: false,
        always_hidden: false,
        hidden_if_empty: false,
        position: 1,
        settings: { decimals: 1, unit: null, unit_location: "suffix" }
      })
      assert.deepStrictEqual((yield* call("GET", `/v1/app/${app.app_id}`)).json, { ...app, permission_level: 5 })
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual((yield* sql`SELECT 1 FROM views WHERE app_id = ${app.app_id} AND is_default`).length, 1)
    })
  )

  it.effect("lists hold all reachable apps with workspace_name, without fields", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call, orgId } = yield* setup
      const app = yield* createApp(owner, workspaceId, [])
      const { json } = yield* call("GET", "/v1/app")
      assert.strictEqual(json.total, 1)
      assert.strictEqual(json.apps[0].workspace_name, "Main")
      assert.notProperty(json.apps[0], "fields")
      assert.deepStrictEqual((yield* call("GET", `/v1/app/workspace/${workspaceId}`)).json, json)
      const guest = yield* seedUser(orgId, "guest")
      assert.strictEqual((yield* as(guest)("GET", "/v1/app")).json.total, 0)
      const api = yield* App
      const token = yield* seedToken(owner.userId, ["apps:read"], { appIds: [app.app_id + 1000] })
      assert.strictEqual((yield* api.call("GET", "/v1/app", { token })).json.total, 0)
      assert.strictEqual((yield* api.call("GET", `/v1/app/${app.app_id}`, { token })).status, 404)
    })
  )

  it.effect("2.3: members read apps, only workspace admins change them, others see none", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, orgId } = yield* setup
      const app = yield* createApp(owner, workspaceId, [])
      const member = as(yield* seedUser(orgId, "member"))
      assert.strictEqual((yield* member("GET", `/v1/app/${app.app_id}`)).status, 200)
      for (const [method, path, body] of [
        ["PUT", `/v1/app/${app.app_id}`, { name: "X" }],
        ["DELETE", `/v1/app/${app.app_id}`],
        ["PUT", `/v1/app/${app.app_id}/fields/order`, { fields: [] }],
        ["POST", "/v1/app", { workspace_id: workspaceId, name: "X" }]
      ] as const) {
        assert.strictEqual((yield* member(method, path, body)).json.error_code, "restricted_resource", method)
      }
      const stranger = as((yield* seedWorkspace).owner)
      assert.strictEqual((yield* stranger("GET", `/v1/app/${app.app_id}`)).json.error_code, "not_found")
      assert.strictEqual((yield* stranger("POST", "/v1/app", { workspace_id: workspaceId, name: "X" })).status, 404)
    })
  )

  it.effect("halves of surrogate pairs are a 400 with their path: Postgres takes none", () =>
    Effect.gen(function* () {
      const { workspaceId, owner, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [field("single_text", "Name")])
      const half = "\ud83d"
      const icon = { type: "emoji", emoji: half }
      const createdRecord = yield* record(call, app.app_id, {})
      const text = field("single_text", half)
      for (const [method, path, body, place] of [
        ["POST", "/v1/app", { workspace_id: workspaceId, name: half }, "name"],
        ["POST", "/v1/app", { workspace_id: workspaceId, name: "A", icon }, "icon"],
        ["POST", "/v1/app", { workspace_id: workspaceId, name: "A", fields: [text] }, "fields[0].config.label"],
        [
          "PUT",
          `/v1/app/${app.app_id}`,
          { fields: [field("single_text", "A", {}, { description: half })] },
          "fields[0]"
        ],
        ["PUT", `/v1/app/${app.app_id}`, { item_icon: icon }, "item_icon"],
        ["POST", "/v1/workspace", { name: "W", type: "open", icon }, "icon"],
        ["POST", `/v1/comment/record/${createdRecord.record_id}`, { value: half }, "value"]
      ] as const) {
        const reply = yield* call(method, path, body)
        assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "input_validation"], reply.text)
        assert.include(reply.json.error_message, place)
      }
    })
  )

  it.effect("3.1, 3.2: every bad definition is a 400 that names its place and changes nothing", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [state, field("number", "N")])
      const ownApp = { app_id: app.app_id }
      const cases: ReadonlyArray<readonly [object, string]> = [
        [field("calculation", "C"), "config.settings.expression: is missing"],
        [field("colour", "C"), "no field type"],
        [field("number", "C", { decimals: 9 }), "config.settings.decimals"],
        [field("number", "C", { digits: 9 }), "config.settings.digits"],
        [field("single_category", "C", { options: [{ text: "" }] }), "needs a text"],
        [field("single_category", "C", { options: [{ text: "a", color: "mauve" }] }), "color"],
        [field("single_category", "C", { options: [{ id: 1, text: "a" }] }), "names no option"],
        [
          field("single_category", "C", { options: Array.from({ length: 501 }, (_, i) => ({ text: `${i}` })) }),
          "at most 500"
        ],
        [state, "at most one status"],
        [{ ...state, field_id: app.fields[0].field_id, config: { label: "S", required: false } }, "required"],
        [field("single_relation", "R", { referenced_apps: [{ app_id: 999_999 }] }), "there is no app"],
        [field("single_relation", "R", { referenced_apps: [{ app_id: app.app_id, view_id: 999_999 }] }), "no view"],
        [field("single_relation", "R", { referenced_apps: [ownApp, { ...ownApp, view_id: 1 }] }), "is named twice"],
        [field("single_relation", "R", { referenced_apps: Array.from({ length: 51 }, () => ownApp) }), "at most 50"],
        [{ field_id: app.fields[1].field_id, field_type: "single_text", config: { label: "N" } }, "cannot be changed"],
        [{ field_id: 999_999, config: { label: "N" } }, "no field 999999"],
        [field("single_category", "C", { options: [{ text: "\ud800" }] }), "cannot be stored"]
      ]
      for (const [entry, place] of cases) {
        const reply = yield* call("PUT", `/v1/app/${app.app_id}`, {
          name: "Changed",
          fields: [field("single_text", "New"), entry]
        })
        assert.strictEqual(reply.status, 400, reply.text)
        assert.strictEqual(reply.json.error_code, "validation", reply.text)
        assert.include(reply.json.error_message, place)
      }
      assert.deepStrictEqual((yield* call("GET", `/v1/app/${app.app_id}`)).json, { ...app, permission_level: 5 })
      assert.deepStrictEqual(yield* eventsOf("app_id", app.app_id), [])
      const many = Array.from({ length: 201 }, (_, i) => field("number", `F ${i}`))
      assert.include((yield* call("PUT", `/v1/app/${app.app_id}`, { fields: many })).json.error_message, "at most 200")
      const stateFields = {
        fields: [{ ...state, config: { ...state.config, settings: { options: [{ text: "a" }] } } }]
      }
      const reply = yield* call("POST", "/v1/app", { workspace_id: workspaceId, name: "A", ...stateFields })
      assert.include(reply.json.error_message, "means_completed")
    })
  )

  it.effect("an update keeps settings left out, resets config left out, and fires app.update", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [
        field("number", "Weight", { decimals: 2, unit: "kg" }, { description: "d", hidden_if_empty: true })
      ])
      const { field_id } = app.fields[0]
      const reply = yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [{ field_id, config: { label: "Mass", settings: { unit: "t" } } }]
      })
      const [changed] = reply.json.fields
      assert.strictEqual(changed.slug, "weight")
      assert.strictEqual(changed.label, "Mass")
      assert.strictEqual(changed.config.description, null)
      assert.strictEqual(changed.config.hidden_if_empty, false)
      assert.deepStrictEqual(changed.config.settings, { decimals: 2, unit: "t", unit_location: "suffix" })
      assert.deepStrictEqual(
        (yield* eventsOf("app_id", app.app_id)).map((e) => e.type),
        ["app.update"]
      )
    })
  )

  it.effect("reordering puts named fields first, moves titles with them and fires app.update", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "A"),
        field("single_text", "B"),
        field("number", "C")
      ])
      const { record_id } = yield* record(call, app.app_id, { a: "first", b: "second" })
      const [a, b, c] = app.fields.map((f: any) => f.field_id)
      const reply = yield* call("PUT", `/v1/app/${app.app_id}/fields/order`, { fields: [{ field_id: b }] })
      assert.deepStrictEqual(
        reply.json.fields.map((f: any) => f.field_id),
        [b, a, c]
      )
      assert.strictEqual(yield* titleOf(call, record_id), "second")
      const events = yield* eventsOf("app_id", app.app_id)
      assert.deepStrictEqual(
        events.map((e) => e.type),
        ["record.create", "app.update"]
      )
      assert.strictEqual(
        (yield* call("PUT", `/v1/app/${app.app_id}/fields/order`, { fields: [{ field_id: 1e9 }] })).status,
        400
      )
    })
  )

  it.effect("fields_to_delete destroys the field's values, in the history too", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [field("single_text", "A"), field("single_text", "B")])
      const createdRecord = yield* record(call, app.app_id, { a: "secret", b: "kept" })
      const { field_id } = app.fields[0]
      yield* call("PUT", `/v1/app/${app.app_id}`, { fields_to_delete: [{ field_id }] })
      const readRecord = yield* call("GET", `/v1/record/${createdRecord.record_id}`)
      assert.deepStrictEqual(
        readRecord.json.fields.map((f: any) => f.external_id),
        ["b"]
      )
      assert.strictEqual(readRecord.json.title, "kept")
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ t: string }>`
        SELECT cells::text || (SELECT string_agg(delta::text, '') FROM revisions v WHERE v.record_id = r.record_id) AS t
        FROM records r WHERE record_id = ${createdRecord.record_id}`
      assert.notInclude(rows[0]!.t, "secret")
      const reply = yield* call("PUT", `/v1/record/${createdRecord.record_id}`, { fields: { a: "x" } })
      assert.include(reply.json.error_message, "fields.a")
    })
  )

  it.effect("removing options clears categories and moves statuses on to one that means the same", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const kinds = { options: [{ text: "x" }, { text: "y" }, { text: "z", color: "red" }] }
      const app = yield* createApp(owner, workspaceId, [
        state,
        field("multi_category", "Many", kinds),
        field("single_category", "One", kinds)
      ])
      const createdRecord = yield* record(call, app.app_id, { state: "Planned", many: ["x", "y"], one: "x" })
      const [s, many, single] = app.fields
      const idOf = (f: any, text: string) => f.config.settings.options.find((o: any) => o.text === text).id
      const entry = (f: any, label: string, text: string, more = {}) => ({
        field_id: f.field_id,
        config: { label, ...more, settings: { options_to_delete: [{ id: idOf(f, text) }] } }
      })
      const reply = yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [entry(s, "State", "Planned", { required: true }), entry(many, "Many", "x"), entry(single, "One", "x")]
      })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(
        reply.json.fields[0].config.settings.options.map((o: any) => o.text),
        ["Ready", "Delivered"]
      )
      const readRecord = (yield* call("GET", `/v1/record/${createdRecord.record_id}`)).json
      assert.strictEqual(readRecord.title, "Ready")
      assert.deepStrictEqual(
        readRecord.fields.map((f: any) => [f.external_id, f.values.map((v: any) => v.value.text)]),
        [
          ["state", ["Ready"]],
          ["many", ["y"]]
        ]
      )
      const renaming = yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [entry(s, "State", "Delivered", { required: true })]
      })
      assert.include(renaming.json.error_message, "means_completed")
    })
  )

  it.effect("a definition changed by another process is seen at once, by writes and by reads", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [field("single_text", "A")])
      yield* record(call, app.app_id, { a: "1" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE fields SET slug = 'b', label = 'B' WHERE app_id = ${app.app_id}`
      yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${app.app_id}`
      const createdRecord = yield* record(call, app.app_id, { b: "2" })
      assert.deepStrictEqual(
        createdRecord.fields.map((f: any) => f.external_id),
        ["b"]
      )
      yield* sql`UPDATE fields SET slug = 'c' WHERE app_id = ${app.app_id}`
      yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${app.app_id}`
      assert.strictEqual(
        (yield* call("PUT", `/v1/record/${createdRecord.record_id}`, { fields: { c: "3" } })).json.title,
        "3"
      )
    })
  )

  it.effect("4.1: titles of related records, numbers, people and unique ids; empty ones fall back", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const target = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Targets", {
        item_name: "Target"
      })
      const named = yield* record(call, target.app_id, { name: "Harbor" })
      const nameless = yield* record(call, target.app_id, {})
      assert.strictEqual(nameless.title, "Target #2")
      const pointing = yield* createApp(owner, workspaceId, [
        field("multi_relation", "To", { referenced_apps: [{ app_id: target.app_id }] })
      ])
      const linked = yield* record(call, pointing.app_id, { to: [named.record_id, nameless.record_id] })
      assert.strictEqual(linked.title, "Harbor, Target #2")
      const numbered = yield* createApp(owner, workspaceId, [
        field("unique_id", "Id", { prefix: "INV-", min_digits: 3 })
      ])
      const numberedRecord = yield* record(call, numbered.app_id, {})
      assert.strictEqual(numberedRecord.title, "INV-001")
      assert.deepStrictEqual(numberedRecord.fields, [])
      yield* call("DELETE", `/v1/record/${named.record_id}`)
      const values = () =>
        Effect.map(call("GET", `/v1/record/${linked.record_id}`), (r) => r.json.fields[0].values.length)
      assert.strictEqual(yield* values(), 1)
      yield* call("POST", `/v1/record/${named.record_id}/restore`)
      assert.strictEqual(yield* values(), 2)
      yield* call("DELETE", `/v1/record/${named.record_id}?skip_trash=true`)
      assert.strictEqual(yield* values(), 1)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ cells: any }>`SELECT cells FROM records WHERE record_id = ${linked.record_id}`
      assert.deepStrictEqual(row!.cells, { [pointing.fields[0].field_id]: [nameless.record_id] })
    })
  )

  it.effect("4.5: revisions list, delta and the record as it was", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("number", "N", { decimals: 1 }, { description: "d" })
      ])
      const createdRecord = yield* record(call, app.app_id, { name: "a" })
      const path = `/v1/record/${createdRecord.record_id}`
      yield* call("PUT", path, { fields: { n: 12.5 } })
      yield* call("PUT", path, { fields: { name: "b", n: null } })
      const list = yield* call("GET", `${path}/revision`)
      assert.strictEqual(list.json.total, 3)
      assert.strictEqual(list.json.revisions[1].created_by.user_id, owner.userId)
      const { json } = yield* call("GET", `${path}/revision/previous/1`)
      assert.deepStrictEqual(json, {
        record_id: createdRecord.record_id,
        from_revision_id: 0,
        to_revision_id: 1,
        revision_deltas: [
          {
            field_id: app.fields[1].field_id,
            external_id: "n",
            label: "N",
            type: "number",
            field_type: "number",
            from: [],
            to: [{ value: 12.5 }],
            config: { label: "N", required: false, description: "d" }
          }
        ]
      })
      assert.strictEqual((yield* call("GET", `${path}/revision/previous/0`)).json.error_code, "validation")
      assert.strictEqual((yield* call("GET", `${path}/revision/previous/9`)).json.error_code, "not_found")
      assert.deepStrictEqual((yield* call("GET", `${path}/revision/0`)).json, createdRecord)
      const firstRevision = (yield* call("GET", `${path}/revision/1`)).json
      assert.deepStrictEqual(
        firstRevision.fields.map((f: any) => f.values[0].value),
        ["a", 12.5]
      )
      assert.strictEqual(firstRevision.revision, 1)
      assert.deepStrictEqual((yield* call("GET", `${path}/revision/2`)).json, (yield* call("GET", path)).json)
      assert.strictEqual((yield* call("GET", `${path}/revision/99999999999`)).status, 400)
    })
  )

  it.effect("an app goes with its records, and so do the apps of a workspace", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [field("single_text", "A")])
      const other = yield* createApp(owner, workspaceId, [
        field("single_relation", "R", { referenced_apps: [{ app_id: app.app_id }] })
      ])
      const createdRecord = yield* record(call, app.app_id, { a: "1" })
      const pointing = yield* record(call, other.app_id, { r: createdRecord.record_id })
      assert.deepStrictEqual((yield* call("DELETE", `/v1/app/${app.app_id}`)).json, app)
      assert.strictEqual((yield* call("GET", `/v1/record/${createdRecord.record_id}`)).status, 404)
      assert.deepStrictEqual((yield* call("GET", `/v1/record/${pointing.record_id}`)).json.fields, [])
      assert.strictEqual((yield* call("DELETE", `/v1/workspace/${workspaceId}`)).status, 200)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ n: number }>`
        SELECT (SELECT count(*) FROM records WHERE app_id = ANY(${[app.app_id, other.app_id].map(String)}::bigint[]))::int
          + (SELECT count(*) FROM revisions WHERE record_id = ${pointing.record_id})::int AS n`
      assert.strictEqual(row!.n, 0)
    })
  )

  it.effect("a workspace holds at most 500 apps (3.1, 9)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [field("single_text", "A")])
      yield* sql`
        INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on)
        SELECT org_id, workspace_id, 'copy-' || n, name, item_name, position + n, created_on
        FROM apps, generate_series(1, 498) n WHERE app_id = ${app.app_id}`
      const more = () => call("POST", "/v1/app", { workspace_id: workspaceId, name: "More" })
      assert.strictEqual((yield* more()).status, 200, "the 500th")
      const refusal = yield* more()
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
      assert.match(refusal.json.error_message, /500/)
      assert.strictEqual((yield* call("DELETE", `/v1/app/${app.app_id}`)).status, 200)
      assert.strictEqual((yield* more()).status, 200)
    })
  )
})
