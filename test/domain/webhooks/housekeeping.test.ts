// decisions W1, W5: withheld deliveries expire after 7 days, leftovers go, admins are told by mail. The log's own end: weeks.test.ts.
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { housekeeping } from "../../../src/domain/webhooks/hookHousekeeping.ts"
import { hookNoticeMails } from "../../../src/domain/webhooks/hookNoticeMails.ts"
import { WebhookSettings } from "../../../src/domain/webhooks/WebhookSettings.ts"
import { type NoticeMail, tellNotices } from "../../../src/platform/mail/notices.ts"
import { seedOrganization, seedUser } from "../../support/app.ts"
import { ddl, layerDatabase } from "../../support/database.ts"
import { quickSettings, seedHook, seedOrgWithApp, statuses } from "./support/harness.ts"
import { seedApp } from "./support/seed.ts"

const Setting = Layer.mergeAll(layerDatabase, Layer.succeed(WebhookSettings, quickSettings))

const deliver = (
  hookId: number,
  eventId: number,
  status: string,
  daysAgo: number,
  withheldDaysAgo: number | null = null
) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, created_on, withheld_on)
      VALUES (${hookId}, ${eventId}, 'record.create', ${status}, '{}', now() - ${daysAgo}::int * interval '1 day',
        now() - ${withheldDaysAgo}::int * interval '1 day')`
  )

layer(Setting, { excludeTestServices: true })("housekeeping", (it) => {
  describe("withheld deliveries (W5)", () => {
    it.effect("withheld ones expire 7 days after they were withheld, also when their hook is verified again", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { hookId } = yield* seedHook(yield* seedOrgWithApp(), "record.create", "https://hooks.example.com")
        yield* sql`UPDATE hooks SET lost_on = now() WHERE hook_id = ${hookId}`
        yield* deliver(hookId, 1, "withheld", 20, 8)
        yield* deliver(hookId, 2, "withheld", 20, 6)
        yield* deliver(hookId, 3, "failed", 20)
        yield* housekeeping
        assert.deepStrictEqual(yield* statuses(hookId), { expired: 1, withheld: 1, failed: 1 })
      })
    )
  })

  it.effect("a part that fails keeps no other from its turn, and is told", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId } = yield* seedOrgWithApp()
      yield* sql`INSERT INTO webhook_windows (app_id, window_start, used, cap) VALUES (${appId}, now(), 1, 100)`
      yield* sql`DELETE FROM apps WHERE app_id = ${appId}`
      const refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$"
      yield* ddl(
        refuse,
        "CREATE TRIGGER refuse BEFORE UPDATE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION refuse()"
      )
      const { hookId: other } = yield* seedHook(yield* seedOrgWithApp(), "record.create", "https://hooks.example.com")
      yield* sql`UPDATE hooks SET lost_on = now() WHERE hook_id = ${other}`
      yield* deliver(other, 9, "withheld", 20, 8)
      const failed = yield* Effect.exit(housekeeping)
      yield* ddl("DROP TRIGGER refuse ON webhook_deliveries", "DROP FUNCTION refuse()")
      assert.isTrue(Exit.hasDies(failed))
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM webhook_windows WHERE app_id = ${appId}`, [])
      assert.deepStrictEqual(yield* statuses(other), { withheld: 1 })
    })
  )

  describe("leftovers of deleted apps", () => {
    it.effect("commands, windows and queued deliveries go", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [gone, stays] = [yield* seedOrgWithApp(), yield* seedOrgWithApp()]
        for (const { appId, orgId } of [gone, stays]) {
          const { hookId } = yield* seedHook({ appId, orgId }, "record.create", "https://hooks.example.com")
          yield* sql`INSERT INTO webhook_commands (event_id, app_id, hook_id, verification, step, due_at)
            VALUES (${appId}, ${appId}, ${hookId}, 1, 'requested', now())`
          yield* sql`INSERT INTO webhook_windows (app_id, window_start, used, cap) VALUES (${appId}, now(), 1, 100)`
          yield* sql`INSERT INTO webhook_queue (hook_id, event_id, app_id, ordered, blocked, due_at)
            VALUES (${hookId}, 1, ${appId}, false, false, now())`
        }
        yield* sql`DELETE FROM apps WHERE app_id = ${gone.appId}`
        yield* housekeeping
        for (const table of ["webhook_commands", "webhook_windows", "webhook_queue"]) {
          const windowRows = yield* sql<{ app_id: number }>`
            SELECT app_id FROM ${sql(table)} WHERE app_id = ANY(${[gone.appId, stays.appId].map(String)}::bigint[])`
          assert.deepStrictEqual(windowRows, [{ app_id: stays.appId }], table)
        }
      })
    )
  })

  describe("mail to the app's admins (W1)", () => {
    it.effect("goes to those who administer the workspace, once; what cannot be sent is kept", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { orgId, owner } = yield* seedOrganization()
        const [admin, member] = [yield* seedUser(orgId, "member"), yield* seedUser(orgId, "member")]
        const { appId, workspaceId } = yield* seedApp(orgId, admin.userId)
        yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${member.userId}, 'member')`
        const notice = { app_id: appId, org_id: orgId, host: "hooks.example.com", type: "record.create", allowed: 50 }
        yield* sql`INSERT INTO webhook_notices ${sql.insert([
          { ...notice, hook_id: 5, failures: 25, share: 50, created_on: new Date() },
          { ...notice, hook_id: 5, failures: 51, share: null, created_on: new Date() }
        ])}`
        const kind = yield* hookNoticeMails
        assert.strictEqual(yield* tellNotices(kind, () => Effect.fail(new Error("the server is away"))), 0)
        const mails: Array<NoticeMail> = []
        const send = (mail: NoticeMail) => Effect.sync(() => void mails.push(mail))
        assert.strictEqual(yield* tellNotices(kind, send), 2)
        assert.strictEqual(yield* tellNotices(kind, send), 0)
        const emails = yield* sql<{ email: string }>`
          SELECT email FROM people JOIN users USING (person_id) WHERE user_id = ANY(${[owner.userId, admin.userId].map(String)}::bigint[]) ORDER BY user_id`
        assert.deepStrictEqual(
          mails.map(({ to }) => to),
          [emails.map(({ email }) => email), emails.map(({ email }) => email)]
        )
        assert.include(mails[0]!.text, "has failed 25 times in a row")
        assert.include(mails[1]!.subject, "was switched off")
        assert.include(mails[1]!.text, "has lost its verification")
      })
    )
  })
})
