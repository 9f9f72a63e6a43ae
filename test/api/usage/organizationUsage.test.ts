// docs/decisions.md, "The console": what an organization uses of its shares. developer-api.md 2.3, 7.11 rule 5; decisions P2.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { formatDateTime } from "../../../src/platform/primitives/dates.ts"
import { appLayer, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const HOUR = 3_600_000

layer(appLayer({ CREDITS_PER_HOUR: "500", MAIL_PER_DAY: "40", STORAGE_QUOTA_MEGABYTES: "7" }), {
  excludeTestServices: true
})("GET /v1/org/usage", (it) => {
  it.effect("tells what is used beside the limits that hold, and how much there is of everything", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const by = as(owner)
      const { json: empty } = yield* by("GET", "/v1/org/usage")
      assert.deepStrictEqual(
        { ...empty, actions: { ...empty.actions, hours: empty.actions.hours.length } },
        {
          actions: { used: 0, limit: 500, hours: 24 },
          mails: { used: 0, limit: 40 },
          storage: { used_bytes: 0, limit_bytes: 7_000_000 },
          users: empty.users,
          apps: 0,
          records: 0,
          automations: 0,
          hooks: 0
        }
      )

      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
      for (const title of ["Rope", "Tar", "Oil"]) yield* by("POST", `/v1/record/app/${app_id}`, { fields: { title } })
      const { records } = (yield* by("GET", `/v1/record/app/${app_id}`)).json
      yield* by("DELETE", `/v1/record/${records[0].record_id}`)
      const { app_id: unlisted } = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
      yield* by("POST", `/v1/record/app/${unlisted}`, { fields: { title: "Sail" } })
      yield* by("POST", `/v1/automation/app/${app_id}`, {
        name: "Tells the pier",
        trigger: { type: "record_created", config: {} },
        actions: []
      })
      yield* by("POST", `/v1/hook/app/${app_id}`, { type: "record.create", url: "https://example.com/hook" })
      const hour = Math.floor(Date.now() / HOUR) * HOUR
      for (const [at, used] of [
        [hour, 12],
        // The next one may begin before the question is asked.
        [hour + HOUR, 12],
        [hour - 3 * HOUR, 7],
        [hour - 30 * HOUR, 99]
      ] as const)
        yield* sql`INSERT INTO run_credits (org_id, hour, used) VALUES (${orgId}, ${new Date(at)}, ${used})`
      yield* sql`INSERT INTO organization_storage (org_id, bytes) VALUES (${orgId}, 1234)`
      yield* sql`UPDATE organizations SET limits = '{"credits_per_hour":50,"storage_megabytes":2}' WHERE org_id = ${orgId}`
      const deactivatedUser = yield* seedUser(orgId, "member")
      yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${deactivatedUser.userId}`
      const removedUser = yield* seedUser(orgId, "member")
      yield* by("DELETE", `/v1/org/user/${removedUser.userId}`)

      const { json } = yield* by("GET", "/v1/org/usage")
      const { actions, apps, automations, hooks, mails, storage, users } = json
      assert.deepStrictEqual([actions.used, actions.limit], [12, 50])
      const spent = actions.hours.filter(({ used }: any) => used > 0)
      assert.deepStrictEqual(spent.map(({ from, used }: any) => [from, used]).slice(0, 2), [
        [formatDateTime(new Date(hour - 3 * HOUR)), 7],
        [formatDateTime(new Date(hour)), 12]
      ])
      assert.strictEqual(spent.at(-1), actions.hours.at(-1), "the present one at the end")
      assert.deepStrictEqual(storage, { used_bytes: 1234, limit_bytes: 2_000_000 })
      assert.deepStrictEqual(
        [mails.limit, users, apps, json.records, automations, hooks],
        [40, empty.users, 2, 3, 1, 1]
      )
    })
  )

  it.effect("for owners and admins, of nobody else's organization", () =>
    Effect.gen(function* () {
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      yield* createApp(owner, workspaceId, [field("single_text", "Title")])
      for (const [role, status] of [
        ["admin", 200],
        ["member", 403],
        ["guest", 403]
      ] as const) {
        const user = yield* seedUser(orgId, role)
        assert.strictEqual((yield* as(user)("GET", "/v1/org/usage")).status, status, role)
      }
      const { owner: stranger } = yield* seedWorkspace
      assert.strictEqual((yield* as(stranger)("GET", "/v1/org/usage")).json.apps, 0)
    })
  )
})
