// What a tool call asks of the database: a short body that came with its headers is read ahead, so that one statement serves the credential
// and the rights on what the call names. Answers are the same either way, and who is nobody learns nothing from a body.
import { request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { App, appLayerOver, seedUser } from "../../support/app.ts"
import { Cuttable, layerCuttable } from "../../support/cuttableDatabase.ts"
import { Served, servedOver } from "../../support/served.ts"
import { harbor } from "./support.ts"

interface Answer {
  readonly status: number
  readonly text: string
}

/** POSTs over a socket. @param late sends the body in a second piece, after the service has begun to wait for it */
const postTo = (origin: string, token: string, body: string, late = false) =>
  Effect.callback<Answer>((resume) => {
    const headers = {
      host: "127.0.0.1:8080",
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "mcp-protocol-version": "2025-11-25",
      ...(late ? { expect: "100-continue" } : {})
    }
    const message = request(`${origin}/mcp`, { method: "POST", headers, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }))
      )
    })
    message.on("error", (error) => resume(Effect.die(error)))
    if (!late) return void message.end(body)
    message.on("continue", () => message.end(body))
    message.flushHeaders()
  })

const callOf = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })

/** Statements that look up a credential or rights, or read a record. */
const lookupsIn = (statements: ReadonlyArray<string>) =>
  statements.filter((text) => /api_credentials|workspace_members|FROM records/.test(text))

const serviceLayer = servedOver(appLayerOver(layerCuttable))

layer(serviceLayer, { excludeTestServices: true })("statements of a tool call", (it) => {
  it.effect("are two for the read of a record, three where its body comes later, with the same answer", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { origin } = yield* Served
      const { executedDuring } = yield* Cuttable
      const { appId, token } = yield* harbor
      const { json } = yield* call("POST", `/v1/record/app/${appId}`, {
        token,
        body: { fields: { reference: "Tern" } }
      })
      const body = callOf("read_record", { record_id: json.record_id })
      const firstAnswer = yield* postTo(origin, token, body)
      const earlyBody = yield* executedDuring(postTo(origin, token, body))
      const lateBody = yield* executedDuring(postTo(origin, token, body, true))
      assert.strictEqual(firstAnswer.status, 200)
      assert.include(firstAnswer.text, "Tern")
      assert.deepStrictEqual([earlyBody.answer, lateBody.answer], [firstAnswer, firstAnswer])
      assert.deepStrictEqual([lookupsIn(earlyBody.statements).length, lookupsIn(lateBody.statements).length], [2, 3])
    })
  )

  it.effect("see a right that has gone on the next call", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { call } = yield* App
      const { origin } = yield* Served
      const { appId, owner, token } = yield* harbor
      const member = yield* seedUser(owner.orgId, "member")
      const { json } = yield* call("POST", `/v1/record/app/${appId}`, {
        token,
        body: { fields: { reference: "Tern" } }
      })
      const body = callOf("read_record", { record_id: json.record_id })
      assert.include((yield* postTo(origin, member.key, body)).text, "Tern")
      yield* sql`UPDATE workspaces SET type = 'private' WHERE org_id = ${owner.orgId}`
      const answer = yield* postTo(origin, member.key, body)
      assert.include(answer.text, "record_not_exists")
      assert.deepStrictEqual(yield* postTo(origin, member.key, body, true), answer)
    })
  )

  it.effect("say nothing of the body to who is nobody, whatever it holds and whenever it comes", () =>
    Effect.gen(function* () {
      const { origin } = yield* Served
      const { executedDuring } = yield* Cuttable
      const { token } = yield* harbor
      const bodies = [callOf("read_record", { record_id: 1 }), "{", "[]", callOf("no_tool", {}), "x".repeat(20_000)]
      for (const body of bodies) {
        const { answer, statements } = yield* executedDuring(postTo(origin, `user_key_${"0".repeat(43)}`, body))
        assert.strictEqual(answer.status, 401, body.slice(0, 60))
        assert.notInclude(answer.text, "JSON")
        assert.strictEqual(lookupsIn(statements).length, 1)
      }
      const refusals = yield* Effect.forEach(["{", "[]"], (body) => postTo(origin, token, body))
      assert.deepStrictEqual(
        refusals.map(({ status }) => status),
        [400, 400]
      )
    })
  )

  it.effect("decide by the rights on what a call reaches, not by those on what its arguments name beside", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { origin } = yield* Served
      const ownHarbor = yield* harbor
      const otherHarbor = yield* harbor
      const { json } = yield* call("POST", `/v1/record/app/${otherHarbor.appId}`, {
        token: otherHarbor.token,
        body: { fields: { reference: "Gull" } }
      })
      const ids = [json.record_id, String(json.record_id), -1, 0, 2 ** 53, "x", null, {}]
      for (const record_id of ids) {
        const body = callOf("read_record", { record_id, app_id: ownHarbor.appId })
        const answers = [
          yield* postTo(origin, ownHarbor.token, body),
          yield* postTo(origin, ownHarbor.token, body, true)
        ]
        assert.deepStrictEqual(answers[0], answers[1])
        assert.notInclude(answers[0]!.text, "Gull")
      }
    })
  )
})
