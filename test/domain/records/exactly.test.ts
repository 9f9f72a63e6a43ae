// developer-api.md 1.3, 1.8, 3.1, 3.2, 4.2, 6: what is written is kept as it came or refused with the reason.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NoSettings } from "../../../src/domain/records/fields/kinds/noSettings.ts"
import { fieldTypes, fieldTypeTags } from "../../../src/domain/records/fields/registry.ts"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("what is written", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, workspaceId } = yield* seedWorkspace
    const call = as(owner)
    const app = yield* createApp(owner, workspaceId, [
      field("number", "Weight", { decimals: 8 }),
      field("single_date", "Due", { time: "enabled" }),
      field("single_text", "Name"),
      field("multi_attachment", "Papers")
    ])
    const path = `/v1/record/app/${app.app_id}`
    const values = (json: any) =>
      Object.fromEntries(json.fields.map((one: any) => [one.external_id, one.values[0]?.value]))
    return { call, app, owner, path, values, workspaceId }
  })

  it.effect("3.2: eight decimals stay as they came, and what no JSON number is exactly is a 400 with the reason", () =>
    Effect.gen(function* () {
      const { call, path, values } = yield* setup
      const kept = [
        "1000000000000000000000",
        "0.12345678",
        "99999999.99999999",
        "-123456.87654321",
        "9007199254740991",
        '"12345678.12345678"'
      ]
      for (const weightText of kept) {
        const creation = yield* call("POST", path, `{"fields":{"weight":${weightText}}}`)
        assert.strictEqual(creation.status, 200, creation.text)
        assert.strictEqual(values(creation.json)["weight"], Number(JSON.parse(weightText)), weightText)
      }
      const rounded = yield* call("POST", path, { fields: { weight: "0.123456785" } })
      assert.strictEqual(values(rounded.json)["weight"], 0.12345679)
      for (const weightText of [
        "9007199254740993",
        "12345678901234567890",
        '"12345678901.12345678"',
        "1234567890.12345678"
      ]) {
        const refusal = yield* call("POST", path, `{"fields":{"weight":${weightText}}}`)
        assert.strictEqual(refusal.status, 400, `${weightText}: ${refusal.text}`)
        assert.match(refusal.json.error_message, /weight: has more digits than a JSON number carries exactly/)
      }
    })
  )

  it.effect("1.1: a body that is no UTF-8 is a 400, at every entry point", () =>
    Effect.gen(function* () {
      const { owner, path } = yield* setup
      const app = yield* App
      const send = (at: string, type: string, text: string) =>
        app.fetch(
          new Request(`http://127.0.0.1:8080${at}`, {
            method: "POST",
            headers: { "content-type": type, authorization: `Bearer ${owner.key}` },
            body: new Uint8Array([...Buffer.from(text), 0xff, 0xfe, ...Buffer.from('"}}')])
          })
        )
      for (const [at, type, text] of [
        [path, "application/json", '{"fields":{"name":"'],
        ["/oauth/register", "application/json", '{"client_name":{"x":"'],
        ["/oauth/token", "application/x-www-form-urlencoded", "grant_type=refresh_token&x="],
        ["/mcp", "application/json", '{"jsonrpc":"2.0","id":1,"params":{"x":"']
      ] as const) {
        const response = yield* send(at, type, text)
        const body = yield* Effect.promise(() => response.text())
        assert.strictEqual(response.status, 400, `${at}: ${body}`)
        assert.match(body, /not UTF-8/, at)
      }
    })
  )

  it.effect("1.3: an offset that no clock shows is a 400", () =>
    Effect.gen(function* () {
      const { call, path } = yield* setup
      const due = (text: string) => Effect.map(call("POST", path, { fields: { due: text } }), ({ status }) => status)
      assert.strictEqual(yield* due("2026-03-01T10:00:00+14:00"), 200)
      for (const text of ["2026-03-01T10:00:00+25:00", "2026-03-01 10:00 -24:00", "2026-03-01T10:00:00+05:75"]) {
        assert.strictEqual(yield* due(text), 400, text)
      }
    })
  )

  it.effect("3.2: texts are kept in one spelling (NFC), and their lengths count characters as people do", () =>
    Effect.gen(function* () {
      const { call, path, values } = yield* setup
      const creation = yield* call("POST", path, { fields: { name: "Cafe\u0301" } })
      assert.strictEqual(values(creation.json)["name"], "Caf\u00e9")
      const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"
      const most = yield* call("POST", path, { fields: { name: family.repeat(500) } })
      assert.strictEqual(most.status, 200, most.text)
      const more = yield* call("POST", path, { fields: { name: family.repeat(501) } })
      assert.strictEqual(more.status, 400)
      assert.match(more.json.error_message, /at most 500 characters/)
      const stacked = yield* call("POST", path, { fields: { name: `a${"\u0301".repeat(20_000)}` } })
      assert.strictEqual(stacked.status, 400)
    })
  )

  it.effect("3.1: unknown keys in `settings` are a 400 for every type, and name the key", () =>
    Effect.gen(function* () {
      const { call, workspaceId } = yield* setup
      assert.isTrue(fieldTypeTags.some((tag) => fieldTypes[tag].settings === (NoSettings as unknown)))
      for (const tag of fieldTypeTags) {
        const fields = [{ field_type: tag, config: { label: "One", settings: { stray: 1 } } }]
        const refusal = yield* call("POST", "/v1/app", { workspace_id: workspaceId, name: "Strays", fields })
        assert.strictEqual(refusal.status, 400, `${tag}: ${refusal.text}`)
        assert.match(refusal.json.error_message, /stray/, tag)
      }
    })
  )

  it.effect("1.2: a path is read as it is written: `;x`, a doubled slash and another case are 404", () =>
    Effect.gen(function* () {
      const { call, path } = yield* setup
      const { json } = yield* call("POST", path, { fields: { name: "x" } })
      const id = json.record_id
      assert.strictEqual((yield* call("GET", `/v1/record/${id}`)).status, 200)
      for (const other of [`/v1/record/${id};x`, `/v1//record/${id}`, `//v1/record/${id}`, `/V1/record/${id}`]) {
        const reply = yield* call("GET", other)
        assert.include([400, 404], reply.status, other)
        assert.isString(reply.json.error_code)
      }
    })
  )

  it.effect("4.2: `If-Match` with another revision is a 409 that changes nothing; with its own it is written", () =>
    Effect.gen(function* () {
      const { call, path, owner } = yield* setup
      const app = yield* App
      const { json } = yield* call("POST", path, { fields: { name: "x" } })
      const on = (method: string, at: string, revision: string, body?: object) =>
        app.call(method, at, { token: owner.key, headers: { "if-match": revision }, ...(body && { body }) })
      const record = `/v1/record/${json.record_id}`
      const update = yield* on("PUT", record, '"0"', { fields: { name: "y" } })
      assert.strictEqual(update.status, 200, update.text)
      assert.strictEqual(update.json.revision, 1)
      const stale = yield* on("PUT", record, '"0"', { fields: { name: "z" } })
      assert.strictEqual(stale.status, 409, stale.text)
      assert.strictEqual(stale.json.error_code, "conflict_error")
      assert.match(stale.json.error_message, /revision 0; record \d+ is at revision 1/)
      assert.strictEqual((yield* on("DELETE", record, "0")).status, 409)
      assert.strictEqual((yield* on("PUT", record, "newest", { fields: {} })).status, 400)
      assert.strictEqual((yield* call("GET", record)).json.revision, 1)
      assert.strictEqual((yield* on("DELETE", record, "1")).status, 200)
      assert.strictEqual((yield* on("POST", `${record}/restore`, "1")).status, 409)
      assert.strictEqual((yield* on("POST", `${record}/restore`, "2")).status, 200)
    })
  )

  it.effect("4.2: every answer that shows a revision has it as its ETag, which `If-Match` takes", () =>
    Effect.gen(function* () {
      const { call, path, owner } = yield* setup
      const app = yield* App
      const creation = yield* call("POST", path, { fields: { name: "x" } })
      assert.strictEqual(creation.headers.get("etag"), '"0"')
      const record = `/v1/record/${creation.json.record_id}`
      const read = yield* call("GET", record)
      assert.strictEqual(read.headers.get("etag"), '"0"')
      const on = (method: string, at: string, tag: string | null, body?: object) =>
        app.call(method, at, { token: owner.key, headers: { "if-match": tag! }, ...(body && { body }) })
      const update = yield* on("PUT", record, read.headers.get("etag"), { fields: { name: "y" } })
      assert.deepStrictEqual([update.status, update.headers.get("etag")], [200, '"1"'])
      // As compression on the way weakens it.
      const deletion = yield* on("DELETE", record, `W/${update.headers.get("etag")}`)
      assert.deepStrictEqual([deletion.status, deletion.headers.get("etag")], [200, '"2"'], deletion.text)
      const restored = yield* on("POST", `${record}/restore`, deletion.headers.get("etag"))
      assert.deepStrictEqual([restored.status, restored.headers.get("etag")], [200, '"3"'], restored.text)
      const stale = yield* on("PUT", record, '"0"', { fields: {} })
      assert.deepStrictEqual([stale.status, stale.headers.get("etag")], [409, null])
      // A credential that may not read learns nothing of it.
      const blind = yield* seedToken(owner.userId, ["records:edit"])
      const stub = yield* app.call("PUT", record, { token: blind, body: { fields: { name: "z" } } })
      assert.deepStrictEqual([stub.status, stub.headers.get("etag")], [200, null])
      const key = { "idempotency-key": "one" }
      const firstReply = yield* app.call("POST", path, { token: owner.key, body: { fields: {} }, headers: key })
      const repeatedReply = yield* app.call("POST", path, { token: owner.key, body: { fields: {} }, headers: key })
      assert.deepStrictEqual([firstReply.headers.get("etag"), repeatedReply.headers.get("etag")], ['"0"', '"0"'])
    })
  )

  it.effect("1.5: what is wrong with the input comes before the state that it is for, also with `If-Match`", () =>
    Effect.gen(function* () {
      const { call, path, owner } = yield* setup
      const app = yield* App
      const { json } = yield* call("POST", path, { fields: { name: "x" } })
      const record = `/v1/record/${json.record_id}`
      const stale = Effect.fnUntraced(function* (method: string, at: string, body?: object) {
        const headers = { "if-match": '"7"' }
        const reply = yield* app.call(method, at, { token: owner.key, headers, ...(body && { body }) })
        return [reply.status, reply.json.error_code]
      })
      assert.deepStrictEqual(yield* stale("PUT", record, { fields: { weight: "heavy" } }), [400, "validation"])
      assert.deepStrictEqual(yield* stale("POST", `${record}/restore`), [400, "validation"])
      assert.deepStrictEqual(yield* stale("PUT", record, { fields: { name: "y" } }), [409, "conflict_error"])
      yield* call("DELETE", record)
      assert.deepStrictEqual(yield* stale("PUT", record, { fields: { name: "y" } }), [400, "record_deleted"])
      assert.deepStrictEqual(yield* stale("DELETE", record), [400, "record_deleted"])
    })
  )

  it.effect("1.8: a key that comes again means the same query and the same members in any order", () =>
    Effect.gen(function* () {
      const { app: made, owner } = yield* setup
      const app = yield* App
      const create = (key: string, query: string, body: string) =>
        app.call("POST", `/v1/record/app/${made.app_id}${query}`, {
          token: owner.key,
          headers: { "idempotency-key": key },
          body
        })
      const firstReply = yield* create("a", "?hook=false&silent=true", '{"fields":{"name":"x","weight":1}}')
      const repeatedReply = yield* create("a", "?silent=true&hook=false", '{ "fields": { "weight": 1, "name": "x" } }')
      assert.strictEqual(repeatedReply.headers.get("idempotency-replayed"), "true", repeatedReply.text)
      assert.strictEqual(repeatedReply.json.record_id, firstReply.json.record_id)
      const other = yield* create("a", "?silent=true", '{"fields":{"name":"x","weight":1}}')
      assert.strictEqual(other.status, 409, other.text)
    })
  )

  it.effect("6: the link to a file of a destroyed record is a 404 at once", () =>
    Effect.gen(function* () {
      const { call, path, owner } = yield* setup
      const app = yield* App
      const form = new FormData()
      form.append("file", new Blob(["content"], { type: "text/plain" }), "paper.txt")
      const uploaded: any = yield* Effect.flatMap(
        app.fetch(
          new Request("http://127.0.0.1:8080/v1/file/upload", {
            method: "POST",
            body: form,
            headers: { authorization: `Bearer ${owner.key}` }
          })
        ),
        (response) => Effect.promise(() => response.json())
      )
      const { json } = yield* call("POST", path, { fields: { papers: [uploaded.file_id] } })
      const link = new URL(json.fields.find((one: any) => one.external_id === "papers").values[0].value.download_url)
      const download = app.call("GET", `${link.pathname}${link.search}`)
      assert.strictEqual((yield* download).status, 200)
      yield* call("DELETE", `/v1/record/${json.record_id}`)
      assert.strictEqual((yield* download).status, 200)
      yield* call("DELETE", `/v1/record/${json.record_id}?skip_trash=true`)
      assert.strictEqual((yield* download).status, 404)
    })
  )

  it.effect("3.1: an app that is deleted leaves no id in `referenced_apps`", () =>
    Effect.gen(function* () {
      const { call, app, owner, workspaceId } = yield* setup
      const sql = yield* SqlClient.SqlClient
      const other = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Others")
      const refs = [{ app_id: app.app_id }, { app_id: other.app_id }]
      const pointing = yield* createApp(
        owner,
        workspaceId,
        [field("multi_relation", "Links", { referenced_apps: refs })],
        "Pointing"
      )
      assert.strictEqual((yield* call("DELETE", `/v1/app/${app.app_id}`)).status, 200)
      const remainingApp = yield* call("GET", `/v1/app/${pointing.app_id}`)
      assert.deepStrictEqual(remainingApp.json.fields[0].config.settings.referenced_apps, [{ app_id: other.app_id }])
      const staleFields = yield* sql`SELECT 1 FROM fields WHERE settings::text LIKE ${`%"app_id": ${app.app_id}%`}`
      assert.deepStrictEqual(staleFields, [])
    })
  )
})
