// decisions O14: each request's credential is looked up, whoever it was just before. Every kind of credential, and all that takes rights away.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CredentialLookup } from "../../../src/domain/accounts/CredentialLookup.ts"
import { App, appLayer, type Person, seedToken, seedUser } from "../../support/app.ts"
import { connect, ORIGIN, registerClient, signedIn } from "../../support/oauth.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const seed = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  const appId = app_id as number
  const { resolve } = yield* CredentialLookup
  const resolveToken = (token: string) => resolve(token, { profile: true, resource: { kind: "app", id: appId } })
  return { appId, looked: resolveToken, orgId, owner, workspaceId }
})

const tokensOf = Effect.fnUntraced(function* (person: Person) {
  const app = yield* App
  const cookie = yield* signedIn(person.personId)
  const page = yield* app.call("POST", "/console/token", { headers: { cookie, origin: ORIGIN } })
  return [
    person.key,
    yield* seedToken(person.userId, ["records:edit"]),
    (yield* connect(person, yield* registerClient())).access_token as string,
    page.json.access_token as string
  ]
})

layer(appLayer(), { excludeTestServices: true })("a credential that was found just now", (it) => {
  it.effect("is found again as it was, of every kind", () =>
    Effect.gen(function* () {
      const { looked, owner } = yield* seed
      for (const token of yield* tokensOf(owner)) {
        const firstResolution = yield* looked(token)
        assert.strictEqual(firstResolution!.userId, owner.userId)
        assert.deepStrictEqual(yield* looked(token), firstResolution)
      }
    })
  )

  it.effect("names nobody once its user is shut out, of every kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { looked, orgId } = yield* seed
      const user = yield* seedUser(orgId, "admin")
      const tokens = yield* tokensOf(user)
      for (const token of tokens) assert.isNotNull(yield* looked(token))
      yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${user.userId}`
      for (const token of tokens) assert.isNull(yield* looked(token))
    })
  )

  it.effect("is as it is now: credential, user, role, membership, workspace, app, name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, looked, orgId, workspaceId } = yield* seed
      const changes = [
        (user: Person) => sql`UPDATE api_credentials SET revoked_on = now() WHERE user_id = ${user.userId}`,
        (user: Person) => sql`UPDATE api_credentials SET scopes = '{records:read}' WHERE user_id = ${user.userId}`,
        (user: Person) =>
          sql`UPDATE api_credentials SET content_selection = 'selected', app_ids = '{1}' WHERE user_id = ${user.userId}`,
        (user: Person) => sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${user.userId}`,
        (user: Person) => sql`UPDATE users SET role = 'member' WHERE user_id = ${user.userId}`,
        (user: Person) => sql`UPDATE users SET name = 'Another name' WHERE user_id = ${user.userId}`,
        (user: Person) => sql`
          INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${user.userId}, 'guest')`,
        () => sql`UPDATE apps SET version = version + 1 WHERE app_id = ${appId}`,
        () => sql`UPDATE workspaces SET type = 'private' WHERE workspace_id = ${workspaceId}`
      ]
      for (const change of changes) {
        const user = yield* seedUser(orgId, "admin")
        const token = yield* seedToken(user.userId, ["records:edit"])
        const firstResolution = yield* looked(token)
        assert.isNotNull(firstResolution)
        yield* change(user)
        assert.notDeepEqual(yield* looked(token), firstResolution, String(change))
      }
    })
  )
})
