// /docs/mine.json: ids for the examples of who is signed in, by the session alone; a token of the API is none.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { seedApp } from "../../domain/automations/support.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { signedIn } from "../../support/oauth.ts"

layer(appLayer(), { excludeTestServices: true })("ids of the reader's own in /docs", (it) => {
  it.effect("are those of an app that the person reaches, and nobody keeps them", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, owner, workspaceId } = yield* seedApp()
      const cookie = yield* signedIn(owner.personId)
      const reply = yield* app.call("GET", "/docs/mine.json", { headers: { cookie } })
      assert.deepStrictEqual(reply.json, { user_id: owner.userId, app_id: appId, workspace_id: workspaceId })
      assert.strictEqual(reply.headers.get("cache-control"), "no-store")

      const { owner: newcomer } = yield* seedOrganization()
      const without = yield* app.call("GET", "/docs/mine.json", {
        headers: { cookie: yield* signedIn(newcomer.personId) }
      })
      assert.deepStrictEqual(without.json, { user_id: newcomer.userId })
      assert.deepStrictEqual((yield* app.call("GET", "/docs/mine.json", { token: owner.key })).json, {})
    })
  )
})
