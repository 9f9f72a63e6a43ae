// developer-api.md 4.1 to 4.3: records as they are written and read, through the whole service.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { as, createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"

const fields = [
  field("single_text", "Reference", undefined, { required: true }),
  field("number", "Weight", { decimals: 1, unit: "kg" }),
  field("multi_email", "Mail")
]

layer(appLayer(), { excludeTestServices: true })("developer-api.md 4: records", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, workspaceId, orgId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, fields)
    return { owner, app, orgId, workspaceId, call: as(owner) }
  })
  const created = Effect.gen(function* () {
    const recordSetup = yield* setup
    const reply = yield* recordSetup.call("POST", `/v1/record/app/${recordSetup.app.app_id}`, {
      fields: { reference: "A", weight: 1.25 }
    })
    assert.strictEqual(reply.status, 200, reply.text)
    return { ...recordSetup, record: reply.json, path: `/v1/record/${reply.json.record_id}` }
  })

  it.effect("4.1: a created record reads as documented, with its non-empty fields in field order", () =>
    Effect.gen(function* () {
      const { record, app, owner, orgId, call, path } = yield* created
      assert.deepStrictEqual(Object.keys(record), [
        ...["record_id", "app_record_id", "app_id", "title", "record_url", "revision", "created_on"],
        ...["last_modified_on", "deleted_on", "comment_count", "created_by", "last_modified_by", "app", "fields"]
      ])
      assert.strictEqual(record.app_record_id, 1)
      assert.strictEqual(record.title, "A")
      assert.strictEqual(record.revision, 0)
      assert.strictEqual(record.record_url, `http://127.0.0.1:8080/record/${record.record_id}`)
      assert.match(record.created_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      assert.isNull(record.last_modified_on)
      assert.isNull(record.last_modified_by)
      assert.strictEqual(record.created_by.user_id, owner.userId)
      assert.strictEqual(record.created_by.org_id, orgId)
      assert.strictEqual(record.created_by.type, "user")
      assert.deepStrictEqual(record.app, {
        app_id: app.app_id,
        name: "Deliveries",
        record_name: "Deliveries",
        workspace_id: app.workspace_id,
        icon: null
      })
      assert.deepStrictEqual(
        record.fields.map((f: any) => [f.external_id, f.label, f.type, f.field_type, f.values]),
        [
          ["reference", "Reference", "text", "single_text", [{ value: "A" }]],
          ["weight", "Weight", "number", "number", [{ value: 1.3 }]]
        ]
      )
      assert.deepStrictEqual((yield* call("GET", path)).json, record)
      const events = yield* eventsOf("record_id", record.record_id)
      assert.strictEqual(events.length, 1)
      assert.strictEqual(events[0]!.type, "record.create")
      const ids = app.fields.map((f: any) => f.field_id)
      assert.deepStrictEqual(events[0]!.payload, {
        revision: 0,
        title: "A",
        author: { type: "user", user_id: owner.userId },
        cells: { [ids[0]]: ["A"], [ids[1]]: [1.3] },
        changed: [ids[0], ids[1]]
      })
    })
  )

  it.effect("4.2: an update is partial, null clears, and each effective change is one revision and one event", () =>
    Effect.gen(function* () {
      const { app, call, path, record } = yield* created
      const firstUpdate = yield* call("PUT", path, { fields: { mail: ["a@b.example"] } })
      assert.strictEqual(firstUpdate.status, 200, firstUpdate.text)
      assert.strictEqual(firstUpdate.json.revision, 1)
      assert.strictEqual(firstUpdate.json.fields.length, 3)
      assert.isNotNull(firstUpdate.json.last_modified_on)
      const second = yield* call("PUT", path, { fields: { weight: null, [String(app.fields[0].field_id)]: "B" } })
      assert.strictEqual(second.json.revision, 2)
      assert.strictEqual(second.json.title, "B")
      assert.deepStrictEqual(
        second.json.fields.map((f: any) => f.external_id),
        ["reference", "mail"]
      )
      const [, , event] = yield* eventsOf("record_id", record.record_id)
      const [reference, weight] = app.fields.map((f: any) => f.field_id)
      assert.deepStrictEqual(event!.payload.changed, [reference, weight])
      assert.deepStrictEqual(event!.payload.previous[weight], [1.3])
      assert.deepStrictEqual(event!.payload.cells[reference], ["B"])
    })
  )

  it.effect("4.3 rule 4: a write that changes nothing makes no revision and no event", () =>
    Effect.gen(function* () {
      const { call, path, record } = yield* created
      const reply = yield* call("PUT", path, { fields: { reference: "A", weight: "1.30" } })
      assert.deepStrictEqual(reply.json, record)
      assert.strictEqual((yield* eventsOf("record_id", record.record_id)).length, 1)
      assert.strictEqual((yield* call("GET", `${path}/revision`)).json.total, 1)
    })
  )

  it.effect(
    "4.3 rules 1, 2: unknown keys, computed fields, pasted reads and missing values are a 400 that names them",
    () =>
      Effect.gen(function* () {
        const { owner, call, workspaceId } = yield* setup
        const app = yield* createApp(owner, workspaceId, [...fields, field("created_at", "Made")])
        const path = `/v1/record/app/${app.app_id}`
        const good = yield* call("POST", path, { fields: { reference: "A" } })
        const pasted = good.json.fields[0]
        const cases: ReadonlyArray<readonly [unknown, string]> = [
          [{ reference: "A", colour: 1 }, "fields.colour"],
          [{ reference: "A", made: "2026-01-01" }, "fields.made"],
          [{ reference: pasted }, "fields.reference"],
          [{ weight: 1 }, "fields.reference"],
          [{ reference: "" }, "fields.reference"],
          [{ reference: null }, "fields.reference"],
          [{ reference: "A", [String(app.fields[0].field_id)]: "B" }, "fields.reference: the field is named twice"],
          [{ reference: "A", weight: "heavy" }, "fields.weight"],
          [{ reference: "\ud800" }, "fields.reference"]
        ]
        for (const [sent, place] of cases) {
          const reply = yield* call("POST", path, { fields: sent })
          assert.strictEqual(reply.status, 400, JSON.stringify(sent))
          assert.strictEqual(reply.json.error_code, "validation")
          assert.include(reply.json.error_message, place)
        }
        const cleared = yield* call("PUT", `/v1/record/${good.json.record_id}`, { fields: { reference: null } })
        assert.strictEqual(cleared.json.error_code, "validation")
        const sql = yield* SqlClient.SqlClient
        const [count] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM records WHERE app_id = ${app.app_id}`
        assert.strictEqual(count!.n, 1)
        assert.strictEqual((yield* call("POST", path, { fields: {}, more: 1 })).json.error_code, "input_validation")
        assert.strictEqual((yield* call("POST", path, { fields: [] })).json.error_code, "input_validation")
        assert.strictEqual((yield* call("POST", `${path}?hook=yes`, { fields: {} })).status, 400)
      })
  )

  it.effect("4.2: delete, include_deleted, restore and skip_trash", () =>
    Effect.gen(function* () {
      const { call, path, record } = yield* created
      assert.strictEqual((yield* call("POST", `${path}/restore`)).json.error_code, "validation")
      const deletion = yield* call("DELETE", path)
      assert.strictEqual(deletion.status, 200)
      assert.match(deletion.json.deleted_on, /^\d{4}-/)
      assert.strictEqual(deletion.json.revision, 1)
      for (const [method, at, body] of [
        ["GET", path],
        ["PUT", path, { fields: {} }],
        ["DELETE", path],
        ["GET", `${path}/revision`]
      ] as const) {
        const reply = yield* call(method, at, body)
        assert.strictEqual(reply.status, 400)
        assert.strictEqual(reply.json.error_code, "record_deleted")
      }
      assert.strictEqual((yield* call("GET", `${path}?include_deleted=true`)).json.deleted_on, deletion.json.deleted_on)
      const restoration = yield* call("POST", `${path}/restore`)
      assert.strictEqual(restoration.json.revision, 2)
      assert.isNull(restoration.json.deleted_on)
      assert.deepStrictEqual(
        (yield* call("GET", `${path}/revision`)).json.revisions.map((r: any) => [r.revision, r.type]),
        [
          [0, "creation"],
          [1, "deletion"],
          [2, "restore"]
        ]
      )
      yield* call("DELETE", path)
      assert.strictEqual((yield* call("DELETE", `${path}?skip_trash=true`)).status, 200)
      assert.strictEqual((yield* call("GET", `${path}?include_deleted=true`)).json.error_code, "record_not_exists")
      assert.deepStrictEqual(
        (yield* eventsOf("record_id", record.record_id)).map((e) => [e.type, e.payload.revision]),
        [
          ["record.create", 0],
          ["record.delete", 1],
          ["record.restore", 2],
          ["record.delete", 3]
        ]
      )
    })
  )

  it.effect("4.2: skip_trash destroys a live record with one event and leaves nothing of it", () =>
    Effect.gen(function* () {
      const { call, path, record } = yield* created
      const reply = yield* call("DELETE", `${path}?skip_trash=true`)
      assert.strictEqual(reply.status, 200)
      const events = yield* eventsOf("record_id", record.record_id)
      assert.strictEqual(events.length, 2)
      assert.isTrue(events[1]!.payload.permanent)
      assert.strictEqual(events[1]!.payload.title, "A")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM revisions WHERE record_id = ${record.record_id}`, [])
    })
  )

  it.effect("1.9: the switches are kept with the event", () =>
    Effect.gen(function* () {
      const { app, call } = yield* setup
      const reply = yield* call("POST", `/v1/record/app/${app.app_id}?hook=false&workflow=false&silent=true`, {
        fields: { reference: "A" }
      })
      const [event] = yield* eventsOf("record_id", reply.json.record_id)
      assert.deepStrictEqual([event!.hook, event!.workflow, event!.silent], [false, false, true])
    })
  )

  it.effect("2.4: without records:read a write answers only three members", () =>
    Effect.gen(function* () {
      const { app, owner } = yield* setup
      const api = yield* App
      const token = yield* seedToken(owner.userId, ["records:edit"])
      const reply = yield* api.call("POST", `/v1/record/app/${app.app_id}`, {
        token,
        body: { fields: { reference: "A" } }
      })
      assert.deepStrictEqual(Object.keys(reply.json), ["record_id", "app_record_id", "created_on"])
      assert.strictEqual((yield* api.call("GET", `/v1/record/${reply.json.record_id}`, { token })).status, 403)
    })
  )

  it.effect("1.2, 2.3: a record of another tenant is answered like none", () =>
    Effect.gen(function* () {
      const { path, app } = yield* created
      const { owner: stranger } = yield* seedWorkspace
      const call = as(stranger)
      for (const [method, at, body] of [
        ["GET", path],
        ["PUT", path, { fields: {} }],
        ["DELETE", path],
        ["POST", `${path}/restore`],
        ["GET", `${path}/revision`]
      ] as const) {
        const reply = yield* call(method, at, body)
        assert.strictEqual(reply.status, 404)
        assert.strictEqual(reply.json.error_code, "record_not_exists")
      }
      assert.strictEqual(
        (yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: {} })).json.error_code,
        "not_found"
      )
      assert.strictEqual((yield* call("GET", "/v1/record/x")).json.error_code, "invalid_request_url")
    })
  )

  it.effect("4.3: fifty parallel updates of one record lose nothing: revisions are dense, events in their order", () =>
    Effect.gen(function* () {
      const { owner, workspaceId, call } = yield* setup
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        ...Array.from({ length: 50 }, (_, i) => field("number", `N ${i}`))
      ])
      const { json } = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "x" } })
      const replies = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, i) => i),
        (i) => call("PUT", `/v1/record/${json.record_id}`, { fields: { [`n_${i}`]: i } }),
        { concurrency: "unbounded" }
      )
      assert.isTrue(replies.every((reply) => reply.status === 200))
      const finalRecord = yield* call("GET", `/v1/record/${json.record_id}`)
      assert.strictEqual(finalRecord.json.revision, 50)
      assert.strictEqual(finalRecord.json.fields.length, 51)
      const events = yield* eventsOf("record_id", json.record_id)
      assert.deepStrictEqual(
        events.map((e) => e.payload.revision),
        Array.from({ length: 51 }, (_, i) => i)
      )
    })
  )

  it.effect("4.1: app_record_id is dense under parallel creates and never reused", () =>
    Effect.gen(function* () {
      const { app, call } = yield* setup
      const path = `/v1/record/app/${app.app_id}`
      const replies = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, i) => i),
        (i) => call("POST", path, { fields: { reference: `R${i}` } }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        replies.map((r) => r.json.app_record_id).sort((a, b) => a - b),
        Array.from({ length: 40 }, (_, i) => i + 1)
      )
      yield* call("DELETE", `/v1/record/${replies[39]!.json.record_id}?skip_trash=true`)
      assert.strictEqual((yield* call("POST", path, { fields: { reference: "next" } })).json.app_record_id, 41)
    })
  )
})
