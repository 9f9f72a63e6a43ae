// developer-api.md 11.6: a private view exists for its maker alone.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.6: private views", (it) => {
  const setup = Effect.gen(function* () {
    const seed = yield* seedWorkspace
    const app = yield* createApp(seed.owner, seed.workspaceId, [field("single_text", "Name")])
    const ann = yield* seedUser(seed.orgId, "admin", "Ann")
    const appId: number = app.app_id
    const create = (user: typeof ann, body: object = {}) =>
      as(user)("POST", `/v1/view/app/${appId}`, { name: "Mine", layout: "table", private: true, ...body })
    const namesFor = (user: typeof ann) =>
      Effect.map(as(user)("GET", `/v1/app/${appId}/views`), ({ json }) => json.views.map(({ name }: any) => name))
    return { ...seed, ann, appId, create, namesFor, nameField: app.fields[0].field_id as number }
  })

  it.effect("is read, listed, changed and used by its maker; for all others, owners too, there is none", () =>
    Effect.gen(function* () {
      const { ann, create, namesFor, nameField, owner } = yield* setup
      const creation = yield* create(ann, { sort_by: nameField })
      assert.strictEqual(creation.status, 201, creation.text)
      const { view_id } = creation.json.view
      assert.deepInclude(creation.json.view, { private: true, created_by: ann.userId })
      const askAsAnn = as(ann)
      const other = as(owner)
      for (const path of [`/v1/view/${view_id}`, `/v1/record/view/${view_id}`]) {
        assert.strictEqual((yield* askAsAnn("GET", path)).status, 200)
        const refusal = yield* other("GET", path)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [404, "not_found"])
      }
      for (const refusal of [
        yield* other("PUT", `/v1/view/${view_id}`, { name: "Ours" }),
        yield* other("POST", `/v1/view/${view_id}/default`),
        yield* other("DELETE", `/v1/view/${view_id}`)
      ])
        assert.strictEqual(refusal.status, 404, refusal.text)
      assert.include(yield* namesFor(ann), "Mine")
      assert.notInclude(yield* namesFor(owner), "Mine")
      const usage = (user: typeof ann) =>
        Effect.map(as(user)("GET", `/v1/field/${nameField}/usage`), ({ json }) => [json.views.length, json.other_views])
      assert.deepStrictEqual(
        [yield* usage(ann), yield* usage(owner)],
        [
          [1, 0],
          [0, 1]
        ]
      )
      const shared = yield* askAsAnn("PUT", `/v1/view/${view_id}`, { private: false })
      assert.strictEqual(shared.json.view.private, false)
      assert.include(yield* namesFor(owner), "Mine")
      assert.strictEqual((yield* askAsAnn("PUT", `/v1/view/${view_id}`, { private: true })).json.view.private, true)
      assert.strictEqual((yield* askAsAnn("DELETE", `/v1/view/${view_id}`)).status, 200)
    })
  )

  it.effect("its maker deletes it as a member too, and nothing else: other views need level 4", () =>
    Effect.gen(function* () {
      const { ann, appId, create, owner } = yield* setup
      const sql = yield* SqlClient.SqlClient
      const { view_id } = (yield* create(ann)).json.view
      const shared = (yield* create(ann, { private: false })).json.view.view_id
      yield* sql`UPDATE users SET role = 'member' WHERE user_id = ${ann.userId}`
      const askAsAnn = as(ann)
      for (const refusal of [
        yield* askAsAnn("DELETE", `/v1/view/${shared}`),
        yield* askAsAnn("PUT", `/v1/view/${view_id}`, { name: "Other" }),
        yield* askAsAnn("PUT", `/v1/view/${view_id}`, { private: false })
      ])
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [403, "restricted_resource"], refusal.text)
      assert.strictEqual((yield* as(owner)("DELETE", `/v1/view/${view_id}`)).status, 404)
      assert.strictEqual((yield* askAsAnn("DELETE", `/v1/view/${view_id}`)).status, 200)
      assert.strictEqual((yield* as(owner)("GET", `/v1/view/${shared}`)).status, 200)
      assert.strictEqual((yield* askAsAnn("GET", `/v1/app/${appId}/views`)).json.total, 2)
    })
  )

  it.effect("only its maker makes a view private, never the default or one that a relation offers", () =>
    Effect.gen(function* () {
      const { ann, appId, create, owner, workspaceId } = yield* setup
      const askAsAnn = as(ann)
      const { view_id } = (yield* create(ann, { private: false })).json.view
      const refusedBy = (user: typeof ann, why: string) =>
        Effect.map(as(user)("PUT", `/v1/view/${view_id}`, { private: true }), (refusal) => {
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"], refusal.text)
          assert.include(refusal.json.error_message, why)
        })
      yield* refusedBy(owner, "only its maker")
      const [first] = (yield* askAsAnn("GET", `/v1/app/${appId}/views`)).json.views
      yield* askAsAnn("POST", `/v1/view/${view_id}/default`)
      yield* refusedBy(ann, "default view")
      yield* askAsAnn("POST", `/v1/view/${first.view_id}/default`)
      const offerRelation = (view: number) =>
        createAppWith(
          owner,
          workspaceId,
          field("single_relation", "To", { referenced_apps: [{ app_id: appId, view_id: view }] })
        )
      assert.strictEqual((yield* offerRelation(view_id)).status, 200)
      yield* refusedBy(ann, "relation field")
      const privateViewId = (yield* create(ann)).json.view.view_id
      const promotion = yield* askAsAnn("POST", `/v1/view/${privateViewId}/default`)
      assert.deepStrictEqual([promotion.status, promotion.json.error_code], [400, "validation"])
      const refusal = yield* offerRelation(privateViewId)
      assert.strictEqual(refusal.status, 400, refusal.text)
      assert.include(refusal.json.error_message, `has no view ${privateViewId}`)
    })
  )

  it.effect("ends as its maker is removed from the organization; views for everybody stay", () =>
    Effect.gen(function* () {
      const { ann, appId, create, namesFor, owner } = yield* setup
      yield* create(ann)
      yield* create(ann, { name: "Ours", private: false })
      const views = Effect.map(as(owner)("GET", `/v1/app/${appId}/usage`), ({ json }) => json.views)
      assert.strictEqual(yield* views, 3)
      assert.strictEqual((yield* as(owner)("DELETE", `/v1/org/user/${ann.userId}`)).status, 200)
      assert.strictEqual(yield* views, 2)
      assert.include(yield* namesFor(owner), "Ours")
    })
  )

  const createAppWith = (user: any, workspace_id: number, relation: object) =>
    as(user)("POST", "/v1/app", { workspace_id, name: "Other", fields: [relation] })
})
