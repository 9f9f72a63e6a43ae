// The endpoint itself: who may call, what is refused and how (service.md 4.2, 5, 7.2; issue of the MCP transport rules).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, seedOrganization, seedToken } from "../support/app.ts"
import { callTool, post, rpc } from "./support.ts"

layer(appLayer(), { excludeTestServices: true })("the MCP endpoint", (it) => {
  it.effect("lists its tools and calls one (service.md 1)", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const listed = yield* rpc("tools/list", {}, { token: owner.key })
      assert.strictEqual(listed.status, 200, listed.text)
      const me = yield* callTool(owner.key, "who_am_i")
      assert.strictEqual((me.structuredContent as any).user_id, owner.userId, JSON.stringify(me))
      const apps = yield* callTool(owner.key, "list_apps")
      assert.deepStrictEqual(apps.structuredContent, { total: 0, apps: [] })
    })
  )
})
