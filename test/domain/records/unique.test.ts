// developer-api.md 11.2: unique fields, kept by an index whoever writes at once.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerShape } from "../../../src/domain/accounts/Caller.ts"
import { ownWrite } from "../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { as, callerOf, createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

const unique = (type: string, label: string) => field(type, label, undefined, { unique: true })

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.2: unique fields", (it) => {
  const setup = Effect.gen(function* () {
    const { orgId, owner, workspaceId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, [
      unique("single_text", "Code"),
      unique("number", "Number"),
      unique("multi_email", "Mail"),
      field("single_text", "Note")
    ])
    const path = `/v1/record/app/${app.app_id}`
    const call = as(owner)
    const create = (fields: object) => call("POST", path, { fields })
    const count = Effect.map(call("GET", `${path}?limit=0`), (reply) => reply.json.total)
    const [code, number, mail] = app.fields.map((one: any) => one.field_id) as ReadonlyArray<number>
    return {
      app,
      call,
      caller: callerOf({ ...owner, orgId }) as CallerShape,
      code,
      count,
      create,
      mail,
      number,
      owner,
      path,
      workspaceId
    }
  })

  const isConflict = (reply: any, expected: object) => {
    assert.strictEqual(reply.status, 409, reply.text)
    const { duplicates, field_id, record_id } = reply.json
    assert.strictEqual(reply.json.error_code, "unique_conflict")
    assert.deepStrictEqual(
      { field_id, record_id, ...(duplicates === undefined ? {} : { duplicates }) },
      expected as never
    )
  }

  it.effect("five types may be unique, and say so; left out it is off again", () =>
    Effect.gen(function* () {
      const { app, call, workspaceId } = yield* setup
      assert.deepStrictEqual(
        app.fields.map((one: any) => one.config.unique),
        [true, true, true, false]
      )
      for (const type of ["multi_text", "status", "single_date", "single_user", "checklist", "multi_image"]) {
        const reply = yield* call("POST", "/v1/app", {
          workspace_id: workspaceId,
          name: "Other",
          fields: [{ field_type: type, config: { label: "F", unique: true } }]
        })
        assert.strictEqual(reply.status, 400, type)
        assert.include(reply.json.error_message, type === "status" ? "fields[0].config" : "fields[0].config.unique")
      }
      const [first] = app.fields
      const reply = yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [{ field_id: first.field_id, config: { label: first.label } }]
      })
      assert.strictEqual(reply.json.fields[0].config.unique, false)
    })
  )

  it.effect("a second live record with the same folded value is refused, and nothing of it stays", () =>
    Effect.gen(function* () {
      const { app, call, code, count, create, mail, number, owner, path } = yield* setup
      const creation = yield* create({
        code: "Élan  1",
        number: 12.5,
        mail: ["mira@example.net", "second@example.net"]
      })
      const { record_id } = creation.json
      isConflict(yield* create({ code: " ELAN 1" }), { field_id: code, record_id })
      isConflict(yield* create({ number: "12.50" }), { field_id: number, record_id })
      isConflict(yield* create({ mail: ["new@example.net", "Second@Example.net"] }), { field_id: mail, record_id })
      const blind = yield* seedToken(owner.userId, ["records:edit"])
      const { call: raw } = yield* App
      isConflict(yield* raw("POST", path, { token: blind, body: { fields: { code: "elan 1" } } }), {
        field_id: code,
        record_id: null
      })
      // The answer of a call with a key is kept in the transaction in which it was refused.
      const keyed = { token: owner.key, body: { fields: { code: "elan 1" } }, headers: { "idempotency-key": "once" } }
      isConflict(yield* raw("POST", path, keyed), { field_id: code, record_id })
      isConflict(yield* raw("POST", path, keyed), { field_id: code, record_id })
      const batch = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
        inputs: [{ fields: { code: "b" } }, { fields: { code: "c" } }, { fields: { code: "B" } }]
      })
      isConflict(batch, { field_id: code, record_id: null })
      assert.include(batch.json.error_message, "inputs[2].fields.code")
      assert.strictEqual(yield* count, 1)
      assert.strictEqual(
        (yield* eventsOf("app_id", app.app_id)).filter(({ type }) => type === "record.create").length,
        1
      )
      assert.strictEqual((yield* create({ note: "empty values are nobody's" })).status, 200)
      assert.strictEqual((yield* create({})).status, 200)
    })
  )

  it.effect("updates, the trash and restoring keep it; two records may exchange their values", () =>
    Effect.gen(function* () {
      const { app, call, code, create } = yield* setup
      const [a, b] = [(yield* create({ code: "a" })).json.record_id, (yield* create({ code: "b" })).json.record_id]
      isConflict(yield* call("PUT", `/v1/record/${b}`, { fields: { code: "A" } }), { field_id: code, record_id: a })
      assert.strictEqual((yield* call("PUT", `/v1/record/${a}`, { fields: { code: "A" } })).status, 200)
      const exchanged = yield* call("PUT", `/v1/record/app/batch/${app.app_id}`, {
        inputs: [
          { record_id: a, fields: { code: "b" } },
          { record_id: b, fields: { code: "a" } }
        ]
      })
      assert.strictEqual(exchanged.status, 200, exchanged.text)
      yield* call("DELETE", `/v1/record/${a}`)
      const c = (yield* create({ code: "b" })).json.record_id
      isConflict(yield* call("POST", `/v1/record/${a}/restore`), { field_id: code, record_id: c })
      yield* call("DELETE", `/v1/record/${c}?skip_trash=true`)
      assert.strictEqual((yield* call("POST", `/v1/record/${a}/restore`)).status, 200)
      isConflict(yield* create({ code: "b" }), { field_id: code, record_id: a })
      yield* call("PUT", `/v1/record/${a}`, { fields: { code: null } })
      assert.strictEqual((yield* create({ code: "b" })).status, 200)
    })
  )

  it.effect("50 writers of one value at once: one wins, the others are told who", () =>
    Effect.gen(function* () {
      const { call, caller, code, count, app, create } = yield* setup
      const writer = yield* RecordWriter
      const write = ownWrite(caller, defaultSwitches)
      const results = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, n) => n),
        (n) => Effect.result(writer.create(write, app.app_id, [{ code: n % 2 ? "Same" : "same", number: n }])),
        { concurrency: "unbounded" }
      )
      const won = results.flatMap((one) => (one._tag === "Success" ? one.success : []))
      assert.strictEqual(won.length, 1)
      for (const result of results)
        if (result._tag === "Failure")
          assert.deepInclude(result.failure, { field_id: code!, record_id: won[0]!.record_id })
      assert.strictEqual(yield* count, 1)
      const ids = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) =>
        Effect.map(create({ code: `u${n}` }), ({ json }) => json.record_id as number)
      )
      const updates = yield* Effect.forEach(
        ids,
        (id) => call("PUT", `/v1/record/${id}`, { fields: { code: "wanted" } }),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(updates.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
    })
  )

  it.effect("switched on where records share values it tells the first twenty of these; then it is on", () =>
    Effect.gen(function* () {
      const { app, call, owner, path } = yield* setup
      const note = app.fields[3]
      const twice = Array.from({ length: 25 }, (_, n) => `N${n}`)
      const { json: batch } = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
        inputs: twice.map((value) => ({ fields: { note: value } }))
      })
      const { json: again } = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
        inputs: twice.map((value) => ({ fields: { note: value.toLowerCase() } }))
      })
      const on = { fields: [{ field_id: note.field_id, config: { label: "Note", unique: true } }] }
      const refusal = yield* call("PUT", `/v1/app/${app.app_id}`, on)
      assert.strictEqual(refusal.status, 409)
      assert.strictEqual(refusal.json.duplicates.length, 20)
      const duplicatePairs = refusal.json.duplicates.map((one: any) => one.record_ids)
      for (const pair of duplicatePairs) {
        const recordIndex = batch.records.findIndex((record: any) => record.record_id === pair[0])
        assert.deepStrictEqual(pair, [pair[0], again.records[recordIndex].record_id])
      }
      const blind = yield* seedToken(owner.userId, ["apps:edit"])
      const { call: raw } = yield* App
      const unseen = yield* raw("PUT", `/v1/app/${app.app_id}`, { token: blind, body: on })
      assert.deepStrictEqual([unseen.status, unseen.json.duplicates], [409, undefined])
      assert.strictEqual((yield* call("GET", `/v1/app/${app.app_id}`)).json.fields[3].config.unique, false)
      yield* call("POST", `/v1/record/app/batch/${app.app_id}/delete`, {
        record_ids: again.records.map((record: any) => record.record_id)
      })
      assert.strictEqual((yield* call("PUT", `/v1/app/${app.app_id}`, on)).status, 200)
      isConflict(yield* call("POST", path, { fields: { note: "n3" } }), {
        field_id: note.field_id,
        record_id: batch.records[3].record_id
      })
      yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [{ field_id: note.field_id, config: { label: "Note" } }]
      })
      assert.strictEqual((yield* call("POST", path, { fields: { note: "n3" } })).status, 200)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM unique_values WHERE field_id = ${note.field_id}`, [])
      yield* call("POST", path, { fields: { code: "goes with the app" } })
      yield* call("DELETE", `/v1/app/${app.app_id}`)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM unique_values WHERE field_id = ${app.fields[0].field_id}`, [])
    })
  )

  it.effect("an app without unique fields asks the database no more than before", () =>
    Effect.gen(function* () {
      const { caller, owner, workspaceId } = yield* setup
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Code")], "Plain")
      const writer = yield* RecordWriter
      const write = ownWrite(caller, defaultSwitches)
      yield* writer.create(write, app_id, [{ code: "first" }])
      const createTrace = yield* askedBy(writer.create(write, app_id, [{ code: "a" }]))
      const changed = yield* askedBy(
        writer.update(write, app_id, [{ record_id: createTrace.answer[0]!.record_id, fields: { code: "b" } }])
      )
      for (const { statement } of [...createTrace.asked, ...changed.asked])
        assert.notMatch(statement, /unique_values|savepoint/i)
    })
  )
})
