// decisions W6, W7: the verification workflow, and what the histories must not hold.
import { assert, describe, layer } from "@effect/vitest"
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { Hooks } from "../../../src/domain/webhooks/Hooks.ts"
import { HookReplays } from "../../../src/domain/webhooks/replays/HookReplays.ts"
import { verificationWorkflowId } from "../../../src/domain/webhooks/Verifications.ts"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import { Temporal } from "../../../src/engine/temporal/Temporal.ts"
import { RELAY_LOCK } from "../../../src/platform/sql/advisoryLocks.ts"
import { answers } from "../../support/receiver.ts"
import { eventually, grantOf, layerSpine, seedHook, seedOrgWithApp, statuses, target } from "./support/harness.ts"
import { recordEvent } from "./support/seed.ts"

/** Of the workflow once it is there: a newer one may begin after the older one's end. */
const resultOf = Effect.fnUntraced(function* (hookId: number, n: number) {
  const temporal = yield* Temporal
  const id = verificationWorkflowId(hookId, n)
  const hasStarted = Effect.isSuccess(temporal.call((client) => client.workflow.getHandle(id).describe()))
  yield* eventually(`the workflow ${id}`, hasStarted, (found) => found)
  return yield* temporal.call((client) => client.workflow.getHandle(id).result())
})

const historyOf = (workflowId: string) =>
  Effect.flatMap(Temporal, (temporal) =>
    temporal.call(async (client) => {
      const histories: Array<string> = []
      for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
        histories.push(JSON.stringify(historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory())))
      }
      return histories.join("\n")
    })
  )

const setting = Effect.gen(function* () {
  const app = yield* seedOrgWithApp()
  const receiver = yield* target()
  const hook = yield* seedHook(app, "record.create", `${receiver.origin}/berth-arrivals?token=abc123`, false)
  return { app, receiver, ...hook, grant: grantOf(app, hook.hookId) }
})

const path = "/berth-arrivals?token=abc123"

/** Long enough that no time stamp or encoded identifier of a history holds it by chance. */
const UNSEEN = 918_273_645_546

layer(layerSpine(), { excludeTestServices: true })("verification", (it) => {
  describe("the workflow (W6)", () => {
    it.effect("POSTs the code signed, waits, and ends as validated; no code, secret or URL in any history", () =>
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const outbox = yield* Outbox
        const { app, receiver, hookId, secret, grant } = yield* setting
        assert.strictEqual((yield* hooks.requestVerification(grant)).status, "inactive")
        yield* eventually(
          "the code",
          Effect.sync(() => receiver.of(path).length),
          (n) => n === 1
        )
        const [request] = receiver.of(path)
        const body = new Webhook(secret).verify(request!.body, request!.headers as never) as { code: string }
        assert.deepStrictEqual(Object.keys(JSON.parse(request!.body)), ["hook_id", "type", "code"])
        assert.deepStrictEqual(body as unknown, { hook_id: hookId, type: "hook.verify", code: body.code })
        assert.strictEqual((yield* hooks.validate(grant, body.code)).status, "active")
        assert.deepStrictEqual(yield* resultOf(hookId, 1), {
          result: "validated",
          delivery: "sent (status 204)",
          tries: 1
        })
        yield* outbox.append([
          recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id: UNSEEN, revision: 0 })
        ])
        yield* eventually("delivered", statuses(hookId), (s) => s["delivered"] === 1)
        const histories = [
          yield* historyOf(verificationWorkflowId(hookId, 1)),
          yield* eventually(
            "the actor's history",
            historyOf(`webhooks/app/${app.appId}`),
            (text) => text.includes("ActivityTaskCompleted") || text.includes("ACTIVITY_TASK_COMPLETED")
          )
        ].join("\n")
        const readableHistories = histories.replaceAll(
          /[A-Za-z0-9+/=]{16,}/g,
          (text) => `${text} ${Buffer.from(text, "base64").toString("latin1")}`
        )
        assert.include(readableHistories, String(hookId))
        for (const secretText of [
          body.code,
          secret,
          secret.slice(6),
          "token=abc123",
          "/berth-arrivals",
          String(UNSEEN),
          "record_id"
        ])
          assert.notInclude(readableHistories, secretText)
      })
    )

    it.effect("what had happened before the first one is never sent, however late it is handed over (rule 1, W5)", () =>
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const outbox = yield* Outbox
        const sql = yield* SqlClient.SqlClient
        const { app, receiver, hookId, grant } = yield* setting
        const created = (record_id: number) =>
          outbox.append([
            recordEvent({ org_id: app.orgId, app_id: app.appId, record_id, type: "record.create", revision: 0 })
          ])
        const receivedBodies = Effect.sync(() => receiver.of(path).map(({ body }) => JSON.parse(body)))
        yield* hooks.requestVerification(grant)
        const [{ code }] = yield* eventually("the code", receivedBodies, ({ length }) => length === 1)
        // The relay stands still until the hook is verified.
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(${RELAY_LOCK})`
            yield* created(1)
            assert.strictEqual((yield* hooks.validate(grant, code)).status, "active")
            yield* created(2)
          })
        )
        yield* eventually("delivered", statuses(hookId), (s) => (s["delivered"] ?? 0) > 0)
        assert.deepStrictEqual(yield* statuses(hookId), { delivered: 1 })
        assert.strictEqual((yield* receivedBodies)[1].record_id, 2)
      })
    )

    it.effect("tries three times, counts no failures, and says how it went", () =>
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const sql = yield* SqlClient.SqlClient
        const { receiver, hookId, grant } = yield* setting
        let requestCount = 0
        receiver.on(path, (request, response) => answers.status(++requestCount === 2 ? 200 : 500)(request, response))
        yield* hooks.requestVerification(grant)
        yield* eventually(
          "two tries",
          Effect.sync(() => receiver.of(path).length),
          (n) => n === 2
        )
        const [a, b] = receiver.of(path)
        assert.strictEqual(a!.body, b!.body)
        assert.strictEqual(a!.headers["webhook-id"], b!.headers["webhook-id"])
        const [row] = yield* sql<{ n: number }>`SELECT num_failed_executions AS n FROM hooks WHERE hook_id = ${hookId}`
        assert.strictEqual(row!.n, 0)
        yield* hooks.remove(grant)
        assert.deepStrictEqual(yield* resultOf(hookId, 1), {
          result: "deleted",
          delivery: "sent (status 200)",
          tries: 2
        })
      })
    )

    it.effect("a newer request ends the older workflow; a code that expires ends its own", () =>
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const sql = yield* SqlClient.SqlClient
        const { receiver, hookId, grant } = yield* setting
        yield* hooks.requestVerification(grant)
        yield* eventually(
          "the first code",
          Effect.sync(() => receiver.of(path).length),
          (n) => n === 1
        )
        // The second one is requested with a code that lives for two seconds.
        yield* sql.withTransaction(
          Effect.andThen(
            hooks.requestVerification(grant),
            sql`UPDATE hooks SET code_expires_on = clock_timestamp() + interval '3 seconds' WHERE hook_id = ${hookId}`
          )
        )
        assert.strictEqual(((yield* resultOf(hookId, 1)) as { result: string }).result, "superseded")
        assert.strictEqual(((yield* resultOf(hookId, 2)) as { result: string }).result, "expired")
      })
    )
  })

  it.effect(
    "a verification that an operator cancels or terminates: its code stays valid, a new one can be asked for",
    () =>
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const temporal = yield* Temporal
        const { receiver, hookId, secret, grant } = yield* setting
        const codes = Effect.sync(() =>
          receiver
            .of(path)
            .map(({ body, headers }) => (new Webhook(secret).verify(body, headers as never) as { code: string }).code)
        )
        const workflow = (n: number) =>
          Effect.map(temporal.client, (client) => client.workflow.getHandle(verificationWorkflowId(hookId, n)))
        yield* hooks.requestVerification(grant)
        yield* eventually("the first code", codes, (all) => all.length === 1)
        const firstWorkflow = yield* workflow(1)
        yield* Effect.promise(() => firstWorkflow.cancel())
        yield* Effect.exit(resultOf(hookId, 1))
        yield* hooks.requestVerification(grant)
        const [, code] = yield* eventually("a new code", codes, (all) => all.length === 2)
        const second = yield* workflow(2)
        yield* Effect.promise(() => second.terminate("by an operator"))
        assert.strictEqual((yield* hooks.validate(grant, code!)).status, "active")
      })
  )

  describe("secrets (W7)", () => {
    it.effect("for 24 h after each rotation its former secret signs too, then only the new one", () =>
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const outbox = yield* Outbox
        const sql = yield* SqlClient.SqlClient
        const { app, receiver, hookId, secret, grant } = yield* setting
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hookId}`
        const newSecret = yield* hooks.rotateSecret(grant)
        const send = (record_id: number) =>
          Effect.gen(function* () {
            yield* outbox.append([
              recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id, revision: 0 })
            ])
            yield* eventually("delivered", statuses(hookId), (s) => s["delivered"] === record_id)
            return receiver.of(path).at(-1)!
          })
        const signs = ({ body, headers }: { body: string; headers: object }, ...keys: ReadonlyArray<string>) => {
          for (const key of keys) new Webhook(key).verify(body, headers as never)
          const signatures = (headers as Record<string, string>)["webhook-signature"]!
          assert.lengthOf(signatures.split(" "), keys.length)
        }
        signs(yield* send(1), secret, newSecret)
        // A second rotation within the 24 h does not cut the first one's overlap short.
        const latest = yield* hooks.rotateSecret(grant)
        signs(yield* send(2), latest, newSecret, secret)
        yield* sql`
          UPDATE hooks SET former_secrets = jsonb_set(former_secrets, '{1,until}', to_jsonb(now())) WHERE hook_id = ${hookId}`
        const two = yield* send(3)
        signs(two, latest, newSecret)
        assert.throws(() => new Webhook(secret).verify(two.body, two.headers as never))
        yield* sql`
          UPDATE hooks SET former_secrets = jsonb_set(former_secrets, '{0,until}', to_jsonb(now())) WHERE hook_id = ${hookId}`
        signs(yield* send(4), latest)
        // Rotating drops those that are over.
        yield* hooks.rotateSecret(grant)
        const [row] = yield* sql<{
          n: number
        }>`SELECT jsonb_array_length(former_secrets) AS n FROM hooks WHERE hook_id = ${hookId}`
        assert.strictEqual(row!.n, 1)
      })
    )
  })

  describe("what an operator sees (design: actors)", () => {
    it.effect(
      "failing hooks are found by the search attribute, and the details name hook, state and reason, no path",
      () =>
        Effect.gen(function* () {
          const outbox = yield* Outbox
          const temporal = yield* Temporal
          const sql = yield* SqlClient.SqlClient
          const { app, receiver, hookId } = yield* setting
          yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hookId}`
          receiver.on(path, answers.status(410))
          // A retry far away keeps the actor asleep with its table in sight.
          yield* sql`
          INSERT INTO webhook_queue (hook_id, event_id, app_id, ordered, blocked, tries, due_at)
          VALUES (${hookId}, 9000000000000, ${app.appId}, false, false, 1, now() + interval '1 hour')`
          yield* outbox.append([
            recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id: 1, revision: 0 })
          ])
          yield* eventually("failed", statuses(hookId), (s) => s["failed"] === 1)
          const failingActors = yield* eventually(
            "the actor with its failing hook",
            temporal.call(async (client) => {
              const ids: Array<string> = []
              for await (const { workflowId } of client.workflow.list({
                query: `Failing = "true" AND App = "${app.appId}"`
              }))
                ids.push(workflowId)
              return ids
            }),
            (ids) => ids.length > 0
          )
          assert.deepStrictEqual(failingActors, [`webhooks/app/${app.appId}`])
          const details = yield* eventually(
            "the details",
            temporal.call((client) =>
              client.workflow
                .getHandle(`webhooks/app/${app.appId}`)
                .query<string>("__temporal_workflow_metadata")
                .then(JSON.stringify)
            ),
            (text) => text.includes("1 failure in a row")
          )
          for (const part of [
            `app ${app.appId} \\"Berths\\": 1 hook | 1 | 1 of 1000000 executions used`,
            `hook ${hookId} record.create to ${receiver.hostPort}: active | 1`,
            "1 retry",
            ": status 410;",
            "next at "
          ])
            assert.include(details, part)
          assert.notInclude(details, "/berth-arrivals")
        })
    )

    it.effect("an actor stays open and listed while a hook fails or has lost its verification, and no longer", () =>
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const hooks = yield* Hooks
        const replays = yield* HookReplays
        const temporal = yield* Temporal
        const sql = yield* SqlClient.SqlClient
        const { app, receiver, hookId, grant } = yield* setting
        const create = (record_id: number) =>
          outbox.append([
            recordEvent({ type: "record.create", org_id: app.orgId, app_id: app.appId, record_id, revision: 0 })
          ])
        const countExecutions = (query: string) =>
          temporal.call(async (client) => {
            let count = 0
            for await (const _ of client.workflow.list({ query: `App = "${app.appId}" AND ${query}` })) count++
            return count
          })
        const failing = countExecutions(`Failing = "true" AND ExecutionStatus = "Running"`)
        const details = temporal.call((client) =>
          client.workflow
            .getHandle(`webhooks/app/${app.appId}`)
            .query<string>("__temporal_workflow_metadata")
            .then(JSON.stringify)
        )
        yield* sql`
          UPDATE hooks SET status = 'active', verified_on = now(), num_failed_executions = 50, alerted = 90 WHERE hook_id = ${hookId}`
        receiver.on(path, answers.status(410))
        yield* create(1)
        // Nothing is queued: the hook's state alone keeps it in sight.
        yield* eventually("the failing actor", failing, (n) => n === 1)
        yield* eventually("lost", details, (text) => text.includes("verification lost: 1 withheld"))
        receiver.on(path, answers.status(204))
        yield* hooks.requestVerification(grant)
        yield* eventually(
          "the code",
          Effect.sync(() => receiver.of(path).filter(({ body }) => body.includes("hook.verify"))),
          (sent) => sent.length === 1
        )
        assert.strictEqual(yield* failing, 1)
        const code = JSON.parse(receiver.of(path).at(-1)!.body).code as string
        yield* hooks.validate(grant, code)
        assert.strictEqual(
          (yield* replays.start(hookId, { since: new Date(0), statuses: ["withheld"] }, "operator")).replayed,
          1
        )
        yield* eventually("delivered", statuses(hookId), (s) => s["delivered"] === 1)
        yield* eventually("no execution says failing", countExecutions(`Failing = "true"`), (n) => n === 0)
        yield* eventually("the actor has ended", countExecutions(`ExecutionStatus = "Running"`), (n) => n === 0)
      })
    )
  })
})
