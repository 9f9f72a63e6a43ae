// What owners are told by mail: an automation that becomes broken, runs that begin to fail (developer-api.md 7.2, 7.11), through a
// real SMTP server. The worker's rounds run beside those of the tests, as another process's would.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ownerNotices } from "../../../../src/domain/automations/definitions/ownerNotices.ts"
import { Mail } from "../../../../src/platform/mail/Mail.ts"
import { tellNotices } from "../../../../src/platform/mail/notices.ts"
import { startSmtp } from "../../../platform/mail/smtp.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOver, setText } from "../runSupport.ts"
import { field, seedApp } from "../support.ts"

class Smtp extends Context.Service<Smtp, Effect.Success<ReturnType<typeof startSmtp>>>()("test/Smtp") {}

const world = Layer.unwrap(
  Effect.map(startSmtp(), (smtp) =>
    spineLayer({ SMTP_URL: smtp.url, BASE_URL: "https://millrace.example.com" }).pipe(
      Layer.merge(Layer.succeed(Smtp, smtp))
    )
  )
)

const created = { type: "record_created", config: {} }
const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_text", config: { label: "Doomed" } }
  ])
  const [owner] = yield* sql<{ email: string }>`
    SELECT email FROM people WHERE person_id = ${seeded.owner.personId}`
  const { taken } = yield* Smtp
  const mails = () => taken.filter(({ to }) => to.includes(owner!.email)).map(({ mail }) => mail)
  return { ...seeded, mails }
})

/** A round as another worker process has it, side by side with the rounds of this one. */
const round = Effect.gen(function* () {
  const mail = yield* Mail
  return yield* tellNotices(yield* ownerNotices, (notice) => mail.send({ ...notice, system: true }))
})

/** Rounds side by side until nothing waits. */
const awaitMails = (automationIds: ReadonlyArray<number>) =>
  eventually(
    "notices are mailed",
    Effect.andThen(
      Effect.all([round, round], { concurrency: "unbounded" }),
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql`SELECT notice_id FROM automation_notices WHERE automation_id = ANY(${automationIds.map(String)}::text[]::bigint[])`
      )
    ),
    (rows) => rows.length === 0
  )

const noticesOf = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ notice_id: number }>`SELECT notice_id FROM automation_notices WHERE automation_id = ${automationId}`
  )

layer(world, { excludeTestServices: true })("mail to owners", (it) => {
  it.effect("one mail when an automation becomes broken, active, paused or draft, however many break at once", () =>
    Effect.gen(function* () {
      const { appId, fields, mails, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const ids: Array<number> = []
      for (let n = 0; n < 24; n++) {
        const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, {
          token,
          body: { name: `Close ${n}`, trigger: created, actions: [setText(fields["doomed"]!, "x")] }
        })
        ids.push(creation.json.automation.id)
        if (n < 2) yield* app.call("POST", `/v1/automation/${ids[n]}/activate`, { token })
        if (n === 1) yield* app.call("POST", `/v1/automation/${ids[n]}/pause`, { token })
      }
      yield* app.call("PUT", `/v1/app/${appId}`, {
        token,
        body: { fields_to_delete: [{ field_id: fields["doomed"] }] }
      })
      yield* awaitMails(ids)
      const got = mails()
      assert.strictEqual(got.length, 24)
      for (const [n, id] of ids.entries()) {
        const about = got.filter(({ text }) => text!.includes(`/v1/automation/${id}\n`))
        assert.strictEqual(about.length, 1)
        assert.strictEqual(about[0]!.subject, `Automation "Close ${n}" of Deliveries is broken`)
        const { json } = yield* app.call("GET", `/v1/automation/${id}`, { token })
        assert.include(about[0]!.text, json.automation.broken_reason.errors[0].message)
        assert.include(about[0]!.text, `https://millrace.example.com/v1/automation/${id}`)
      }
      // Broken already: nothing more to tell. Broken anew: told anew.
      yield* sql`UPDATE automations SET broken = false, broken_reason = NULL WHERE automation_id = ${ids[0]!}`
      const reference = yield* app.call("PUT", `/v1/automation/${ids[0]}`, {
        token,
        body: { actions: [setText(fields["reference"]!, "x")] }
      })
      assert.strictEqual(reference.status, 200, reference.text)
      yield* app.call("PUT", `/v1/app/${appId}`, {
        token,
        body: { fields_to_delete: [{ field_id: fields["reference"] }] }
      })
      yield* awaitMails(ids)
      assert.strictEqual(mails().length, 25)
      assert.include(mails()[24]!.subject!, "Close 0")
    })
  )

  it.effect("one mail when failures in a row have paused it, with the run and how it goes on", () =>
    Effect.gen(function* () {
      const { appId, mails, token } = yield* setting
      const id = yield* automate(token, appId, {
        name: "Stops",
        trigger: created,
        actions: [{ type: "exit", config: { exit_type: "failure" } }],
        pause_after_failures: 2
      })
      for (let n = 1; n <= 2; n++) {
        yield* createRecord(token, appId, {})
        yield* runsOver(id, n)
      }
      const [, last] = yield* runsOver(id, 2)
      yield* awaitMails([id])
      const pauses = mails().filter(({ subject }) => subject === 'Automation "Stops" of Deliveries is paused')
      assert.strictEqual(pauses.length, 1)
      assert.include(pauses[0]!.text, "2 runs failed in a row, the last one with: ")
      assert.include(pauses[0]!.text, `https://millrace.example.com/v1/automation-run/${last!.run_id}\n`)
      assert.include(pauses[0]!.text, "until its definition is mended and saved, or it is activated again")
    })
  )

  it.effect("one mail when its runs begin to fail, the next only after a success; simulations say nothing", () =>
    Effect.gen(function* () {
      const { appId, fields, mails, token } = yield* setting
      const app = yield* App
      const reference = field(fields["reference"]!, "single_text")
      const id = yield* automate(token, appId, {
        name: "Comment",
        trigger: created,
        actions: [{ type: "current_record_comment_create", config: { comment_content: [reference] } }]
      })
      const record = yield* createRecord(token, appId, {}, "?workflow=false")
      yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body: { record_id: record } })
      yield* runsOver(id)
      assert.deepStrictEqual(yield* noticesOf(id), [])
      for (let n = 0; n < 3; n++) yield* createRecord(token, appId, {})
      const runs = yield* runsOver(id, 4)
      yield* awaitMails([id])
      assert.strictEqual(mails().length, 1)
      const [mail] = mails()
      assert.strictEqual(mail!.subject, 'Automation "Comment" of Deliveries is failing')
      const { error_message } = runs.find(({ status, type }) => status === "failed" && type === "regular")!
      assert.include(mail!.text, error_message!)
      assert.match(mail!.text!, /https:\/\/millrace\.example\.com\/v1\/automation-run\/\d+\n/)
      // A success, and no mail; then failing again.
      yield* createRecord(token, appId, { reference: "fine" })
      yield* runsOver(id, 5)
      yield* awaitMails([id])
      assert.strictEqual(mails().length, 1)
      yield* createRecord(token, appId, {})
      yield* createRecord(token, appId, {})
      yield* runsOver(id, 7)
      yield* awaitMails([id])
      assert.strictEqual(mails().length, 2)
    })
  )

  it.effect("a filter that cannot be decided is a failing run; a deleted automation's owner is told nothing", () =>
    Effect.gen(function* () {
      const { appId, fields, mails, token } = yield* setting
      const app = yield* App
      const filter = { operator: "and", rows: [{ code: ["missing.member"] }] }
      const id = yield* automate(token, appId, {
        trigger: created,
        filter,
        actions: [setText(fields["reference"]!, "x")]
      })
      yield* createRecord(token, appId, {})
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.failure_reason, "filters_failed")
      yield* awaitMails([id])
      assert.strictEqual(mails().length, 1)
      assert.include(mails()[0]!.text, run!.error_message!)
      // From the failed step: what the filter has not let through is not acted on.
      const retry = yield* app.call("POST", `/v1/automation-run/${run!.run_id}/retry`, {
        token,
        body: { from: "failed_step" }
      })
      assert.strictEqual(retry.status, 202, retry.text)
      const [, again] = yield* runsOver(id, 2)
      assert.strictEqual(again!.failure_reason, "filters_failed")

      const deletedId = yield* automate(token, appId, { trigger: created, actions: [setText(fields["doomed"]!, "x")] })
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`INSERT INTO automation_notices (automation_id, org_id, kind, cause, created_on)
            SELECT automation_id, org_id, 'broken', 'a cause', now() FROM automations WHERE automation_id = ${deletedId}`
          yield* sql`UPDATE automations SET deleted_on = now() WHERE automation_id = ${deletedId}`
        })
      )
      yield* awaitMails([deletedId])
      assert.strictEqual(mails().length, 1)
      assert.isDefined(app)
    })
  )

  it.effect(
    "a crash between mail and notice sends none twice: another process takes the claim over once it has lapsed",
    () =>
      Effect.gen(function* () {
        const { appId, fields, mails, orgId, owner, token } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const id = yield* automate(token, appId, {
          name: "Once",
          trigger: created,
          actions: [setText(fields["doomed"]!, "x")]
        })
        const claimed = (until: Date) => sql<{ notice_id: number }>`
        INSERT INTO automation_notices (automation_id, org_id, kind, cause, claimed_until, created_on)
        VALUES (${id}, ${orgId}, 'broken', 'The field is gone.', ${until}, now()) RETURNING notice_id`
        const soon = new Date(Date.now() + 3_600_000)
        const [first] = yield* claimed(soon)
        yield* round
        assert.strictEqual(mails().length, 0, "the claim of a living process holds")
        // It has sent the mail and died: the next one finds it sent.
        const [{ email }] = (yield* sql<{ email: string }>`
        SELECT email FROM people WHERE person_id = ${owner.personId}`) as [{ email: string }]
        const mail = yield* Mail
        yield* mail.send({
          orgId,
          to: email,
          subject: "s",
          text: "t",
          messageId: `automation-notice-${first!.notice_id}`,
          system: true
        })
        assert.strictEqual(mails().length, 1)
        yield* sql`UPDATE automation_notices SET claimed_until = ${new Date(Date.now() - 1)} WHERE notice_id = ${first!.notice_id}`
        yield* awaitMails([id])
        assert.strictEqual(mails().length, 1)
        // It died before: the mail goes out now.
        yield* claimed(new Date(Date.now() - 1))
        yield* awaitMails([id])
        assert.strictEqual(mails().length, 2)
      })
  )
})
