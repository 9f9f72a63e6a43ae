// decisions O14: each request's credential is looked up; where a change holds in its own statement that the credential still is what it was,
// that is the look-up. Every kind of credential, and all that takes rights away.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Credentials } from "../../../src/domain/accounts/Credentials.ts"
import { type SupposedValues, suppose } from "../../../src/domain/accounts/suppositions.ts"
import { compiledOnce } from "../../../src/ground/sql/compiledOnce.ts"
import { Sql } from "../../../src/ground/sql/Sql.ts"
import { App, appLayer, type Person, seedToken, seedUser } from "../../support/app.ts"
import { connect, ORIGIN, registerClient, signedIn } from "../../support/oauth.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const seed = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  const appId = app_id as number
  const resource = { kind: "app", id: appId } as const
  const { resolve } = yield* Credentials
  const looked = (token: string) => resolve(token, { profile: true, resource, supposed: "not yet" })
  const supposed = (token: string) => resolve(token, { profile: true, resource, supposed: "may be" })
  return { appId, looked, orgId, owner, supposed, workspaceId }
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

const holds = Effect.fnUntraced(function* (found: Effect.Success<ReturnType<Credentials["Service"]["resolve"]>>) {
  const sql = yield* Sql
  const { holds: fragment, values } = found!.supposition!
  const rows = yield* compiledOnce<SupposedValues>(sql)(undefined, values, () => sql`${fragment}`)
  return rows.length === 1
})

layer(appLayer(), { excludeTestServices: true })("a caller who is supposed", (it) => {
  it.effect("is whom the credential's look-up found, of every kind, and holds", () =>
    Effect.gen(function* () {
      const { looked, owner, supposed } = yield* seed
      for (const token of yield* tokensOf(owner)) {
        assert.isUndefined((yield* supposed(token))!.supposition, "the first is looked up")
        const found = (yield* looked(token))!
        assert.isUndefined(found.supposition)
        const again = (yield* supposed(token))!
        const { profile, supposition, ...caller } = again
        const { profile: shown, ...known } = found
        assert.deepStrictEqual(caller, known)
        assert.deepStrictEqual([profile!.name, profile!.email], [shown!.name, shown!.email])
        assert.isTrue(supposition!.open())
        assert.isTrue(yield* holds(again))
      }
    })
  )

  it.effect("is nobody for a token that was never found, or not where it leads now", () =>
    Effect.gen(function* () {
      const { looked, owner, supposed, workspaceId } = yield* seed
      assert.isNull(yield* supposed("svc_pat_unknown"))
      assert.isNull(yield* supposed("svc_pat_unknown"))
      yield* looked(owner.key)
      const { resolve } = yield* Credentials
      const elsewhere = yield* resolve(owner.key, {
        profile: true,
        resource: { kind: "workspace", id: workspaceId },
        supposed: "may be"
      })
      assert.isUndefined(elsewhere!.supposition)
      assert.isUndefined((yield* resolve(owner.key, { profile: true }))!.supposition, "who does not ask for it")
    })
  )

  it.effect(
    "does not hold once anything of it is another: credential, user, role, membership, workspace, app, name",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { appId, looked, orgId, supposed, workspaceId } = yield* seed
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
          yield* looked(user.key)
          const found = yield* supposed(user.key)
          assert.isTrue(yield* holds(found), String(change))
          yield* change(user)
          assert.isFalse(yield* holds(found), String(change))
        }
      })
  )

  it.effect("is forgotten with the look-up that finds nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { looked, orgId, supposed } = yield* seed
      const user = yield* seedUser(orgId, "admin")
      yield* looked(user.key)
      yield* sql`UPDATE api_credentials SET revoked_on = now() WHERE user_id = ${user.userId}`
      assert.isDefined((yield* supposed(user.key))!.supposition)
      assert.isNull(yield* looked(user.key))
      assert.isNull(yield* supposed(user.key))
    })
  )

  it.effect(
    "is open until a statement is asked, and again where that has not held; what waits for it is done once it has",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const done: Array<string> = []
        const one = suppose(sql`SELECT 1`, { supposed_hash: "", supposed_resource: 0, supposed_seen: "" })
        one.onceHeld(() => done.push("touched"))
        one.asked()
        assert.isFalse(one.open(), "what becomes of a statement may be unknown")
        one.answered(false)
        assert.deepStrictEqual([one.open(), done], [true, []])
        one.asked()
        one.answered(true)
        assert.deepStrictEqual([one.open(), done], [false, ["touched"]])
      })
  )
})
