// developer-api.md 7.13, decisions A20: revisions compared over HTTP and brought back by a save.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedToken, seedUser } from "../../../support/app.ts"
import { create, seedApp } from "../support.ts"

const trigger = { type: "record_created", config: {} }
const delay = (id: string, delay_ms: number) => ({ id, type: "delay", config: { delay_ms } })

/** An automation with two revisions, and an admin beside its owner. */
const twoRevisions = Effect.gen(function* () {
  const app = yield* App
  const seeded = yield* seedApp()
  const creation = yield* create(seeded.token, seeded.appId, { trigger, actions: [delay("a", 1000), delay("b", 1000)] })
  const path = `/v1/automation/${creation.json.automation.id}`
  const body = { name: "Other", trigger: null, actions: [delay("b", 1000), delay("a", 2000)] }
  yield* app.call("PUT", path, { token: seeded.token, body })
  const { revisions } = (yield* app.call("GET", `${path}/revision`, { token: seeded.token })).json
  const [newer, older] = revisions.map(({ id }: { id: string }) => id)
  const other = yield* seedUser(seeded.orgId, "admin")
  return { ...seeded, made: creation.json.automation, path, newer, older, other, revisions }
})

layer(appLayer(), { excludeTestServices: true })("developer-api.md 7.13: revisions", (it) => {
  it.effect("the difference of two revisions over HTTP, of an automation that the caller administers", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { newer, older, orgId, path, token } = yield* twoRevisions
      const diff = (from: string, to: string, as = token) =>
        app.call("GET", `${path}/revision/${from}/diff/${to}`, { token: as })
      const forwardDiff = yield* diff(older, newer)
      assert.deepStrictEqual(forwardDiff.json, {
        differences: [
          { path: "name", kind: "changed", before: "Close", after: "Other" },
          { path: "trigger", kind: "changed", before: trigger, after: null },
          { path: "actions[0]", kind: "moved", action_id: "b", before: "actions[1]", after: "actions[0]" },
          { path: "actions[1].config.delay_ms", kind: "changed", action_id: "a", before: 1000, after: 2000 }
        ]
      })
      const reverseDiff = yield* diff(newer, older)
      assert.strictEqual(reverseDiff.json.differences.length, 4)
      assert.deepStrictEqual((yield* diff(newer, newer)).json, { differences: [] })
      assert.strictEqual((yield* diff(older, "0")).status, 404)
      assert.strictEqual((yield* diff("x", newer)).status, 404)
      const stranger = yield* create(token, (yield* seedApp()).appId)
      assert.strictEqual(stranger.status, 404)
      const member = yield* seedUser(orgId, "member")
      assert.strictEqual((yield* diff(older, newer, member.key)).status, 404)
    })
  )

  it.effect(
    "restoring saves the revision anew: who restores becomes the owner, If-Match holds, what can no longer be written is refused",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { appId, made, newer, older, other, path, revisions } = yield* twoRevisions
        const restore = (id: string, more: object = {}) =>
          app.call("POST", `${path}/revision/${id}/restore`, { token: other.key, ...more })
        const stale = yield* restore(older, { headers: { "if-match": '"1"' } })
        assert.strictEqual(stale.status, 409)
        const restored = yield* restore(older, { headers: { "if-match": '"2"' } })
        assert.strictEqual(restored.status, 200, restored.text)
        const { name, trigger: on, filter, actions, version, owner_id } = restored.json.automation
        assert.deepStrictEqual(
          { name, trigger: on, filter, actions },
          { name: made.name, trigger: made.trigger, filter: made.filter, actions: made.actions }
        )
        assert.deepStrictEqual([version, owner_id], [3, other.userId])
        const allRevisions = (yield* app.call("GET", `${path}/revision`, { token: other.key })).json.revisions
        assert.deepStrictEqual(
          allRevisions.slice(1).map(({ id }: { id: string }) => id),
          revisions.map(({ id }: { id: string }) => id)
        )
        const [saved] = yield* sql<{ author_id: number }>`
          SELECT author_id FROM automation_revisions WHERE revision_id = ${allRevisions[0].id}::bigint`
        assert.strictEqual(saved!.author_id, other.userId)
        assert.strictEqual((yield* restore("0")).status, 404)
        const reads = yield* seedToken(other.userId, ["automations:read"], { appIds: [appId] })
        assert.strictEqual((yield* restore(older, { token: reads })).status, 403)
        // A condition on a change reads, but cannot be written (service.md 2.7 write rule 7).
        const subject = { kind: "variable", source: "field", field_id: 1, field_type: "number" }
        yield* sql`UPDATE automation_revisions SET filter = ${JSON.stringify({
          operator: "and",
          rows: [{ id: "x", subject }]
        })}::jsonb WHERE revision_id = ${newer}::bigint`
        const refusal = yield* restore(newer)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
        assert.match(refusal.json.error_message, /filter\.rows\[0\]/)
        assert.strictEqual((yield* app.call("GET", path, { token: other.key })).json.automation.version, 3)
      })
  )
})
