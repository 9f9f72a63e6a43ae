// developer-api.md 1.3, 1.4: who calls, and what they may, holds for what is done, also where the body has taken its time.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { App, appLayer, type Person, seedOrganization, seedUser } from "../../support/app.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"
import { sentSlowly } from "../../support/slowBody.ts"

const slowly = <E, R>(
  by: Person,
  [method, path]: readonly [method: string, path: string],
  body: object,
  change: Effect.Effect<unknown, E, R>
) => {
  const headers = { authorization: `Bearer ${by.key}`, "content-type": "application/json" }
  const text = JSON.stringify(body)
  const meanwhile = Effect.andThen(change, TestClock.adjust("2 seconds"))
  return sentSlowly(path, { method, headers }, [text.slice(0, 1), text.slice(1)], meanwhile)
}

const setMode = ["PUT", "/v1/app-policy"] as const
const unapproved = { mode: "approved" }

layer(appLayer())("a body that comes late", (it) => {
  it.effect("does nothing with a key that was revoked meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { owner } = yield* seedOrganization()
      const revoked = sql`UPDATE api_credentials SET revoked_on = now() WHERE user_id = ${owner.userId}`
      assert.strictEqual((yield* slowly(owner, setMode, unapproved, revoked)).status, 401)
    })
  )

  it.effect("does nothing that a lost role had allowed", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { orgId } = yield* seedOrganization()
      const admin = yield* seedUser(orgId, "admin")
      const demoted = sql`UPDATE users SET role = 'member' WHERE user_id = ${admin.userId}`
      assert.strictEqual((yield* slowly(admin, setMode, unapproved, demoted)).status, 403)
    })
  )

  it.effect("creates no record in an app that is out of reach by then", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Name")])
      yield* sql`UPDATE workspaces SET type = 'private' WHERE workspace_id = ${workspaceId}`
      const member = yield* seedUser(orgId, "member")
      yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${member.userId}, 'member')`
      const removeMember = sql`DELETE FROM workspace_members WHERE user_id = ${member.userId}`
      const create = ["POST", `/v1/record/app/${app_id}`] as const
      const answer = yield* slowly(member, create, { fields: { name: "late" } }, removeMember)
      assert.include([403, 404], answer.status)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM records WHERE app_id = ${app_id}`, [])
    })
  )

  it.effect("is taken from who still may, and paid for once", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const replyBefore = yield* app.call("GET", "/v1/user", { token: owner.key })
      const answer = yield* slowly(owner, setMode, unapproved, Effect.void)
      assert.strictEqual(answer.status, 200)
      const remainingBudget = (headers: Headers) => Number(headers.get("x-retry-remaining"))
      const replyAfter = yield* app.call("GET", "/v1/user", { token: owner.key })
      assert.isAbove(remainingBudget(replyBefore.headers), remainingBudget(answer.headers))
      assert.strictEqual(
        remainingBudget(replyBefore.headers) - remainingBudget(answer.headers),
        remainingBudget(answer.headers) - remainingBudget(replyAfter.headers)
      )
    })
  )
})
