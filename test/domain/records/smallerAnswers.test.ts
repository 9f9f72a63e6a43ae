// docs/decisions.md, "Records": `fields`, `total` and `Prefer: return=minimal` make answers smaller and change nothing else.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { returnPreference } from "../../../src/api/middleware/prefer.ts"
import { Access } from "../../../src/domain/accounts/Access.ts"
import { Listings } from "../../../src/domain/records/listing/Listings.ts"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { callerOf, createApp, field, seedWorkspace } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

const MINIMAL = { prefer: "respond-async, return=minimal" }

layer(appLayer(), { excludeTestServices: true })("smaller answers", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, workspaceId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, [
      field("single_text", "Name"),
      field("number", "Size"),
      field("single_user", "Keeper")
    ])
    const { call: request } = yield* App
    const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      request(method, path, { token: owner.key, headers, ...(body === undefined ? {} : { body }) })
    const inputs = [1, 2, 3].map((size) => ({ fields: { name: `N${size}`, size, keeper: owner.userId } }))
    const { json } = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, { inputs })
    const view = yield* call("POST", `/v1/view/app/${app.app_id}`, { name: "All", layout: "table", filters: [] })
    assert.strictEqual(view.status, 201, view.text)
    return { owner, call, app, records: json.records as ReadonlyArray<any>, viewId: view.json.view.view_id as number }
  })
  const shownFields = (record: any) => record.fields.map(({ external_id }: any) => external_id)

  it.effect("`fields` shows the named fields in field order, of one record and of every page", () =>
    Effect.gen(function* () {
      const { app, call, records, viewId } = yield* setup
      const sizeId = app.fields[1]!.field_id
      const filters = { filters: [] }
      for (const [method, path, body] of [
        ["GET", `/v1/record/app/${app.app_id}?`, undefined],
        ["GET", `/v1/record/view/${viewId}?`, undefined],
        ["POST", `/v1/record/filter/app/${app.app_id}?`, filters]
      ] as const) {
        const wholeAnswer = yield* call(method, path, body)
        const chosenAnswer = yield* call(method, `${path}fields=${sizeId},%20name`, body)
        assert.deepStrictEqual(
          chosenAnswer.json.records.map(shownFields),
          [1, 2, 3].map(() => ["name", "size"])
        )
        const keep = ({ external_id }: any) => external_id !== "keeper"
        assert.deepStrictEqual(chosenAnswer.json, {
          ...wholeAnswer.json,
          records: wholeAnswer.json.records.map((record: any) => ({ ...record, fields: record.fields.filter(keep) }))
        })
        const none = yield* call(method, `${path}fields=`, body)
        assert.deepStrictEqual(none.json.records.map(shownFields), [[], [], []])
        assert.strictEqual(none.json.records[0].title, "N3")
      }
      const oneRecord = yield* call("GET", `/v1/record/${records[0].record_id}?fields=size`)
      assert.deepStrictEqual(shownFields(oneRecord.json), ["size"])
    })
  )

  it.effect("`fields` that the app does not have are refused by name", () =>
    Effect.gen(function* () {
      const { app, call, records } = yield* setup
      for (const path of [`/v1/record/app/${app.app_id}`, `/v1/record/${records[0].record_id}`]) {
        const reply = yield* call("GET", `${path}?fields=name,colour`)
        assert.strictEqual(reply.status, 400)
        assert.include(reply.json.error_message, 'fields: the app has no field "colour"')
      }
    })
  )

  it.effect("`total=none` counts nothing; its cursors go on without a count", () =>
    Effect.gen(function* () {
      const { app, call, owner, records } = yield* setup
      const path = `/v1/record/app/${app.app_id}?limit=2`
      const access = yield* Access
      const listings = yield* Listings
      const grant = yield* access.check(callerOf(owner), "app", app.app_id, 1)
      const countsOf = (total: "exact" | "none") =>
        Effect.map(askedBy(listings.ofApp(grant, null, { limit: 2, total })), ({ asked }) =>
          asked.filter(({ statement }) => statement.includes("record_counts"))
        )
      assert.isNotEmpty(yield* countsOf("exact"))
      assert.isEmpty(yield* countsOf("none"))
      const { json: first } = yield* call("GET", `${path}&total=none`)
      assert.isNull(first.total)
      const second = yield* call("GET", `${path}&total=none&cursor=${first.cursor}`)
      assert.deepStrictEqual([second.json.total, second.json.cursor], [null, null])
      assert.deepStrictEqual(
        [...first.records, ...second.json.records].map(({ record_id }: any) => record_id),
        records.map(({ record_id }) => record_id).reverse()
      )
      const strange = yield* call("GET", `${path}&cursor=${first.cursor}`)
      assert.strictEqual(strange.status, 400)
      const exact = yield* call("GET", `${path}&total=exact`)
      assert.strictEqual(exact.json.total, 3)
      assert.isNull((yield* call("GET", `/v1/record/app/${app.app_id}?limit=0&total=none`)).json.total)
    })
  )

  it.effect("`Prefer: return=minimal` answers a write with its ids, and says so; the write is the same", () =>
    Effect.gen(function* () {
      const { app, call, records } = yield* setup
      const only = (reply: any) => Object.keys(reply)
      const ids = ["record_id", "app_record_id", "created_on"]
      const created = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "New" } }, MINIMAL)
      assert.deepStrictEqual(only(created.json), ids)
      assert.strictEqual(created.headers.get("preference-applied"), "return=minimal")
      assert.strictEqual(created.headers.get("etag"), '"0"')
      // And so does the answer that is kept under a key.
      const keyed = { ...MINIMAL, "idempotency-key": "minimal" }
      for (const replayed of [null, "true"]) {
        const reply = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "Once" } }, keyed)
        assert.deepStrictEqual(
          ["idempotency-replayed", "preference-applied", "etag"].map((name) => reply.headers.get(name)),
          [replayed, "return=minimal", '"0"']
        )
      }
      const path = `/v1/record/${created.json.record_id}`
      const updated = yield* call("PUT", path, { fields: { size: 7 } }, { ...MINIMAL, "if-match": '"0"' })
      assert.deepStrictEqual([only(updated.json), updated.headers.get("etag")], [ids, '"1"'])
      assert.strictEqual((yield* call("GET", path)).json.fields[1].values[0].value, 7)
      assert.deepStrictEqual(only((yield* call("DELETE", path, undefined, MINIMAL)).json), ids)
      assert.deepStrictEqual(only((yield* call("POST", `${path}/restore`, undefined, MINIMAL)).json), ids)
      const batch = `/v1/record/app/batch/${app.app_id}`
      const createReply = yield* call(
        "POST",
        batch,
        { inputs: [{ fields: { name: "A" } }, { fields: { name: "B" } }] },
        MINIMAL
      )
      assert.deepStrictEqual(createReply.json.records.map(only), [ids, ids])
      assert.strictEqual(createReply.headers.get("preference-applied"), "return=minimal")
      const inputs = records.map(({ record_id }) => ({ record_id, fields: { size: 9 } }))
      const changed = yield* call("PUT", batch, { inputs }, MINIMAL)
      assert.deepStrictEqual(changed.json.records.map(only), [ids, ids, ids])
    })
  )

  it.effect("any other preference, and none, give the record", () =>
    Effect.gen(function* () {
      const { app, call, owner } = yield* setup
      const { call: request } = yield* App
      for (const prefer of [
        "return=representation",
        "return=representation, return=minimal",
        "handling=strict; return=minimal",
        "minimal",
        ""
      ]) {
        const reply = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "New" } }, { prefer })
        assert.isArray(reply.json.fields, prefer)
        assert.isNull(reply.headers.get("preference-applied"))
      }
      // Who may not read gets the ids anyway; no preference was followed.
      const token = yield* seedToken(owner.userId, ["records:edit"])
      const blind = yield* request("POST", `/v1/record/app/${app.app_id}`, {
        token,
        body: { fields: { name: "X" } },
        headers: MINIMAL
      })
      assert.isUndefined(blind.json.fields)
      assert.isNull(blind.headers.get("preference-applied"))
      assert.deepStrictEqual(
        ['RETURN="minimal"; foo', "wait=10, return = minimal", 'a="b, return=minimal"', ",,,"].map(returnPreference),
        ["minimal", "minimal", undefined, undefined]
      )
    })
  )
})
