// developer-api.md 4.2: batch writes, one transaction each.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { as, createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 4.2: batches", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, workspaceId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, [
      field("single_text", "Name", undefined, { required: true }),
      field("number", "Size")
    ])
    const path = `/v1/record/app/batch/${app.app_id}`
    const count = Effect.map(as(owner)("GET", `/v1/record/app/${app.app_id}?limit=0`), (reply) => reply.json.total)
    return { owner, workspaceId, app, path, call: as(owner), count }
  })
  const inputs = (n: number) => Array.from({ length: n }, (_, i) => ({ fields: { name: `N${i}`, size: i } }))

  it.effect("creates up to 50 records in order, with one event each, at five times the base cost", () =>
    Effect.gen(function* () {
      const { call, path, app, count } = yield* setup
      const reply = yield* call("POST", path, { inputs: inputs(50) })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers.get("x-retry-cost"), "50")
      assert.deepStrictEqual(
        reply.json.records.map((record: any) => [record.app_record_id, record.title]),
        inputs(50).map(({ fields }, i) => [i + 1, fields.name])
      )
      const events = yield* eventsOf("app_id", app.app_id)
      assert.strictEqual(events.filter(({ type }) => type === "record.create").length, 50)
      const tooMany = yield* call("POST", path, { inputs: inputs(51) })
      assert.strictEqual(tooMany.status, 400)
      assert.strictEqual(tooMany.json.error_code, "validation")
      assert.strictEqual(yield* count, 50)
    })
  )

  it.effect("a problem names its input and nothing is written", () =>
    Effect.gen(function* () {
      const { call, path, count } = yield* setup
      for (const [bad, place] of [
        [{}, "inputs[1].fields.name"],
        [{ name: "x", size: "many" }, "inputs[1].fields.size"],
        [{ name: "x", colour: 1 }, "inputs[1].fields.colour"]
      ] as const) {
        const reply = yield* call("POST", path, { inputs: [{ fields: { name: "ok" } }, { fields: bad }] })
        assert.strictEqual(reply.status, 400)
        assert.strictEqual(reply.json.error_code, "validation")
        assert.include(reply.json.error_message, place)
      }
      const shape = yield* call("POST", path, { inputs: [{ fields: { name: "ok" } }, { field: {} }] })
      assert.strictEqual(shape.json.error_code, "input_validation")
      assert.include(shape.json.error_message, "inputs[1]")
      assert.strictEqual(yield* count, 0)
    })
  )

  it.effect("a record that is not at the revision its input names refuses the batch and is named", () =>
    Effect.gen(function* () {
      const { call, path } = yield* setup
      const { records } = (yield* call("POST", path, { inputs: inputs(2) })).json
      const [first, second] = records.map(({ record_id }: any) => record_id)
      const update = (size: number, revision: number) => ({
        inputs: [
          { record_id: first, fields: { size } },
          { record_id: second, fields: { size }, revision }
        ]
      })
      assert.strictEqual((yield* call("PUT", path, update(7, 0))).status, 200)
      const lateReply = yield* call("PUT", path, update(8, 0))
      assert.deepStrictEqual([lateReply.status, lateReply.json.error_code], [409, "conflict_error"])
      assert.include(lateReply.json.error_message, `inputs[1].revision: record ${second} is at revision 1, not 0.`)
      const { json } = yield* call("GET", `/v1/record/${first}`)
      assert.strictEqual(json.revision, 1)
      assert.strictEqual((yield* call("PUT", path, update(8, 1))).status, 200)
    })
  )

  it.effect("updates all or nothing; empty_response answers an empty object", () =>
    Effect.gen(function* () {
      const { call, path } = yield* setup
      const createdRecords = (yield* call("POST", path, { inputs: inputs(3) })).json.records
      const ids: ReadonlyArray<number> = createdRecords.map((record: any) => record.record_id)
      const update = (fields: (i: number) => object) => ({
        inputs: ids.map((record_id, i) => ({ record_id, fields: fields(i) }))
      })
      const failed = yield* call(
        "PUT",
        path,
        update((i) => (i === 2 ? { size: "x" } : { size: 100 }))
      )
      assert.strictEqual(failed.status, 400)
      assert.include(failed.json.error_message, "inputs[2].fields.size")
      const read = yield* call("GET", `/v1/record/${ids[0]}`)
      assert.strictEqual(read.json.revision, 0)
      const batchUpdate = yield* call(
        "PUT",
        path,
        update((i) => ({ size: 10 + i }))
      )
      assert.strictEqual(batchUpdate.status, 200, batchUpdate.text)
      assert.deepStrictEqual(
        batchUpdate.json.records.map((record: any) => [record.record_id, record.revision, record.fields[1].values]),
        ids.map((id, i) => [id, 1, [{ value: 10 + i }]])
      )
      const silent = yield* call(
        "PUT",
        `${path}?empty_response=true`,
        update((i) => ({ size: 20 + i }))
      )
      assert.deepStrictEqual([silent.status, silent.json], [200, {}])
      const unknown = yield* call("PUT", path, { inputs: [{ record_id: 999_999_999, fields: {} }] })
      assert.deepStrictEqual([unknown.status, unknown.json.error_code], [404, "record_not_exists"])
    })
  )

  it.effect("a record of another app is unknown to the batch", () =>
    Effect.gen(function* () {
      const { call, path, owner, workspaceId } = yield* setup
      const other = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Other")
      const { record_id } = (yield* call("POST", `/v1/record/app/${other.app_id}`, { fields: {} })).json
      for (const reply of [
        yield* call("PUT", path, { inputs: [{ record_id, fields: { name: "x" } }] }),
        yield* call("POST", `${path}/delete`, { record_ids: [record_id] })
      ]) {
        assert.deepStrictEqual([reply.status, reply.json.error_code], [404, "record_not_exists"])
      }
      assert.strictEqual((yield* call("GET", `/v1/record/${record_id}`)).status, 200)
    })
  )

  it.effect("deletes to the trash or for good and answers the ids", () =>
    Effect.gen(function* () {
      const { call, path, count } = yield* setup
      const createdRecords = (yield* call("POST", path, { inputs: inputs(4) })).json.records
      const ids: ReadonlyArray<number> = createdRecords.map((record: any) => record.record_id)
      const trashed = yield* call("POST", `${path}/delete`, { record_ids: ids.slice(0, 2) })
      assert.deepStrictEqual([trashed.status, trashed.json], [200, { record_ids: ids.slice(0, 2) }])
      const secondDeletion = yield* call("POST", `${path}/delete`, { record_ids: ids })
      assert.strictEqual(secondDeletion.json.error_code, "record_deleted")
      assert.strictEqual(yield* count, 2)
      const finalDeletion = yield* call("POST", `${path}/delete?skip_trash=true`, { record_ids: ids })
      assert.deepStrictEqual(finalDeletion.json, { record_ids: ids })
      assert.strictEqual((yield* call("GET", `/v1/record/${ids[0]}?include_deleted=true`)).status, 404)
    })
  )

  it.effect("2.4: a credential without records:read sees ids and times only", () =>
    Effect.gen(function* () {
      const { owner, path } = yield* setup
      const app = yield* App
      const token = yield* seedToken(owner.userId, ["records:edit"])
      const reply = yield* app.call("POST", path, { token, body: { inputs: inputs(2) } })
      assert.strictEqual(reply.status, 200, reply.text)
      for (const record of reply.json.records) {
        assert.deepStrictEqual(Object.keys(record), ["record_id", "app_record_id", "created_on"])
      }
    })
  )

  it.effect("1.9: the switches reach every event of the batch", () =>
    Effect.gen(function* () {
      const { call, path, app } = yield* setup
      yield* call("POST", `${path}?hook=false&workflow=false&silent=true`, { inputs: inputs(2) })
      const events = yield* eventsOf("app_id", app.app_id)
      const createEvents = events.filter(({ type }) => type === "record.create")
      assert.deepStrictEqual(
        createEvents.map(({ hook, workflow, silent }) => [hook, workflow, silent]),
        [
          [false, false, true],
          [false, false, true]
        ]
      )
    })
  )
})
