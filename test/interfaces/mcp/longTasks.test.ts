// The extension for tasks (MCP 2026-07-28): runs and replays that outlast a call are tasks, for clients that follow them; any process answers,
// for whoever began them and nobody else.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RunPatience } from "../../../src/interfaces/mcp/followRun.ts"
import { automate, endDelays } from "../../domain/automations/runSupport.ts"
import { seedToken, seedUser } from "../../support/app.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { ask, askAs } from "./modern.ts"
import { seedFailedDelivery } from "./seeds.ts"
import { ajv, harbor, ok } from "./support.ts"

const following = askAs({ extensions: { "io.modelcontextprotocol/tasks": {} } })

const call = (token: string, name: string, args: object, as = following) =>
  Effect.map(as(token, "tools/call", { name, arguments: args }), (reply) => reply.json.result)

const about = (token: string, method: string, taskId: string, as = following, more: object = {}) =>
  as(token, method, { taskId, ...more })

const get = (token: string, taskId: string) =>
  Effect.map(about(token, "tasks/get", taskId), (reply) => reply.json.result)

const isTask = ajv.compile({
  type: "object",
  required: ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "resultType"],
  properties: {
    taskId: { type: "string", minLength: 40 },
    status: { enum: ["working", "completed", "cancelled"] },
    createdAt: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" },
    lastUpdatedAt: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" },
    ttlMs: { type: ["integer", "null"], minimum: 1 },
    pollIntervalMs: { type: "integer" }
  }
})

/** An automation that waits for an hour in its one step, or is done at once. */
const seedAutomation = Effect.fnUntraced(function* (token: string, appId: number, delay: number) {
  const trigger = { type: "automation_called", config: {} }
  const automation_id = yield* automate(token, appId, {
    trigger,
    actions: [{ type: "delay", config: { delay_ms: delay } }]
  })
  const { record_id } = yield* ok(token, "create_record", { app_id: appId, fields: {} })
  return { automation_id, record_id }
})
const hour = 3_600_000

layer(Layer.provide(spineLayer(), Layer.succeed(RunPatience, 80_000)), { excludeTestServices: true })(
  "MCP tasks",
  (it) => {
    it.effect("a run that takes long is a task until it is over, whose result is the tool's own", () =>
      Effect.gen(function* () {
        const { appId, token } = yield* harbor
        const args = yield* seedAutomation(token, appId, hour)
        const task = yield* call(token, "run_automation", args)
        assert.strictEqual(task.resultType, "task", JSON.stringify(task))
        assert.isTrue(isTask(task), JSON.stringify(isTask.errors))
        const waitingTask = yield* eventually("waits", get(token, task.taskId), (one) =>
          /delay/.test(one.statusMessage)
        )
        assert.deepStrictEqual(
          [waitingTask.status, waitingTask.resultType, waitingTask.taskId],
          ["working", "complete", task.taskId]
        )
        assert.deepStrictEqual(
          (yield* about(token, "tasks/update", task.taskId, following, { inputResponses: {} })).json.result,
          {
            resultType: "complete"
          }
        )
        yield* endDelays(args.automation_id)
        const finishedTask = yield* eventually("is over", get(token, task.taskId), (one) => one.status !== "working")
        assert.isTrue(isTask(finishedTask), JSON.stringify(isTask.errors))
        assert.strictEqual(finishedTask.status, "completed")
        assert.strictEqual(finishedTask.result.structuredContent.status, "completed")
        const { automation_run } = yield* ok(token, "read_run", {
          run_id: finishedTask.result.structuredContent.run_id
        })
        assert.strictEqual(automation_run.automation_id, args.automation_id)
      })
    )

    it.effect("a task is cancelled where its work can be, and belongs to whoever began it", () =>
      Effect.gen(function* () {
        const { appId, owner, token } = yield* harbor
        const args = yield* seedAutomation(token, appId, hour)
        const { taskId } = yield* call(token, "run_automation", args)
        yield* eventually("waits", get(token, taskId), (one) => /delay/.test(one.statusMessage))
        const other = yield* seedUser(owner.orgId, "owner")
        for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
          const refusal = yield* about(other.key, method, taskId)
          assert.deepStrictEqual([refusal.json.id, refusal.json.error.code], [`${method}-1`, -32602], method)
        }
        assert.strictEqual((yield* get(token, taskId)).status, "working")
        assert.deepStrictEqual((yield* about(token, "tasks/cancel", taskId)).json.result, { resultType: "complete" })
        const cancelledTask = yield* eventually("is cancelled", get(token, taskId), (one) => one.status !== "working")
        assert.strictEqual(cancelledTask.status, "cancelled")
        assert.deepStrictEqual((yield* about(token, "tasks/cancel", taskId)).json.result, { resultType: "complete" })
      })
    )

    it.effect("who may start runs and not read them is told how theirs ends, in the same form", () =>
      Effect.gen(function* () {
        const { appId, owner, token } = yield* harbor
        const args = yield* seedAutomation(token, appId, hour)
        const starts = yield* seedToken(owner.userId, ["automations:run"])
        const task = yield* call(starts, "run_automation", args)
        assert.isTrue(isTask(task), JSON.stringify(isTask.errors))
        yield* eventually("has a run", get(starts, task.taskId), (one) => /^Run \d+/.test(one.statusMessage))
        const startedTask = yield* get(starts, task.taskId)
        assert.isTrue(isTask(startedTask), JSON.stringify([startedTask, isTask.errors]))
        assert.isFalse(Number.isNaN(Date.parse(startedTask.lastUpdatedAt)), startedTask.lastUpdatedAt)
      })
    )

    it.effect("what is done at once is no task, and clients that do not follow tasks are answered in the end", () =>
      Effect.gen(function* () {
        const { appId, token } = yield* harbor
        const trigger = { type: "automation_called", config: {} }
        const actions = [{ type: "current_record_comment_create", config: { comment_content: ["Hi"] } }]
        const automation_id = yield* automate(token, appId, { trigger, actions })
        const { record_id } = yield* ok(token, "create_record", { app_id: appId, fields: {} })
        const mute = yield* call(token, "run_automation", { automation_id, record_id }, ask as never)
        assert.deepStrictEqual([mute.resultType, mute.structuredContent.status], ["complete", "completed"])
        assert.notProperty(mute, "taskId")
        const refusal = yield* about(token, "tasks/get", "run-1", ask as never)
        assert.deepStrictEqual([refusal.status, refusal.json.error.code], [400, -32021])
        assert.deepStrictEqual(refusal.json.error.data.requiredCapabilities, {
          extensions: { "io.modelcontextprotocol/tasks": {} }
        })
        const discovered = (yield* following(token, "server/discover")).json.result
        assert.deepStrictEqual(discovered.capabilities.extensions, { "io.modelcontextprotocol/tasks": {} })
      })
    )

    it.effect("a replay of many deliveries is a task that tells how far it is", () =>
      Effect.gen(function* () {
        const { appId, owner, token } = yield* harbor
        const sql = yield* SqlClient.SqlClient
        const url = "https://93.184.215.14/hook"
        const { hook_id } = yield* ok(token, "create_webhook", { app_id: appId, type: "record.create", url })
        yield* sql`UPDATE hooks SET status = 'active', paused_on = now() WHERE hook_id = ${hook_id}`
        yield* seedFailedDelivery(hook_id)
        const task = yield* call(token, "replay_deliveries", { hook_id, since: "2026-01-01 00:00" })
        assert.strictEqual(task.resultType, "task", JSON.stringify(task))
        assert.isTrue(isTask(task), JSON.stringify(isTask.errors))
        assert.match(task.statusMessage, /^\d of \d begun/)
        const other = yield* seedUser(owner.orgId, "owner")
        assert.strictEqual((yield* about(other.key, "tasks/get", task.taskId)).json.error.code, -32602)
        yield* about(token, "tasks/cancel", task.taskId)
        assert.strictEqual((yield* get(token, task.taskId)).status, "cancelled")
      })
    )

    it.effect("ids that are not there, changed or too long are -32602", () =>
      Effect.gen(function* () {
        const { token } = yield* harbor
        const ids = ["", "run", "run-1", "replay-1", "replay-1-x", "constructor-1", "x".repeat(10_000)]
        for (const id of ids) {
          const answer = yield* about(token, "tasks/get", id)
          assert.strictEqual(answer.json.error.code, -32602, id.slice(0, 40))
        }
        const headers = { "mcp-name": "run-2" }
        const elsewhere = yield* ask(token, "tasks/get", { taskId: "run-1" }, headers)
        assert.deepStrictEqual([elsewhere.status, elsewhere.json.error.code], [400, -32020])
      })
    )
  }
)
