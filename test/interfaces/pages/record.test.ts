// developer-api.md 4.1: `record_url` leads a person who may see the record to its page in the console.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { hiddenIn, signedIn } from "../../support/oauth.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"
import { browser } from "./support.ts"

const scene = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  const call = as(owner)
  const createReply = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { reference: "Timber" } })
  return { orgId, owner, workspaceId, call, id: createReply.json.record_id as number }
})

layer(appLayer(), { excludeTestServices: true })("4.1: the record page", (it) => {
  it.effect("4.1: the address of a record leads to its page in the console, in the trash too", () =>
    Effect.gen(function* () {
      const { owner, call, id } = yield* scene
      const b = browser(yield* signedIn(owner.personId))
      const target = Effect.map(b.get(`/record/${id}`), ({ headers, status }) => [status, headers.get("location")])
      assert.deepStrictEqual(yield* target, [303, `/console/records/${id}`])
      yield* call("DELETE", `/v1/record/${id}`)
      assert.deepStrictEqual(yield* target, [303, `/console/records/${id}`])
      yield* call("DELETE", `/v1/record/${id}?skip_trash=true`)
      assert.strictEqual((yield* b.get(`/record/${id}`)).status, 404)
    })
  )

  it.effect("4.1: who is not signed in signs in first and comes back", () =>
    Effect.gen(function* () {
      const { id } = yield* scene
      const redirect = yield* browser().get(`/record/${id}`)
      assert.strictEqual(redirect.headers.get("location"), `/sign-in?next=${encodeURIComponent(`/record/${id}`)}`)
    })
  )

  it.effect("1.2, 2.3: who may not see it gets the same page as for a record that does not exist", () =>
    Effect.gen(function* () {
      const { orgId, owner, workspaceId, id } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const stranger = yield* seedOrganization()
      const guest = yield* seedUser(orgId, "guest")
      const member = yield* seedUser(orgId, "member")
      const getAs = (personId: number, path: string) =>
        Effect.flatMap(signedIn(personId), (cookie) => browser(cookie).get(path))
      assert.strictEqual((yield* getAs(member.personId, `/record/${id}`)).status, 303)
      yield* sql`UPDATE workspaces SET type = 'closed' WHERE workspace_id = ${workspaceId}`
      for (const person of [stranger.owner, guest, member]) {
        const page = yield* getAs(person.personId, `/record/${id}`)
        assert.strictEqual(page.status, 404)
        assert.include(page.text, "No such record")
        assert.notInclude(page.text, "Timber")
      }
      for (const path of ["/record/999999999", "/record/0", "/record/x", "/record/99999999999999999999"])
        assert.strictEqual((yield* getAs(owner.personId, path)).status, 404, path)
    })
  )

  it.effect("O12: in several organizations the user of the record's organization counts, whatever was chosen", () =>
    Effect.gen(function* () {
      const { orgId, id } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const home = yield* seedOrganization("Home")
      yield* sql`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${orgId}, ${home.owner.personId}, 'Same', 'member', 'active', now())`
      const b = browser(yield* signedIn(home.owner.personId))
      yield* b.submit("/organization", { user_id: String(home.owner.userId) })
      const question = yield* b.get(`/record/${id}`)
      assert.strictEqual(question.status, 200)
      assert.include(question.text, "You are working in <bdi>Home</bdi>")
      assert.notInclude(question.text, "Timber")
      assert.match((yield* b.get("/")).text, /in <strong><bdi>Home<\/bdi>/)
      const csrf = hiddenIn(question.text, "csrf")
      const user_id = hiddenIn(question.text, "user_id")
      const opened = yield* b.post("/organization", { csrf, user_id, next: hiddenIn(question.text, "next") })
      assert.strictEqual(opened.headers.get("location"), `/console/records/${id}`)
      assert.strictEqual((yield* b.get(`/record/${id}`)).status, 303)
    })
  )
})
