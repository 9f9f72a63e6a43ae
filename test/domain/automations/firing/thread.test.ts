// The thin thread: a change over HTTP, an event, an actor, a run or a notification (service.md 6; developer-api.md 7.5, 7.11;
// design: one flow).
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { changeTypes, type HookType } from "../../../../src/domain/webhooks/Hook.ts"
import { App } from "../../../support/app.ts"
import { receiver as startReceiver } from "../../../support/receiver.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { endDelays } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const assign = (field_type: string, field_id: number, value: ReadonlyArray<string>) => ({
  field_type,
  variable_def: { kind: "variable", source: "field", field_id, field_type },
  assignment_type: "set",
  field_value: value
})

const automate = Effect.fnUntraced(function* (token: string, appId: number, body: object) {
  const app = yield* App
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  const active = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  assert.strictEqual(active.status, 200, active.text)
  return id
})

const runsOf = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<any>`SELECT r.*, r.run_id::text,
      (SELECT jsonb_agg(to_jsonb(l) ORDER BY seq) FROM run_logs l WHERE l.run_id = r.run_id) AS logs,
      (SELECT jsonb_agg(to_jsonb(g) ORDER BY path, iteration) FROM run_ledger g WHERE g.run_id = r.run_id) AS ledger
      FROM runs r WHERE automation_id = ${automationId} ORDER BY r.run_id`
  )

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()("test/Receiver") {}

const world = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

/** A hook of each type, verified over HTTP as its owner does it; gives their secrets. */
const verifiedHooks = Effect.fnUntraced(function* (
  token: string,
  appId: number,
  types: ReadonlyArray<HookType> = changeTypes
) {
  const { call } = yield* App
  const receiver = yield* Receiver
  const secrets = new Map<number, string>()
  for (const type of types) {
    const { hook_id } = (yield* call("POST", `/v1/hook/app/${appId}`, {
      token,
      body: { type, url: `${receiver.origin}/${type}` }
    })).json
    yield* call("POST", `/v1/hook/${hook_id}/verify/request`, { token })
    const [request] = yield* eventually(
      `the code for ${type}`,
      Effect.sync(() => receiver.of(`/${type}`)),
      (all) => all.length === 1
    )
    const { code } = JSON.parse(request!.body)
    const { json } = yield* call("POST", `/v1/hook/${hook_id}/verify/validate`, { token, body: { code } })
    assert.strictEqual(json.status, "active")
    secrets.set(hook_id, (yield* call("GET", `/v1/hook/${hook_id}/secret`, { token })).json.secret)
  }
  return secrets
})

layer(world, { excludeTestServices: true })("the thin thread", (it) => {
  it.effect(
    "all seven types come from API writes, batches, comments, app changes and actions, unless hook is off (6)",
    () =>
      Effect.gen(function* () {
        const { call } = yield* App
        const receiver = yield* Receiver
        const { appId, fields, token } = yield* seedApp([
          { field_type: "single_text", config: { label: "Reference" } },
          { field_type: "number", config: { label: "Weight" } }
        ])
        const secrets = yield* verifiedHooks(token, appId)
        receiver.received.length = 0
        const write = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
          const answer = yield* call(method, `/v1${path}`, { token, ...(body === undefined ? {} : { body }) })
          assert.strictEqual(answer.status, 200, answer.text)
          return answer.json
        })
        const values = (reference: string) => ({ fields: { reference } })
        const records = `/record/app/${appId}`
        const batch = `/record/app/batch/${appId}`
        const off = "?hook=false"
        const idOf = ({ record_id }: { readonly record_id: number }) => record_id
        const expected: Array<string> = []
        const expectEvent = (type: string, id: number, number: number | string = "") =>
          expected.push(`${type} ${id} ${number}`.trim())

        const recordId = idOf(yield* write("POST", records, values("one")))
        expectEvent("record.create", recordId, 0)
        yield* write("PUT", `/record/${recordId}`, { fields: { reference: "two" } })
        expectEvent("record.update", recordId, 1)
        yield* write("PUT", `/record/${recordId}`, { fields: { reference: "two" } })
        yield* write("PUT", `/record/${recordId}${off}`, { fields: { reference: "three" } })
        yield* write("DELETE", `/record/${recordId}`)
        expectEvent("record.delete", recordId, 3)
        yield* write("POST", `/record/${recordId}/restore`)
        expectEvent("record.restore", recordId, 4)
        yield* write("DELETE", `/record/${recordId}${off}`)
        yield* write("POST", `/record/${recordId}/restore${off}`)
        yield* write("POST", `${records}${off}`, values("silent"))

        const inputs = [values("a"), values("b")]
        const both = (yield* write("POST", batch, { inputs })).records.map(idOf) as ReadonlyArray<number>
        const changed = (reference: string) => ({
          inputs: both.map((record_id) => ({ record_id, fields: { reference } }))
        })
        yield* write("POST", `${batch}${off}`, { inputs })
        yield* write("PUT", batch, changed("c"))
        yield* write("PUT", `${batch}${off}`, changed("d"))
        yield* write("POST", `${batch}/delete`, { record_ids: both })
        for (const id of both) {
          expectEvent("record.create", id, 0)
          expectEvent("record.update", id, 1)
          expectEvent("record.delete", id, 3)
        }

        const comment = (yield* write("POST", `/comment/record/${recordId}`, { value: "Hi" })).comment_id as number
        yield* write("POST", `/comment/${comment}/reply`, { value: "Hi" })
        yield* write("PUT", `/comment/${comment}`, { value: "Ho" })
        yield* write("DELETE", `/comment/${comment}`)
        expectEvent("comment.create", recordId, comment)
        expectEvent("comment.delete", recordId, comment)
        const silent = (yield* write("POST", `/comment/record/${recordId}${off}`, { value: "Hi" })).comment_id as number
        yield* write("DELETE", `/comment/${silent}${off}`)

        yield* write("PUT", `/app/${appId}`, { name: "Shipments" })
        yield* write("PUT", `/app/${appId}/fields/order`, { fields: [{ field_id: fields["weight"] }] })
        expectEvent("app.update", appId)
        expectEvent("app.update", appId)

        const actions = (more: object) => [
          {
            type: "record_create",
            config: {
              app_id: appId,
              field_assignments: [assign("single_text", fields["reference"]!, ["made"])],
              ...more
            }
          },
          {
            type: "current_record_update",
            config: {
              field_assignments: [assign("single_text", fields["reference"]!, ["run", JSON.stringify(more)])],
              ...more
            }
          },
          {
            type: "current_record_comment_create",
            config: { comment_content: ["Hi"], trigger_other_flows: false, ...more }
          },
          { type: "current_record_comment_or_reply_delete", config: more },
          { type: "current_record_delete", config: more },
          { type: "current_record_restore", config: more }
        ]
        const ran = Effect.fnUntraced(function* (more: object) {
          const trigger = { type: "record_comment_or_reply_created", config: {} }
          const automation = yield* automate(token, appId, { name: "Answer", trigger, actions: actions(more) })
          const called = (yield* write("POST", `/comment/record/${recordId}${off}`, { value: "Go" }))
            .comment_id as number
          const [run] = yield* eventually("a run", runsOf(automation), (rows) => rows[0]?.status === "completed")
          assert.strictEqual(run.ledger.length, 6)
          yield* call("POST", `/v1/automation/${automation}/pause`, { token })
          return called
        })
        const revisionBefore = (yield* write("GET", `/record/${recordId}`)).revision as number
        const called = yield* ran({})
        const createdId = (yield* write("GET", `${records}?limit=1`)).records[0].record_id as number
        expectEvent("record.create", createdId, 0)
        expectEvent("record.update", recordId, revisionBefore + 1)
        expectEvent("comment.create", recordId, called + 1)
        expectEvent("comment.delete", recordId, called)
        expectEvent("record.delete", recordId, revisionBefore + 2)
        expectEvent("record.restore", recordId, revisionBefore + 3)
        yield* ran({ trigger_webhooks: false })

        // What comes last tells that all has come.
        yield* write("PUT", `/record/${recordId}`, { fields: { reference: "last" } })
        expectEvent("record.update", recordId, revisionBefore + 7)
        yield* eventually(
          "the last notification",
          Effect.sync(() => receiver.received),
          (all) =>
            all.some(({ body }) => body.includes(`"revision_id":${revisionBefore + 7}`)) &&
            all.length >= expected.length
        )
        const got = receiver.received.map(({ body, headers, path }) => {
          const event = JSON.parse(body)
          assert.deepStrictEqual(new Webhook(secrets.get(event.hook_id)!).verify(body, headers as never), event)
          assert.strictEqual(path, `/${event.type}`)
          const id = event.type === "app.update" ? event.app_id : event.record_id
          return `${event.type} ${id} ${event.revision_id ?? event.comment_id ?? ""}`.trim()
        })
        assert.deepStrictEqual(got.toSorted(), expected.toSorted())
        assert.strictEqual(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, expected.length)
      })
  )

  it.effect(
    "hooks are told of each run that fails, and of an automation that breaks, beside the mail to its owner",
    () =>
      Effect.gen(function* () {
        const { call } = yield* App
        const receiver = yield* Receiver
        const sql = yield* SqlClient.SqlClient
        const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
        const secrets = yield* verifiedHooks(token, appId, ["automation.broken", "automation.run_failed"])
        const id = yield* automate(token, appId, {
          name: "Refuse",
          trigger: { type: "record_created", config: {} },
          actions: [
            {
              type: "current_record_update",
              config: { field_assignments: [assign("single_text", fields["reference"]!, ["x"])] }
            },
            { type: "exit", config: { exit_type: "failure" } }
          ]
        })
        receiver.received.length = 0
        const awaitEvents = (type: string, count: number) =>
          eventually(
            `${count} of ${type}`,
            Effect.sync(() => receiver.of(`/${type}`)),
            (all) => all.length === count
          )
        const bodyOf = ({ body, headers }: { readonly body: string; readonly headers: object }) => {
          const event = JSON.parse(body)
          assert.deepStrictEqual(new Webhook(secrets.get(event.hook_id)!).verify(body, headers as never), event)
          const { hook_id: _, occurred_on, ...rest } = event
          assert.match(occurred_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
          return rest
        }
        for (let n = 0; n < 2; n++) yield* call("POST", `/v1/record/app/${appId}`, { token, body: { fields: {} } })
        const failed = yield* awaitEvents("automation.run_failed", 2)
        const runs = (yield* runsOf(id)).map(({ run_id }: { run_id: string }) => run_id)
        assert.deepStrictEqual(
          failed.map(bodyOf).toSorted((a, b) => Number(a.run_id) - Number(b.run_id)),
          runs.map((run_id: string) => ({
            ...{ app_id: appId, automation_id: id, run_id, reason: "exit_on_purpose" },
            type: "automation.run_failed"
          }))
        )
        const fieldDeletion = yield* call("PUT", `/v1/app/${appId}`, {
          token,
          body: { fields_to_delete: [{ field_id: fields["reference"] }] }
        })
        assert.strictEqual(fieldDeletion.status, 200, fieldDeletion.text)
        const [broken] = yield* awaitEvents("automation.broken", 1)
        const { reason, ...rest } = bodyOf(broken!)
        const [{ code }] = (yield* sql<any>`SELECT broken_reason FROM automations WHERE automation_id = ${id}`)[0]
          .broken_reason.errors
        assert.strictEqual(reason, code)
        assert.deepStrictEqual(rest, { app_id: appId, automation_id: id, type: "automation.broken" })
        const mailed = yield* eventually(
          "two mails to the owner",
          sql<{ subject: string }>`
            SELECT m.subject FROM mails m JOIN automations a USING (org_id)
            WHERE a.automation_id = ${id} AND m.subject LIKE 'Automation "Refuse"%' ORDER BY m.mail_id`,
          ({ length }) => length >= 2
        )
        assert.deepStrictEqual(
          mailed.map(({ subject }) => subject.split(" is ").at(-1)),
          ["failing", "broken"]
        )
      })
  )

  it.effect("a created record fires a plain run in its actor: effect, ledger and log together (7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, options, token } = yield* seedApp()
      const id = yield* automate(token, appId, {
        name: "Stamp",
        trigger: { type: "record_created", config: {} },
        actions: [
          {
            type: "current_record_update",
            config: { field_assignments: [assign("single_text", fields["reference"]!, ["stamped"])] }
          }
        ]
      })
      const record = yield* app.call("POST", `/v1/record/app/${appId}`, {
        token,
        body: { fields: { state: options["state"]![0] } }
      })
      assert.strictEqual(record.status, 200, record.text)
      const [run] = yield* eventually("a run", runsOf(id), (rows) => rows[0]?.status === "completed")
      assert.strictEqual(run.durable, false)
      assert.strictEqual(run.ledger.length, 1)
      assert.deepStrictEqual(
        run.logs.map((log: any) => [log.type, log.status]),
        [
          ["trigger", "success"],
          ["action", "success"]
        ]
      )
      const recordAnswer = yield* app.call("GET", `/v1/record/${record.json.record_id}`, { token })
      assert.match(JSON.stringify(recordAnswer.json), /stamped/)
    })
  )

  it.effect("a delay makes a run workflow with a timer, and the step after it runs once (7.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { appId, fields, options, token } = yield* seedApp()
      const id = yield* automate(token, appId, {
        name: "Later",
        trigger: { type: "record_created", config: {} },
        actions: [
          { type: "delay", config: { delay_ms: 3_600_000 } },
          {
            type: "current_record_update",
            config: {
              field_assignments: [assign("single_text", fields["reference"]!, ["later"])],
              trigger_other_flows: false
            }
          }
        ]
      })
      yield* app.call("POST", `/v1/record/app/${appId}`, {
        token,
        body: { fields: { state: options["state"]![0] } }
      })
      const [waiting] = yield* eventually("a waiting run", runsOf(id), (rows) => rows[0]?.wait_until != null)
      assert.strictEqual(waiting.status, "running")
      // It is given back once the segment is over that began the delay.
      const heldSlots = sql`SELECT 1 FROM run_places`
      yield* eventually("a run that waits holds no place", heldSlots, (rows) => rows.length === 0)
      yield* endDelays(id)
      const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.status === "completed")
      assert.strictEqual(run.durable, true)
      assert.deepStrictEqual(
        run.ledger.map((entry: any) => [entry.path, entry.state]),
        [
          ["0", "done"],
          ["1", "done"]
        ]
      )
      const mailbox = sql`SELECT 1 FROM automation_inbox UNION ALL SELECT 1 FROM automation_events`
      yield* eventually("rows go when they are done", mailbox, (rows) => rows.length === 0)
    })
  )
})
