// subscriptions/listen (MCP 2026-07-28): a stream that tells of changes of the listed records, runs and apps, within rights that are asked for
// anew, bounded for each user.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, seedToken, seedUser } from "../../support/app.ts"
import { listenRequest, listenTo } from "./listener.ts"
import { headersOf } from "./modern.ts"
import { seedFailedRun } from "./seeds.ts"
import { harbor, ok, post } from "./support.ts"

const ID = "io.modelcontextprotocol/subscriptionId"
const record = (id: number) => `millrace://record/${id}`

const seedTwo = Effect.gen(function* () {
  const testHarbor = yield* harbor
  const inputs = [{ fields: { reference: "DLV-1" } }, { fields: { reference: "DLV-2" } }]
  const { records } = yield* ok(testHarbor.token, "create_records", { app_id: testHarbor.appId, inputs })
  const [one, two] = records.map((it: any) => it.record_id as number)
  const change = (record_id: number, weight: number) =>
    ok(testHarbor.token, "update_record", { record_id, fields: { weight } })
  return { ...testHarbor, one: one as number, two: two as number, change }
})

const ask = (token: string, body: object, headers: object = {}) =>
  post(body, { token, headers: { ...headersOf("subscriptions/listen", {}), ...headers } })

layer(appLayer(), { excludeTestServices: true })("MCP subscriptions", (it) => {
  it.effect("acknowledges what it honors, then tells which of it has changed, under the request's id", () =>
    Effect.gen(function* () {
      const { appId, change, one, token, two } = yield* seedTwo
      const { automation } = yield* ok(token, "create_automation", { app_id: appId, name: "Greet" })
      const runId = yield* seedFailedRun(automation.id)
      const [app, run] = [`millrace://app/${appId}`, `millrace://run/${runId}`]
      const stream = yield* listenTo(token, [
        record(one),
        app,
        run,
        "millrace://automation/schema",
        "https://x.example"
      ])
      assert.strictEqual(stream.status, 200)
      const [acknowledged] = stream.messages
      assert.strictEqual(acknowledged.method, "notifications/subscriptions/acknowledged")
      assert.deepStrictEqual(acknowledged.params.notifications, { resourceSubscriptions: [record(one), app, run] })
      yield* change(two, 1)
      yield* change(one, 2)
      yield* stream.until("the record", (uris) => uris.includes(record(one)))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE runs SET log_seq = log_seq + 1 WHERE run_id = ${runId}::bigint`
      yield* ok(token, "update_app", { app_id: appId, description: "Changed" })
      yield* stream.until("run and app", (uris) => uris.includes(run) && uris.includes(app))
      assert.notInclude(stream.updated(), record(two))
      for (const { params } of stream.messages) assert.strictEqual(params._meta[ID], "listen-1")
    }).pipe(Effect.scoped)
  )

  it.effect("tells nobody of what they may not see, and asks for scopes that are missing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { change, one, owner, two } = yield* seedTwo
      const stranger = yield* harbor
      const guest = yield* seedUser(owner.orgId, "guest")
      const admin = yield* seedUser(owner.orgId, "admin")
      const foreign = yield* listenTo(stranger.token, [record(one)])
      const invited = yield* listenTo(guest.key, [record(one)])
      const leaving = yield* listenTo(admin.key, [record(one), record(two)])
      const ownStream = yield* listenTo(owner.key, [record(one), record(two)])
      yield* change(one, 1)
      yield* ownStream.until("the first", (uris) => uris.includes(record(one)))
      yield* leaving.until("the first", (uris) => uris.includes(record(one)))
      yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${admin.userId}`
      // Its credential is asked about every five seconds.
      yield* leaving.isOver
      const lastMessage = leaving.messages.at(-1)
      assert.deepStrictEqual(
        [lastMessage.id, lastMessage.result.resultType, lastMessage.result._meta[ID]],
        ["listen-1", "complete", "listen-1"]
      )
      yield* change(two, 2)
      yield* ownStream.until("the second", (uris) => uris.includes(record(two)))
      assert.deepStrictEqual([foreign.updated(), invited.updated(), leaving.updated()], [[], [], [record(one)]])
      const narrow = yield* seedToken(owner.userId, ["apps:read"])
      const refusal = yield* ask(narrow, listenRequest([record(one), "millrace://run/1"]))
      assert.strictEqual(refusal.status, 403)
      assert.include(refusal.headers.get("www-authenticate") ?? "", 'scope="records:read automations:read"')
    }).pipe(Effect.scoped)
  )

  it.effect("ends at once, and gracefully, where it honors nothing", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const stream = yield* listenTo(token, ["https://x.example"])
      yield* stream.isOver
      assert.deepStrictEqual(stream.messages[0].params.notifications, {})
      assert.strictEqual(stream.messages[1].result.resultType, "complete")
    }).pipe(Effect.scoped)
  )

  it.effect("has ten streams for a user, at most a hundred addresses, and takes no other shape", () =>
    Effect.gen(function* () {
      const { one, token } = yield* seedTwo
      const many = Array.from({ length: 101 }, (_, i) => record(i + 1))
      const wrong: ReadonlyArray<readonly [object, object, number, number]> = [
        [listenRequest(many), {}, 400, -32602],
        [listenRequest([7]), {}, 400, -32602],
        [{ ...listenRequest([]), params: { _meta: listenRequest([]).params._meta } }, {}, 400, -32602],
        [listenRequest([record(one)]), { accept: "application/json" }, 406, -32600],
        [listenRequest([record(one)], {}, { taskIds: ["run-1"] }), {}, 400, -32021],
        [listenRequest([record(one)]), { "mcp-method": "tools/list" }, 400, -32020]
      ]
      for (const [body, headers, status, code] of wrong) {
        const answer = yield* ask(token, body, headers)
        assert.deepStrictEqual([answer.status, answer.json.id, answer.json.error.code], [status, "listen-1", code])
      }
      yield* Effect.scoped(
        Effect.gen(function* () {
          for (let i = 0; i < 10; i++) assert.strictEqual((yield* listenTo(token, [record(one)])).status, 200)
          const eleventh = yield* ask(token, listenRequest([record(one)]))
          assert.deepStrictEqual([eleventh.status, eleventh.json.error.code], [429, -32603])
          assert.strictEqual(eleventh.headers.get("retry-after"), "5")
        })
      )
      const secondStream = yield* listenTo(token, [record(one)])
      assert.strictEqual(secondStream.status, 200)
    }).pipe(Effect.scoped)
  )

  it.effect("is not there in earlier revisions", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const answer = yield* post({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: {} }, { token })
      assert.deepStrictEqual([answer.status, answer.json.error.code], [200, -32601])
    })
  )
})
