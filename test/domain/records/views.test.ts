// developer-api.md 3.5: views.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedToken, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 3.5: views", (it) => {
  const setup = Effect.gen(function* () {
    const seed = yield* seedWorkspace
    const app = yield* createApp(seed.owner, seed.workspaceId, [
      field("single_text", "Name"),
      field("number", "Size"),
      field("single_category", "Kind", { options: [{ text: "x" }, { text: "y" }] })
    ])
    const call = as(seed.owner)
    const [name, size, kind] = app.fields.map((f: any) => f.field_id) as [number, number, number]
    const xOption: number = app.fields[2].config.settings.options[0].id
    const create = (body: object) => call("POST", `/v1/view/app/${app.app_id}`, body)
    const add = Effect.fnUntraced(function* (inputs: ReadonlyArray<object>) {
      const reply = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
        inputs: inputs.map((fields) => ({ fields }))
      })
      return reply.json.records.map((record: any) => record.record_id) as ReadonlyArray<number>
    })
    return { ...seed, app, call, create, add, name, size, kind, xOption }
  })
  const filterOn = (field_id: number) => ({ field_id, type: "number", match_type: "larger", values: [{ value: 1 }] })

  it.effect("every app has one default view, listed with its head only", () =>
    Effect.gen(function* () {
      const { app, call } = yield* setup
      const reply = yield* call("GET", `/v1/app/${app.app_id}/views`)
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers.get("x-retry-cost"), "50")
      assert.strictEqual(reply.json.total, 1)
      const [view] = reply.json.views
      assert.deepStrictEqual(Object.keys(view), ["id", "view_id", "name", "app_id", "is_default", "layout", "private"])
      assert.deepStrictEqual(
        [view.id, view.app_id, view.is_default, view.layout, view.private],
        [view.view_id, app.app_id, true, "table", false]
      )
    })
  )

  it.effect("a created view answers 201 and reads back whole; option texts are reported back as ids", () =>
    Effect.gen(function* () {
      const { create, call, size, kind, owner, xOption, app } = yield* setup
      const filters = [{ field_id: kind, type: "category", match_type: "equal", values: [{ value: "x" }] }]
      const appearance = {
        fields: [{ field_id: size, width: 3 }],
        split_by: { field_id: kind },
        table: { rows: "tall" }
      }
      const creation = yield* create({
        name: "Mine",
        layout: "board",
        sort_by: size,
        sort_desc: true,
        filters,
        ...appearance
      })
      assert.strictEqual(creation.status, 201, creation.text)
      assert.strictEqual(creation.headers.get("x-retry-cost"), "50")
      const { view } = creation.json
      assert.deepStrictEqual(view, {
        id: view.view_id,
        view_id: view.view_id,
        name: "Mine",
        app_id: app.app_id,
        is_default: false,
        layout: "board",
        private: false,
        sort_by: size,
        sort_desc: true,
        filters: [{ ...filters[0], values: [{ value: xOption }] }],
        ...appearance,
        show_progress: null,
        board: null,
        ...{
          columns: [],
          frozen: 1,
          group_by: null,
          board_field_id: null,
          calendar_field_ids: [],
          cover_field_id: null
        },
        created_by: owner.userId
      })
      const read = yield* call("GET", `/v1/view/${view.view_id}`)
      assert.strictEqual(read.headers.get("x-retry-cost"), "20")
      assert.deepStrictEqual(read.json, { view })
      const roundTrip = yield* call("PUT", `/v1/view/${view.view_id}`, view)
      assert.deepStrictEqual([roundTrip.status, roundTrip.json], [200, { view }])
    })
  )

  it.effect("PUT: left out is kept, a value replaces wholesale, null clears, a null name is ignored", () =>
    Effect.gen(function* () {
      const { create, call, size, kind } = yield* setup
      const filters = [filterOn(size), filterOn(size)]
      const { view } = (yield* create({
        name: "Mine",
        layout: "table",
        sort_by: size,
        sort_desc: true,
        filters,
        table: { a: 1, b: 2 },
        split_by: kind
      })).json
      const updateView = (body: object) =>
        Effect.map(call("PUT", `/v1/view/${view.view_id}`, body), (reply) => reply.json.view)
      assert.deepStrictEqual(yield* updateView({}), view)
      assert.deepStrictEqual(yield* updateView({ table: { c: 3 } }), { ...view, table: { c: 3 } })
      assert.deepStrictEqual((yield* updateView({ filters: [filterOn(size)] })).filters, [filterOn(size)])
      const cleared = yield* updateView({
        name: null,
        sort_by: null,
        sort_desc: null,
        filters: null,
        table: null,
        split_by: null
      })
      assert.deepStrictEqual(cleared, {
        ...view,
        sort_by: null,
        sort_desc: false,
        filters: [],
        table: null,
        split_by: null
      })
      const readOnly = { id: 1, view_id: 2, app_id: 3, is_default: true, created_by: 4 }
      assert.deepStrictEqual(yield* updateView(readOnly), cleared)
    })
  )

  it.effect("the most users and the one who looks: what one saves everybody can read, named or not", () =>
    Effect.gen(function* () {
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const app = yield* createApp(owner, workspaceId, [field("single_user", "One"), field("multi_user", "Many")])
      const ann = yield* seedUser(orgId, "admin", "Ann")
      const call = as(owner)
      const [one, many] = app.fields.map((f: any) => f.field_id)
      const named = Array.from({ length: 500 }, (_, n) => ({ value: n === 0 ? owner.userId : 900_000_000 + n }))
      const record = (yield* call("POST", `/v1/record/app/${app.app_id}`, {
        fields: { one: ann.userId, many: [ann.userId] }
      })).json
      for (const [field_id, match_type] of [
        [one, "any"],
        [many, "any"]
      ] as const) {
        const filters = [{ field_id, type: "user", match_type, values: named, include_active_user: true }]
        const creation = yield* call("POST", `/v1/view/app/${app.app_id}`, { name: "All", layout: "list", filters })
        assert.strictEqual(creation.status, 201, creation.text)
        const { view } = creation.json
        for (const [who, found] of [
          [owner, []],
          [ann, [record.record_id]]
        ] as const) {
          const page = yield* as(who)("GET", `/v1/record/view/${view.view_id}`)
          assert.strictEqual(page.status, 200, page.text)
          assert.deepStrictEqual(
            page.json.records.map(({ record_id }: any) => record_id),
            found
          )
          assert.strictEqual((yield* as(who)("PUT", `/v1/view/${view.view_id}`, view)).status, 200)
          const filterAnswer = yield* as(who)("POST", `/v1/record/filter/app/${app.app_id}`, { filters })
          assert.strictEqual(filterAnswer.status, 200, filterAnswer.text)
        }
        const more = [{ ...filters[0], values: [...named, { value: 1 }] }]
        const refusal = yield* call("PUT", `/v1/view/${view.view_id}`, { filters: more })
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
      }
      // Whoever is named alone is not one id together with the one who looks, who may be somebody else.
      const activeUserFilter = [
        { field_id: one, type: "user", match_type: "equal", values: [named[0]], include_active_user: true }
      ]
      const refusal = yield* call("POST", `/v1/view/app/${app.app_id}`, {
        name: "I",
        layout: "list",
        filters: activeUserFilter
      })
      assert.strictEqual(refusal.status, 400, refusal.text)
      assert.include(refusal.json.error_message, "exactly one id")
      // One that an earlier release has taken is still read, by everybody.
      const sql = yield* SqlClient.SqlClient
      const [{ view_id }] = (yield* call("GET", `/v1/app/${app.app_id}/views`)).json.views
      yield* sql`UPDATE views SET filters = ${JSON.stringify(activeUserFilter)}::jsonb WHERE view_id = ${view_id}`
      const page = yield* as(ann)("GET", `/v1/record/view/${view_id}`)
      assert.strictEqual(page.status, 200, page.text)
      assert.strictEqual(page.json.total, 1)
    })
  )

  it.effect("bad bodies are refused with their place and change nothing", () =>
    Effect.gen(function* () {
      const { create, call, size, app } = yield* setup
      const fine = { name: "Mine", layout: "list" }
      const { view } = (yield* create(fine)).json
      const refusedBodies: ReadonlyArray<readonly [object, string, string]> = [
        [{ ...fine, colour: "red" }, "input_validation", "colour"],
        [{ ...fine, layout: "timeline" }, "input_validation", "layout"],
        [{ ...fine, name: "" }, "input_validation", "name"],
        [{ ...fine, name: "x".repeat(201) }, "input_validation", "name"],
        [{ ...fine, sort_by: 999_999_999 }, "validation", "sort_by"],
        [{ ...fine, filters: [filterOn(size), filterOn(999_999_999)] }, "validation", "filters[1].field_id"],
        [{ ...fine, filters: [{ ...filterOn(size), or: 1 }] }, "input_validation", "filters[0].or"],
        [{ ...fine, filters: Array.from({ length: 101 }, () => filterOn(size)) }, "validation", "100"],
        [{ ...fine, table: { text: "\ud800" } }, "validation", "stored"]
      ]
      for (const [body, code, place] of refusedBodies) {
        const refusal = yield* create(body)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, code], refusal.text)
        assert.include(refusal.json.error_message, place)
        const changed = yield* call("PUT", `/v1/view/${view.view_id}`, body)
        assert.deepStrictEqual([changed.status, changed.json.error_code], [400, code], changed.text)
      }
      assert.strictEqual((yield* create({ name: "No layout" })).status, 400)
      const hundred = yield* create({ ...fine, filters: Array.from({ length: 100 }, () => filterOn(size)) })
      assert.strictEqual(hundred.status, 201)
      assert.deepStrictEqual((yield* call("GET", `/v1/view/${view.view_id}`)).json.view, view)
      assert.strictEqual((yield* call("GET", `/v1/app/${app.app_id}/views`)).json.total, 3)
    })
  )

  it.effect("one view is the default: it can be moved, again and again, and not deleted", () =>
    Effect.gen(function* () {
      const { create, call, app } = yield* setup
      const { view } = (yield* create({ name: "Mine", layout: "list" })).json
      const [old] = (yield* call("GET", `/v1/app/${app.app_id}/views`)).json.views
      for (let i = 0; i < 2; i++) {
        const reply = yield* call("POST", `/v1/view/${view.view_id}/default`)
        assert.deepStrictEqual([reply.status, reply.json.view.is_default], [200, true])
      }
      const defaults = (yield* call("GET", `/v1/app/${app.app_id}/views`)).json.views.map((v: any) => v.is_default)
      assert.deepStrictEqual(defaults, [false, true])
      const refusal = yield* call("DELETE", `/v1/view/${view.view_id}`)
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
      const deletion = yield* call("DELETE", `/v1/view/${old.view_id}`)
      assert.deepStrictEqual([deletion.status, deletion.json], [200, { view_id: old.view_id }])
      assert.strictEqual((yield* call("GET", `/v1/view/${old.view_id}`)).status, 404)
    })
  )

  it.effect("an app has at most 2000 views", () =>
    Effect.gen(function* () {
      const { create, app } = yield* setup
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO views (app_id, name, layout, created_on)
        SELECT ${app.app_id}::bigint, 'v' || i, 'list', now() FROM generate_series(1, 1998) i`
      assert.strictEqual((yield* create({ name: "The last", layout: "list" })).status, 201)
      const refusal = yield* create({ name: "One more", layout: "list" })
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
    })
  )

  it.effect("2.3, 2.4: reading needs to see the app, writing workspace admin; scopes apps:read and apps:edit", () =>
    Effect.gen(function* () {
      const { create, orgId, owner, app } = yield* setup
      const { view } = (yield* create({ name: "Mine", layout: "list" })).json
      const path = `/v1/view/${view.view_id}`
      const member = as(yield* seedUser(orgId, "member"))
      assert.strictEqual((yield* member("GET", path)).status, 200)
      for (const reply of [
        yield* member("PUT", path, {}),
        yield* member("POST", `${path}/default`),
        yield* member("DELETE", path),
        yield* member("POST", `/v1/view/app/${app.app_id}`, { name: "x", layout: "list" })
      ]) {
        assert.deepStrictEqual([reply.status, reply.json.error_code], [403, "restricted_resource"])
      }
      const stranger = as((yield* setup).owner)
      assert.strictEqual((yield* stranger("GET", path)).status, 404)
      assert.strictEqual((yield* stranger("DELETE", path)).status, 404)
      assert.strictEqual((yield* stranger("GET", `/v1/record/view/${view.view_id}`)).status, 404)
      const service = yield* App
      const reader = yield* seedToken(owner.userId, ["apps:read"])
      assert.strictEqual((yield* service.call("GET", path, { token: reader })).status, 200)
      assert.strictEqual((yield* service.call("DELETE", path, { token: reader })).status, 403)
      assert.strictEqual((yield* service.call("GET", `/v1/record${path.slice(3)}`, { token: reader })).status, 403)
    })
  )

  it.effect("4.2: a view yields the records that pass its filters in its order, page by page", () =>
    Effect.gen(function* () {
      const { create, call, add, size, kind } = yield* setup
      const [, b, c, d] = yield* add([{ size: 1 }, { size: 2, kind: "x" }, { size: 4, kind: "y" }, { size: 3 }])
      const { view } = (yield* create({
        name: "Big",
        layout: "table",
        sort_by: size,
        sort_desc: true,
        filters: [filterOn(size)]
      })).json
      const path = `/v1/record/view/${view.view_id}`
      const firstPage = yield* call("GET", `${path}?limit=2`)
      assert.strictEqual(firstPage.json.total, 3)
      const second = yield* call("GET", `${path}?limit=2&cursor=${firstPage.json.cursor}`)
      const ids = [...firstPage.json.records, ...second.json.records].map((record: any) => record.record_id)
      assert.deepStrictEqual(ids, [c, d, b])
      yield* call("PUT", `/v1/view/${view.view_id}`, { sort_by: kind })
      const stale = yield* call("GET", `${path}?limit=2&cursor=${firstPage.json.cursor}`)
      assert.deepStrictEqual([stale.status, stale.json.error_code], [400, "validation"])
    })
  )

  it.effect("3.1: filters and sort of a removed field go with it, a removed option matches no record", () =>
    Effect.gen(function* () {
      const { create, call, add, app, name, size, kind, xOption } = yield* setup
      const ids = yield* add([
        { size: 2, kind: "x" },
        { size: 3, kind: "y" }
      ])
      const onKind = { field_id: kind, type: "category", match_type: "any", values: [{ value: "x" }] }
      const { view } = (yield* create({ name: "V", layout: "table", sort_by: size, filters: [filterOn(size), onKind] }))
        .json
      const path = `/v1/record/view/${view.view_id}`
      assert.strictEqual((yield* call("GET", path)).json.total, 1)
      yield* call("PUT", `/v1/app/${app.app_id}`, {
        fields: [{ field_id: kind, config: { label: "Kind", settings: { options_to_delete: [{ id: xOption }] } } }]
      })
      assert.strictEqual((yield* call("GET", path)).json.total, 0)
      yield* call("PUT", `/v1/app/${app.app_id}`, { fields_to_delete: [{ field_id: size }, { field_id: kind }] })
      const remainingView = (yield* call("GET", `/v1/view/${view.view_id}`)).json.view
      assert.deepStrictEqual([remainingView.sort_by, remainingView.filters], [null, []])
      assert.strictEqual((yield* call("GET", path)).json.total, ids.length)
      assert.isAbove(name, 0)
    })
  )
})
