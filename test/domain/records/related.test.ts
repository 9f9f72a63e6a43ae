// developer-api.md 4.2: related records and what a relation field may point to; the same for the service's own use.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { RecordQueries } from "../../../src/domain/records/listing/RecordQueries.ts"
import { housekeeping } from "../../../src/domain/records/recordHousekeeping.ts"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 4.2: related records", (it) => {
  const setup = Effect.gen(function* () {
    const seed = yield* seedWorkspace
    const target = yield* createApp(
      seed.owner,
      seed.workspaceId,
      [field("single_text", "Name"), field("number", "N")],
      "Targets"
    )
    const referenced = { referenced_apps: [{ app_id: target.app_id }] }
    const source = yield* createApp(
      seed.owner,
      seed.workspaceId,
      [
        field("single_text", "Name"),
        field("multi_relation", "To", referenced),
        field("single_relation", "Main", referenced)
      ],
      "Sources"
    )
    const call = as(seed.owner)
    const make = (appId: number, fields: object) =>
      Effect.map(call("POST", `/v1/record/app/${appId}`, { fields }), (reply) => reply.json.record_id as number)
    const x = yield* make(target.app_id, { name: "x", n: 1 })
    const y = yield* make(target.app_id, { name: "y", n: 2 })
    const z = yield* make(target.app_id, { name: "z", n: 3 })
    const a = yield* make(source.app_id, { name: "a", to: [x, y], main: z })
    const b = yield* make(source.app_id, { name: "b", to: [y] })
    const [, to, main] = source.fields.map((f: any) => f.field_id) as [number, number, number]
    const path = `/v1/record/app/${source.app_id}/ref/${target.app_id}`
    const reversePath = `/v1/record/app/${target.app_id}/ref/${source.app_id}`
    return { ...seed, target, source, call, make, x, y, z, a, b, to, main, path, back: reversePath }
  })
  const idsOf = (reply: { readonly json: any }) => reply.json.records.map((record: any) => record.record_id)

  const idsOfMatch = ({ records }: any) => records.map(({ record_id }: any) => record_id)

  it.effect("forward, reverse and both, through all or named fields", () =>
    Effect.gen(function* () {
      const { call, path, back, x, y, z, a, b, to, main } = yield* setup
      const rows: ReadonlyArray<readonly [string, object, ReadonlyArray<number>]> = [
        [path, { recordIds: [a], direction: "forward" }, [x, y, z]],
        [path, { recordIds: [a, b], direction: "forward", relationFieldIds: [to] }, [x, y]],
        [path, { recordIds: [a], direction: "forward", relationFieldIds: [main] }, [z]],
        [path, { recordIds: [a], direction: "both" }, [x, y, z]],
        [path, { recordIds: [a], direction: "reverse" }, []],
        [back, { recordIds: [y], direction: "reverse" }, [a, b]],
        [back, { recordIds: [y], direction: "both" }, [a, b]],
        [back, { recordIds: [y], direction: "forward" }, []],
        [back, { recordIds: [a], direction: "reverse" }, []],
        [path, { recordIds: [], direction: "both" }, []]
      ]
      for (const [at, body, ids] of rows) {
        const reply = yield* call("POST", at, body)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(idsOf(reply), ids, JSON.stringify(body))
        assert.deepStrictEqual([reply.json.total, reply.json.cursor], [ids.length, null])
      }
    })
  )

  it.effect("invisible records are dropped after the limit; bad input names its place", () =>
    Effect.gen(function* () {
      const { call, path, x, y, a, to } = yield* setup
      yield* call("DELETE", `/v1/record/${x}`)
      const body = { recordIds: [a], direction: "forward" }
      assert.deepStrictEqual(idsOf(yield* call("POST", `${path}?limit=2`, body)), [y])
      const stray = yield* call("POST", path, { ...body, relationFieldIds: [to, 999_999_999] })
      assert.deepStrictEqual([stray.status, stray.json.error_code], [400, "validation"])
      assert.include(stray.json.error_message, "relationFieldIds[1]")
      for (const limit of [0, 1001]) {
        const reply = yield* call("POST", `${path}?limit=${limit}`, body)
        assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "validation"])
      }
      assert.strictEqual(
        (yield* call("POST", path, { ...body, direction: "sideways" })).json.error_code,
        "input_validation"
      )
      assert.strictEqual((yield* call("POST", path, { ...body, record_ids: [a] })).json.error_code, "input_validation")
    })
  )

  it.effect("1.7: both apps must be visible and selected", () =>
    Effect.gen(function* () {
      const { path, owner, source, a } = yield* setup
      const app = yield* App
      const token = yield* seedToken(owner.userId, ["records:read"], { appIds: [source.app_id] })
      const body = { recordIds: [a], direction: "forward" }
      assert.strictEqual((yield* app.call("POST", path, { token, body })).status, 404)
    })
  )

  it.effect(
    "find: at most ten previews without fields, newest first, by their title, also when only the field's app is selected",
    () =>
      Effect.gen(function* () {
        const { call, make, target, source, to, x, y, owner, z } = yield* setup
        const path = `/v1/record/field/${to}/find`
        for (let i = 0; i < 9; i++) yield* make(target.app_id, { name: `Extra ${i}` })
        yield* call("DELETE", `/v1/record/${z}`)
        const fullPage = yield* call("GET", path)
        assert.strictEqual(fullPage.status, 200, fullPage.text)
        assert.strictEqual(fullPage.json.records.length, 10)
        assert.strictEqual(fullPage.json.records[0].title, "Extra 8")
        assert.notProperty(fullPage.json.records[0], "fields")
        assert.strictEqual(fullPage.json.records[0].app_id, target.app_id)
        const some = yield* call("GET", `${path}?text=${encodeURIComponent("EXTRA 3")}`)
        assert.deepStrictEqual(
          some.json.records.map((record: any) => record.title),
          ["Extra 3"]
        )
        assert.deepStrictEqual(idsOf(yield* call("GET", `${path}?text=y`)), [y])
        const app = yield* App
        const token = yield* seedToken(owner.userId, ["records:read"], { appIds: [source.app_id] })
        const previews = yield* app.call("GET", `${path}?text=x`, { token })
        assert.include(idsOf(previews), x)
        const name = source.fields[0].field_id
        const refusal = yield* call("GET", `/v1/record/field/${name}/find`)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
        assert.strictEqual((yield* call("GET", "/v1/record/field/999999999/find")).status, 404)
      })
  )

  it.effect(
    "match: for each text the records of that title, or id; a few where there are many, none that may not be pointed to",
    () =>
      Effect.gen(function* () {
        const { call, make, target, source, to, x, y, z, a, owner } = yield* setup
        const path = `/v1/record/field/${to}/match`
        const many = []
        for (let i = 0; i < 4; i++) many.push(yield* make(target.app_id, { name: "Twin" }))
        const unnamed = yield* make(target.app_id, { n: 4 })
        const number = yield* make(target.app_id, { name: String(y) })
        yield* call("DELETE", `/v1/record/${z}`)
        const texts = ["X ", "twin", String(y), String(z), "z", String(a), "", "nobody", "x", "99999999999999999999"]
        const title = (yield* call("GET", `/v1/record/${unnamed}`)).json.title
        const reply = yield* call("POST", path, { texts: [...texts, title] })
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(
          reply.json.matches.map((one: any) => [one.text, idsOfMatch(one)]),
          [
            ["X ", [x]],
            ["twin", many.toReversed().slice(0, 3)],
            [String(y), [number, y]],
            [String(z), []],
            ["z", []],
            [String(a), []],
            ["", []],
            ["nobody", []],
            ["x", [x]],
            ["99999999999999999999", []],
            [title, [unnamed]]
          ]
        )
        assert.notProperty(reply.json.matches[0].records[0], "fields")
        const app = yield* App
        const token = yield* seedToken(owner.userId, ["records:read"], { appIds: [source.app_id] })
        const previews = yield* app.call("POST", path, { token, body: { texts: ["x"] } })
        assert.deepStrictEqual(previews.json.matches[0].records[0].record_id, x)
        const name = source.fields[0].field_id
        const refusal = yield* call("POST", `/v1/record/field/${name}/match`, { texts: [] })
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
        const tooMany = yield* call("POST", path, { texts: Array.from({ length: 101 }, () => "x") })
        assert.strictEqual(tooMany.status, 400)
      })
  )

  it.effect("find and match: a referenced view narrows what may be pointed to", () =>
    Effect.gen(function* () {
      const { call, target, x, owner, workspaceId } = yield* setup
      const filters = [
        { type: "number", field_id: target.fields[1].field_id, match_type: "smaller", values: [{ value: 2 }] }
      ]
      const { view } = (yield* call("POST", `/v1/view/app/${target.app_id}`, {
        name: "Small",
        layout: "list",
        filters
      })).json
      const narrowed = yield* createApp(owner, workspaceId, [
        field("single_relation", "R", { referenced_apps: [{ app_id: target.app_id, view_id: view.view_id }] })
      ])
      const reply = yield* call("GET", `/v1/record/field/${narrowed.fields[0].field_id}/find`)
      assert.deepStrictEqual(idsOf(reply), [x])
      const path = `/v1/record/field/${narrowed.fields[0].field_id}/match`
      const { matches } = (yield* call("POST", path, { texts: ["x", "y"] })).json
      assert.deepStrictEqual(matches.map(idsOfMatch), [[x], []])
      // Of a definition from before an app had to be named once.
      const sql = yield* SqlClient.SqlClient
      const referenced = Array.from({ length: 3 }, () => ({ app_id: target.app_id, view_id: view.view_id }))
      yield* sql`
        UPDATE fields SET settings = ${JSON.stringify({ referenced_apps: referenced })}::jsonb
        WHERE field_id = ${narrowed.fields[0].field_id}`
      yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${narrowed.app_id}`
      assert.deepStrictEqual(idsOf(yield* call("GET", `/v1/record/field/${narrowed.fields[0].field_id}/find`)), [x])
      const repeatedMatch = (yield* call("POST", path, { texts: ["x"] })).json
      assert.deepStrictEqual(repeatedMatch.matches.map(idsOfMatch), [[x]])
    })
  )

  it.effect("RecordQueries: collects of an app, of a view, related per app, and by ids", () =>
    Effect.gen(function* () {
      const { call, target, source, x, y, z, a, b, owner } = yield* setup
      const queries = yield* RecordQueries
      const sql = yield* SqlClient.SqlClient
      const ids = (set: { readonly records: ReadonlyArray<{ readonly record_id: number }> }) =>
        set.records.map((record) => record.record_id)
      assert.deepStrictEqual(ids(yield* queries.collect(target.app_id, { limit: 2 })), [x, y])
      assert.deepStrictEqual(ids(yield* queries.collect(target.app_id, { limit: 9, afterId: y })), [z])
      const where = sql`r.app_record_id > 1`
      const narrowed = yield* queries.collect(target.app_id, { limit: 1000, where })
      assert.deepStrictEqual(ids(narrowed), [y, z])
      assert.strictEqual(narrowed.definition.app_id, target.app_id)
      const { view } = (yield* call("POST", `/v1/view/app/${target.app_id}`, {
        name: "V",
        layout: "list",
        sort_by: target.fields[1].field_id,
        sort_desc: true,
        filters: [{ type: "app_record_id", match_type: "larger", values: [{ value: 1 }] }]
      })).json
      const viewer = { userId: owner.userId }
      const viewed = yield* queries.ofView(target.app_id, view.view_id, viewer, { limit: 1000 })
      assert.deepStrictEqual(ids(viewed), [z, y])
      assert.notProperty(viewed.records[0], "sort_key")
      const foreign = yield* Effect.flip(queries.ofView(source.app_id, view.view_id, viewer, { limit: 1 }))
      assert.strictEqual(foreign._tag, "NotFound")
      const related = yield* queries.related({ recordIds: [a, y], direction: "both", limit: 1000 })
      assert.deepStrictEqual(
        related.map((set) => [set.definition.app_id, ids(set)]),
        [
          [target.app_id, [x, y, z]],
          [source.app_id, [a, b]]
        ]
      )
      yield* call("DELETE", `/v1/record/${x}`)
      const live = yield* queries.related({ recordIds: [a], direction: "forward", appId: target.app_id, limit: 1 })
      assert.deepStrictEqual(live.map(ids), [[y]])
      const foundRecords = yield* queries.byIds([b, x, z])
      assert.deepStrictEqual(
        foundRecords.map(({ record, definition }) => [record.record_id, definition.app_id]),
        [
          [b, source.app_id],
          [z, target.app_id]
        ]
      )
      assert.strictEqual((yield* Effect.flip(queries.collect(999_999_999, { limit: 1 })))._tag, "NotFound")
    })
  )

  it.effect("4.3 rule 6, 6 rule 2: housekeeping destroys what was in the trash for 30 days, and stale uploads", () =>
    Effect.gen(function* () {
      const { call, x, y, orgId, owner } = yield* setup
      const sql = yield* SqlClient.SqlClient
      for (const id of [x, y]) yield* call("DELETE", `/v1/record/${id}`)
      const nowMillis = yield* Clock.currentTimeMillis
      const lapsedDate = new Date(nowMillis - 30 * 86_400_000 - 60_000)
      yield* sql`UPDATE records SET deleted_on = ${lapsedDate} WHERE record_id = ${x}`
      yield* sql`
        INSERT INTO files (org_id, temporary_id, uploaded_by, name, size, mimetype, storage_key, created_on)
        VALUES (${orgId}, 'temporary-stale', ${owner.userId}, 'a', 1, 'text/plain', 'stale', ${lapsedDate})`
      assert.deepStrictEqual(yield* housekeeping, { records: 1, files: 1 })
      assert.deepStrictEqual(yield* housekeeping, { records: 0, files: 0 })
      assert.strictEqual((yield* call("GET", `/v1/record/${x}?include_deleted=true`)).status, 404)
      assert.strictEqual((yield* call("GET", `/v1/record/${y}?include_deleted=true`)).status, 200)
    })
  )
})
