// developer-api.md 2.2 and 2.3: workspaces, their types, members and who may do what.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"

const types = ["default", "open", "closed", "private"] as const

layer(appLayer(), { excludeTestServices: true })("developer-api.md 2.2: workspaces", (it) => {
  const create = (token: string, type: string, name: string = type) =>
    Effect.gen(function* () {
      const app = yield* App
      return yield* app.call("POST", "/v1/workspace", { token, body: { name, type } })
    })

  it.effect("2.2: each type is visible to whom it should be", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const maker = yield* seedUser(orgId, "member")
      const member = yield* seedUser(orgId, "member")
      const guest = yield* seedUser(orgId, "guest")
      for (const type of types) assert.strictEqual((yield* create(maker.key, type)).status, 200)
      const visibleTypes = (token: string) =>
        Effect.map(app.call("GET", "/v1/workspace/org", { token }), (r) => r.json.workspaces.map((w: any) => w.type))
      assert.deepStrictEqual(yield* visibleTypes(maker.key), [...types])
      assert.deepStrictEqual(yield* visibleTypes(member.key), ["default", "open", "closed"])
      assert.deepStrictEqual(yield* visibleTypes(owner.key), ["default", "open", "closed"])
      assert.deepStrictEqual(yield* visibleTypes(guest.key), [])
    })
  )

  it.effect("2.2: PUT keeps what is omitted, the slug follows the name, the type cannot change", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const createdWorkspace = (yield* create(owner.key, "closed", "Sea Freight")).json
      assert.strictEqual(createdWorkspace.slug, "sea-freight")
      const path = `/v1/workspace/${createdWorkspace.workspace_id}`
      yield* app.call("PUT", path, { token: owner.key, body: { description: "Ships" } })
      const renamed = yield* app.call("PUT", path, { token: owner.key, body: { name: "Air Freight", type: "closed" } })
      assert.deepInclude(renamed.json, {
        name: "Air Freight",
        slug: "air-freight",
        description: "Ships",
        type: "closed"
      })
      const changed = yield* app.call("PUT", path, { token: owner.key, body: { type: "open" } })
      assert.strictEqual(changed.json.error_code, "validation")
      assert.include(changed.json.error_message, "type")
    })
  )

  it.effect("2.2: a non-guest adds itself to an open workspace as member, and to no other", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const join = (id: number, role: string) =>
        app.call("POST", `/v1/workspace/${id}/member`, { token: member.key, body: { user_id: member.userId, role } })
      const openId = (yield* create(owner.key, "open")).json.workspace_id
      const closed = (yield* create(owner.key, "closed")).json.workspace_id
      assert.strictEqual((yield* join(openId, "admin")).json.error_code, "restricted_resource")
      assert.deepStrictEqual((yield* join(openId, "member")).json, {
        workspace_id: openId,
        user_id: member.userId,
        role: "member"
      })
      assert.strictEqual((yield* join(closed, "member")).status, 403)
      const departure = yield* app.call("DELETE", `/v1/workspace/${openId}/member/${member.userId}`, {
        token: member.key
      })
      assert.strictEqual(departure.json.role, "member")
    })
  )

  it.effect("2.3: settings and members need workspace admin; deleting needs it too", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const { workspace_id } = (yield* create(owner.key, "default")).json
      const path = `/v1/workspace/${workspace_id}`
      for (const [method, body] of [
        ["PUT", { name: "X" }],
        ["DELETE", undefined]
      ] as const) {
        const reply = yield* app.call(
          method,
          path,
          body === undefined ? { token: member.key } : { token: member.key, body }
        )
        assert.strictEqual(reply.json.error_code, "restricted_resource", method)
      }
      assert.strictEqual((yield* app.call("DELETE", path, { token: owner.key })).json.workspace_id, workspace_id)
      assert.strictEqual((yield* app.call("GET", path, { token: owner.key })).status, 404)
    })
  )

  it.effect("2.2, 2.3: who may read a closed workspace's name alone sees neither its description nor its members", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const [outsider, guest] = [yield* seedUser(orgId, "member"), yield* seedUser(orgId, "member")]
      const { workspace_id } = (yield* create(owner.key, "closed", "Sea Freight")).json
      const path = `/v1/workspace/${workspace_id}`
      yield* app.call("PUT", path, { token: owner.key, body: { description: "Ships" } })
      const readViews = Effect.fnUntraced(function* ({ key }: { readonly key: string }) {
        const [one, list, members] = yield* Effect.forEach([path, "/v1/workspace/org", `${path}/member`], (at) =>
          app.call("GET", at, { token: key })
        )
        const listedWorkspace = list!.json.workspaces.find((workspace: any) => workspace.workspace_id === workspace_id)
        assert.deepStrictEqual([one!.json.name, listedWorkspace.name], ["Sea Freight", "Sea Freight"])
        return [one!.json.description, listedWorkspace.description, members!.status, members!.json.error_code]
      })
      const member = { user_id: guest.userId, role: "guest" }
      yield* app.call("POST", `${path}/member`, { token: owner.key, body: member })
      for (const who of [outsider, guest])
        assert.deepStrictEqual(yield* readViews(who), [null, null, 403, "restricted_resource"])
      assert.deepStrictEqual(yield* readViews(owner), ["Ships", "Ships", 200, undefined])
    })
  )

  it.effect("1.7: a token for selected content reaches its workspaces only and creates none", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const inside = (yield* create(owner.key, "closed", "In")).json.workspace_id
      const outside = (yield* create(owner.key, "closed", "Out")).json.workspace_id
      const token = yield* seedToken(owner.userId, ["workspaces:read", "workspaces:edit"], { workspaceIds: [inside] })
      const list = yield* app.call("GET", "/v1/workspace/org", { token })
      assert.deepStrictEqual(
        list.json.workspaces.map((w: any) => w.workspace_id),
        [inside]
      )
      assert.strictEqual((yield* app.call("GET", `/v1/workspace/${outside}`, { token })).status, 404)
      assert.strictEqual((yield* create(token, "closed")).json.error_code, "restricted_resource")
    })
  )
})
