// Tools that need a decision (MCP 2026-07-28, multi round-trip requests): a client that can ask its user is answered by a question, and its
// retry is carried out; the state is signed, of one user and one call, and ends.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mint } from "../../../src/interfaces/mcp/decisions/requestState.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { appLayer, seedToken, seedUser } from "../../support/app.ts"
import { ask, askAs } from "./modern.ts"
import { harbor, ok, rpc } from "./support.ts"

const asking = askAs({ elicitation: {} })

const call = (token: string, name: string, args: object, more: object = {}, as = asking) =>
  Effect.map(as(token, "tools/call", { name, arguments: args, ...more }), (reply) => reply.json)

const answered = (decision: string) => ({ inputResponses: { decision: { action: "accept", content: { decision } } } })

const six = Effect.gen(function* () {
  const { appId, token, owner } = yield* harbor
  const inputs = Array.from({ length: 6 }, (_, i) => ({ fields: { reference: `DLV-${i}` } }))
  const { records } = yield* ok(token, "create_records", { app_id: appId, inputs })
  return { appId, owner, token, record_ids: records.map((one: any) => one.record_id as number) }
})

const countRecords = (token: string, app_id: number) =>
  Effect.map(ok(token, "search_records", { app_id }), ({ total }) => total as number)

layer(appLayer(), { excludeTestServices: true })("MCP tools that need a decision", (it) => {
  it.effect("ask before many records are deleted, and delete them when the user says so", () =>
    Effect.gen(function* () {
      const { appId, record_ids, token } = yield* six
      const args = { app_id: appId, record_ids }
      const { result } = yield* call(token, "delete_records", args)
      assert.strictEqual(result.resultType, "input_required")
      const { method, params } = result.inputRequests.decision
      assert.strictEqual(method, "elicitation/create")
      assert.match(params.message, /^Move 6 records of Deliveries to the trash\?/)
      assert.deepStrictEqual(
        params.requestedSchema.properties.decision.oneOf.map((one: any) => one.const),
        ["leave", "proceed"]
      )
      assert.isBelow(result.requestState.length, 200)
      assert.strictEqual(yield* countRecords(token, appId), 6)
      const { requestState } = result
      const unanswered = yield* call(token, "delete_records", args, { requestState })
      assert.strictEqual(unanswered.result.resultType, "input_required")
      const nonsense = yield* call(token, "delete_records", args, { requestState, ...answered("nonsense") })
      assert.strictEqual(nonsense.result.resultType, "input_required")
      const kept = yield* call(token, "delete_records", args, { requestState, ...answered("leave") })
      assert.match(kept.result.content[0].text, /^declined: .*\nWhat to do: Do not repeat/)
      const cancelled = { inputResponses: { decision: { action: "cancel" } } }
      assert.isTrue((yield* call(token, "delete_records", args, { requestState, ...cancelled })).result.isError)
      assert.strictEqual(yield* countRecords(token, appId), 6)
      const confirmedReply = yield* call(token, "delete_records", args, { requestState, ...answered("proceed") })
      assert.deepStrictEqual(confirmedReply.result.structuredContent.record_ids.sort(), record_ids.sort())
      assert.strictEqual(yield* countRecords(token, appId), 0)
    })
  )

  it.effect("carry out few at once, and everything for clients that cannot ask, in every revision", () =>
    Effect.gen(function* () {
      const { appId, record_ids, token } = yield* six
      const [first, second, ...rest] = record_ids
      const singleDelete = yield* call(token, "delete_records", { app_id: appId, record_ids: [first] })
      assert.deepStrictEqual(singleDelete.result.structuredContent.record_ids, [first])
      const byUrl = askAs({ elicitation: { url: {} } })
      const urlDelete = yield* call(token, "delete_record", { record_id: second, skip_trash: true }, {}, byUrl)
      assert.isUndefined(urlDelete.result.isError, JSON.stringify(urlDelete.result))
      const mute = yield* ask(token, "tools/call", {
        name: "delete_records",
        arguments: { app_id: appId, record_ids: rest, skip_trash: true }
      })
      assert.strictEqual(mute.json.result.structuredContent.record_ids.length, 4)
      const { automation } = yield* ok(token, "create_automation", { app_id: appId, name: "Old" })
      const earlier = yield* rpc(
        "tools/call",
        { name: "delete_automation", arguments: { automation_id: automation.id } },
        { token }
      )
      assert.strictEqual(earlier.json.result.structuredContent.automation.name, "Old")
    })
  )

  it.effect("ask by ids of who may not read the names (developer-api.md 2.4), and about records of the trash", () =>
    Effect.gen(function* () {
      const { appId, owner, record_ids, token } = yield* six
      const writeToken = yield* seedToken(owner.userId, [
        "records:edit",
        "apps:edit",
        "automations:edit",
        "secrets:manage"
      ])
      const { automation } = yield* ok(token, "create_automation", { app_id: appId, name: "Old" })
      const { secret_id } = yield* ok(token, "create_secret", { name: "stripe_key", value: "sk-live-4f9a1c77" })
      const [first] = record_ids
      const { fields } = yield* ok(token, "describe_app", { app_id: appId })
      const { field_id } = fields.find((one: any) => one.external_id === "weight")
      const questions: ReadonlyArray<readonly [string, object, string]> = [
        ["delete_records", { app_id: appId, record_ids }, `Move 6 records of app ${appId} to the trash?`],
        [
          "delete_records",
          { app_id: appId, record_ids, skip_trash: true },
          `Destroy 6 records of app ${appId} for good?`
        ],
        ["delete_record", { record_id: first, skip_trash: true }, `Destroy record ${first} for good?`],
        [
          "update_app",
          { app_id: appId, fields_to_delete: [{ field_id }] },
          `Delete field ${field_id} of app ${appId}, `
        ],
        ["delete_automation", { automation_id: automation.id }, `Delete the automation ${automation.id} for good?`],
        ["delete_secret", { secret_id }, `Delete the secret ${secret_id} for good?`]
      ]
      for (const [name, args, message] of questions) {
        const { result } = yield* call(writeToken, name, args)
        assert.isTrue(result.inputRequests?.decision.params.message.startsWith(message), JSON.stringify(result))
      }
      yield* ok(token, "delete_record", { record_id: first })
      const args = { record_id: first, skip_trash: true }
      const { result } = yield* call(token, "delete_record", args)
      assert.match(result.inputRequests?.decision.params.message, /^Destroy “DLV-0” of Deliveries for good\?/)
      const confirmedReply = yield* call(token, "delete_record", args, {
        requestState: result.requestState,
        ...answered("proceed")
      })
      assert.isUndefined(confirmedReply.result.isError, JSON.stringify(confirmedReply))
    })
  )

  it.effect("take no state that is changed, of another user or call, too old or too long (-32602)", () =>
    Effect.gen(function* () {
      const { appId, owner, record_ids, token } = yield* six
      const args = { app_id: appId, record_ids }
      const { requestState } = (yield* call(token, "delete_records", args)).result
      const other = yield* seedUser(owner.orgId, "owner")
      const secrets = yield* Secrets
      const nowMillis = yield* Clock.currentTimeMillis
      const past = { ...(yield* Clock.Clock), currentTimeMillis: Effect.succeed(nowMillis - 700_000) } as Clock.Clock
      const old = yield* Effect.provideService(mint(secrets, owner.userId, "delete_records", args), Clock.Clock, past)
      const badAnswers: ReadonlyArray<readonly [string, string, object, unknown]> = [
        ["changed", token, args, `${Number.parseInt(requestState, 10) + 1}${requestState.slice(13)}`],
        ["unsigned", token, args, requestState.slice(0, -4)],
        ["another user's", other.key, args, requestState],
        ["another call's", token, { ...args, skip_trash: true }, requestState],
        ["too old", token, args, old],
        ["too long", token, args, `${requestState}${"x".repeat(100_000)}`],
        ["no text", token, args, 7]
      ]
      for (const [what, as, given, state] of badAnswers) {
        const answer = yield* call(as, "delete_records", given, { requestState: state, ...answered("proceed") })
        assert.strictEqual(answer.error?.code, -32602, what)
        assert.isBelow(JSON.stringify(answer).length, 2_500, what)
      }
      assert.strictEqual(yield* countRecords(token, appId), 6)
    })
  )

  it.effect("ask what is to become of a broken automation, and restore the last sound definition", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, token } = yield* harbor
      const actions = (text: string) => [{ type: "current_record_comment_create", config: { comment_content: [text] } }]
      const definition = {
        app_id: appId,
        name: "Greet",
        trigger: { type: "record_created", config: {} },
        actions: actions("Hi")
      }
      const automation_id = (yield* ok(token, "create_automation", definition)).automation.id
      yield* ok(token, "update_automation", { automation_id, actions: actions("Hello") })
      const sound = yield* call(token, "activate_automation", { automation_id })
      assert.strictEqual(sound.result.structuredContent.automation.status, "active")
      yield* sql`UPDATE automations SET broken = true WHERE automation_id = ${automation_id}`
      const { result } = yield* call(token, "activate_automation", { automation_id })
      const { message, requestedSchema } = result.inputRequests.decision.params
      assert.match(message, /^“Greet” is broken.* What is to become of it\?$/)
      assert.deepStrictEqual(
        requestedSchema.properties.decision.oneOf.map((one: any) => one.const),
        ["leave", "activate", "restore"]
      )
      const { requestState } = result
      const confirmedReply = yield* call(
        token,
        "activate_automation",
        { automation_id },
        { requestState, ...answered("restore") }
      )
      const { automation } = confirmedReply.result.structuredContent
      assert.strictEqual(automation.status, "active")
      assert.include(JSON.stringify(automation.actions), '"Hi"')
    })
  )

  it.effect("ask before an automation, a webhook, a secret, or fields of an app are deleted for good", () =>
    Effect.gen(function* () {
      const { appId, fields, token } = yield* harbor
      const { automation } = yield* ok(token, "create_automation", { app_id: appId, name: "Old" })
      const url = "https://93.184.215.14/hook"
      const { hook_id } = yield* ok(token, "create_webhook", { app_id: appId, type: "record.create", url })
      const { secret_id } = yield* ok(token, "create_secret", { name: "stripe_key", value: "sk-live-4f9a1c77" })
      const { record_id } = yield* ok(token, "create_record", { app_id: appId, fields: { reference: "DLV-9" } })
      const questions: ReadonlyArray<readonly [string, object, RegExp]> = [
        ["delete_automation", { automation_id: automation.id }, /“Old” \(draft\)/],
        ["delete_webhook", { hook_id }, /93\.184\.215\.14/],
        ["delete_secret", { secret_id }, /stripe_key/],
        ["delete_record", { record_id, skip_trash: true }, /Destroy “DLV-9” of Deliveries/],
        ["update_app", { app_id: appId, fields_to_delete: [{ field_id: fields[1].field_id }] }, /^Delete Weight of/]
      ]
      for (const [name, args, message] of questions) {
        const { result } = yield* call(token, name, args)
        assert.match(result.inputRequests?.decision.params.message, message, name)
        const confirmedReply = yield* call(token, name, args, {
          requestState: result.requestState,
          ...answered("proceed")
        })
        assert.isUndefined(confirmedReply.result.isError, `${name}: ${JSON.stringify(confirmedReply)}`)
      }
      // Nobody is asked about what they may not do, or what is not there.
      const stranger = yield* harbor
      const { result } = yield* call(stranger.token, "delete_webhook", { hook_id })
      assert.match(result.content[0].text, /^not_found: /)
      const wrong = yield* call(token, "delete_records", { app_id: "x", record_ids: [1] })
      assert.match(wrong.result.content[0].text, /^input_validation: app_id/)
    })
  )
})
