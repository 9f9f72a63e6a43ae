// A create by who made one just before is looked up and judged as the first was: developer-api.md 1.5 (the order of refusals), 1.6 (credits),
// 2.3, 4.3; decisions O14 (a revocation holds on the next request).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, type Reply, seedToken, seedUser } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const setting = Effect.gen(function* () {
  const app = yield* App
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const createdApp = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  const appId = createdApp.app_id as number
  const fieldId = createdApp.fields[0].field_id as number
  const create = (token: string, fields: object = { reference: "one" }) =>
    app.call("POST", `/v1/record/app/${appId}`, { token, body: { fields } })
  const numbers = Effect.map(
    sql<{ n: number; by: number }>`
      SELECT app_record_id AS n, (created_by->>'user_id')::int AS by FROM records WHERE app_id = ${appId} ORDER BY 1`,
    (rows) => rows.map(({ n }) => n)
  )
  /** Somebody whose credential this process has just looked up for a create. */
  const seedKnownUser = Effect.gen(function* () {
    const user = yield* seedUser(orgId, "admin")
    const token = yield* seedToken(user.userId, ["records:edit", "records:read"])
    assert.strictEqual((yield* create(token)).status, 200)
    return { ...user, token }
  })
  return { app, appId, create, fieldId, known: seedKnownUser, numbers, orgId, owner, sql }
})

const answer = ({ json, status }: Reply) => [status, json.error_code]
const remainingBudget = ({ headers }: Reply) => Number(headers.get("x-retry-remaining"))

layer(appLayer(), { excludeTestServices: true })("a create by who made one before", (it) => {
  it.effect("is answered as the one before, with the next number, its event and its author", () =>
    Effect.gen(function* () {
      const { appId, create, known, numbers, sql } = yield* setting
      const { token, userId } = yield* known
      const [second, third] = [yield* create(token, { reference: "two" }), yield* create(token, { reference: "three" })]
      assert.deepStrictEqual([second.status, third.status], [200, 200])
      assert.deepStrictEqual([second.json.app_record_id, third.json.app_record_id], [2, 3])
      assert.strictEqual(third.json.created_by.user_id, userId)
      const events = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM outbox WHERE app_id = ${appId} AND type = 'record.create'`
      assert.strictEqual(events[0]!.n, 3)
      assert.deepStrictEqual(yield* numbers, [1, 2, 3])
    })
  )

  it.effect("is refused once the credential is revoked, and makes nothing", () =>
    Effect.gen(function* () {
      const { create, known, numbers, sql } = yield* setting
      const { token, userId } = yield* known
      yield* sql`UPDATE api_credentials SET revoked_on = now() WHERE user_id = ${userId}`
      for (let i = 0; i < 2; i++)
        assert.deepStrictEqual(answer(yield* create(token)), [401, "dev_api_invalid_access_token"])
      // Whatever else is wrong with it.
      assert.deepStrictEqual(answer(yield* create(token, { no_such_field: 1 })), [401, "dev_api_invalid_access_token"])
      assert.deepStrictEqual(yield* numbers, [1])
    })
  )

  it.effect("is refused once the right is gone: the scope, the role, the workspace, the app", () =>
    Effect.gen(function* () {
      const { appId, create, known, numbers, sql } = yield* setting
      const scoped = yield* known
      yield* sql`UPDATE api_credentials SET scopes = '{records:read}' WHERE user_id = ${scoped.userId}`
      assert.deepStrictEqual(answer(yield* create(scoped.token)), [403, "forbidden"])
      const member = yield* known
      yield* sql`UPDATE users SET role = 'member' WHERE user_id = ${member.userId}`
      yield* sql`UPDATE workspaces w SET type = 'private' FROM apps a WHERE a.workspace_id = w.workspace_id AND app_id = ${appId}`
      assert.deepStrictEqual(answer(yield* create(member.token)), [404, "not_found"])
      assert.deepStrictEqual(yield* numbers, [1, 2])
    })
  )

  it.effect("is judged by the app as it is", () =>
    Effect.gen(function* () {
      const { app, appId, create, known, numbers, owner } = yield* setting
      const { token } = yield* known
      const required = { field_type: "number", config: { label: "Weight", required: true } }
      const changed = yield* app.call("PUT", `/v1/app/${appId}`, {
        token: owner.key,
        body: { fields: [required] }
      })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.deepStrictEqual(answer(yield* create(token)), [400, "validation"])
      assert.strictEqual((yield* create(token, { weight: 5 })).status, 200)
      assert.deepStrictEqual(yield* numbers, [1, 2])
    })
  )

  it.effect("that is wrong is refused as ever, and costs what one costs", () =>
    Effect.gen(function* () {
      const { create, known, numbers } = yield* setting
      const { token } = yield* known
      const good = yield* create(token)
      const wrong = [yield* create(token, { reference: 5 }), yield* create(token, { reference: 5 })]
      assert.deepStrictEqual(wrong.map(answer), [
        [400, "validation"],
        [400, "validation"]
      ])
      const cost = remainingBudget(good) - remainingBudget(wrong[0]!)
      assert.isAbove(cost, 0)
      assert.strictEqual(remainingBudget(wrong[0]!) - remainingBudget(wrong[1]!), cost)
      assert.deepStrictEqual(yield* numbers, [1, 2])
    })
  )

  it.effect("beside others by the same credential is made once, as theirs are", () =>
    Effect.gen(function* () {
      const { create, known, numbers } = yield* setting
      const { token } = yield* known
      const replies = yield* Effect.all(
        Array.from({ length: 12 }, (_, i) => create(token, { reference: `${i}` })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      assert.strictEqual(new Set(replies.map(({ json }) => json.record_id)).size, 12)
      assert.strictEqual((yield* numbers).length, 13)
    })
  )

  it.effect("whose statement fails is not sent again: nobody knows what became of it", () =>
    Effect.gen(function* () {
      const { create, known, numbers, sql } = yield* setting
      const { token } = yield* known
      yield* ddl(
        "CREATE SEQUENCE tries",
        `CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM nextval('tries'); RAISE EXCEPTION 'refused'; END $$`,
        `CREATE TRIGGER refuse_it BEFORE INSERT ON records FOR EACH ROW WHEN (NEW.title = 'refused') EXECUTE FUNCTION refuse_it()`
      )
      assert.strictEqual((yield* create(token, { reference: "refused" })).status, 500)
      const [tries] = yield* sql<{ n: number }>`SELECT last_value::int AS n FROM tries`
      assert.strictEqual(tries!.n, 1)
      assert.deepStrictEqual(yield* numbers, [1])
    })
  )
})
