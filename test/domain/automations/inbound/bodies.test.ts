// What senders send to inbound addresses besides plain UTF-8, and what sync addresses answer (developer-api.md 7.9; RFC 9110 8.3, 8.4, 9.3.2).
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Contents } from "../../../../src/domain/records/files/Contents.ts"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { runsOf, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const BASE = "http://127.0.0.1:8080"

/** An automation with an inbound address, active; answers its id and path. */
const inbound = Effect.fnUntraced(function* (config: object = {}, active = true) {
  const app = yield* App
  const { appId, token } = yield* seedApp()
  const actions = [{ type: "exit", config: { exit_type: "success" } }]
  const body = { name: "Inbound", trigger: { type: "webhook_received", config }, actions }
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  if (active) yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  return {
    id,
    url: (creation.json.automation.trigger.config.webhook_url as string).replace(/^.*?(?=\/api\/catch)/, BASE)
  }
})

const send = (url: string, headers: Record<string, string>, body?: string | Uint8Array, method = "POST") =>
  Effect.gen(function* () {
    const app = yield* App
    const init = body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }
    const response = yield* app.fetch(new Request(url, { method, headers, ...init }))
    return { response, text: yield* Effect.promise(() => response.text()) }
  })

const triggerData = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ data: any }>`
        SELECT data FROM runs JOIN run_triggers USING (run_id) WHERE automation_id = ${id} ORDER BY run_id`,
      (rows) => rows.map(({ data }) => data)
    )
  )

const prop = (key: string, data_type = "text") => ({
  kind: "variable",
  source: "trigger",
  trigger_type: "webhook_payload_property",
  key_path: [key],
  data_type
})

layer(spineLayer(), { excludeTestServices: true })("bodies of inbound webhooks (7.9)", (it) => {
  it.effect("packed, in other charsets and under other names of JSON they are the payload that was meant", () =>
    Effect.gen(function* () {
      const { id, url } = yield* inbound()
      const json = { "content-type": "application/json" }
      const cases: ReadonlyArray<readonly [Record<string, string>, string | Uint8Array, unknown]> = [
        [{ ...json, "content-encoding": "gzip" }, gzipSync(`{"n":"gzip"}`), { n: "gzip" }],
        [{ ...json, "content-encoding": "deflate" }, deflateSync(`{"n":"deflate"}`), { n: "deflate" }],
        [{ ...json, "content-encoding": "br" }, brotliCompressSync(`{"n":"br"}`), { n: "br" }],
        [{ ...json, "content-encoding": "zstd" }, zstdCompressSync(`{"n":"zstd"}`), { n: "zstd" }],
        [{ "content-type": "text/json; charset=utf-8" }, `{"n":"text"}`, { n: "text" }],
        [{ "content-type": "application/cloudevents+json" }, `{"n":"plus"}`, { n: "plus" }],
        [json, `\ufeff{"n":"mark"}`, { n: "mark" }],
        [
          { "content-type": "application/json; charset=ISO-8859-1" },
          Buffer.from(`{"n":"Zoë"}`, "latin1"),
          { n: "Zoë" }
        ],
        [{ "content-type": "text/csv; charset=windows-1252" }, Buffer.from("M\xfcller", "latin1"), { raw: "Müller" }],
        [
          { "content-type": "application/x-www-form-urlencoded; charset=iso-8859-1" },
          "name=M%FCller+%26+Co&x=1",
          { name: "Müller & Co", x: "1" }
        ],
        [{ "content-type": "application/x-www-form-urlencoded" }, "name=M%C3%BCller", { name: "Müller" }],
        [{ "content-type": "application/x-unknown" }, "words", { raw: "words" }]
      ]
      for (const [headers, body] of cases) {
        const { response, text } = yield* send(url, headers, body)
        assert.strictEqual(response.status, 202, `${JSON.stringify(headers)} ${text}`)
      }
      yield* runsOver(id, cases.length)
      const payloads = (yield* triggerData(id)).map(({ webhook_payload }) => webhook_payload)
      assert.sameDeepMembers(
        payloads,
        cases.map(([, , payload]) => payload)
      )
    })
  )

  it.effect("no text is a file, under the name that the sender gives; text without a type is text", () =>
    Effect.gen(function* () {
      const contents = yield* Contents
      const sql = yield* SqlClient.SqlClient
      const { id, url } = yield* inbound()
      const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 1])
      const octets = { "content-type": "application/octet-stream" }
      yield* send(
        url,
        { "content-type": "image/png", "content-disposition": "inline; filename*=UTF-8''K%C3%A4se.png" },
        bytes
      )
      yield* send(url, { ...octets, "content-encoding": "gzip" }, gzipSync(bytes))
      yield* send(url, { "content-type": "application/x-unknown" }, bytes)
      yield* send(url, octets, "plain words")
      yield* runsOver(id, 4)
      const triggerRows = yield* triggerData(id)
      const receivedFiles = triggerRows.map(({ webhook_files: [file], webhook_payload }) => [
        file.filename,
        file.mimetype,
        file.size,
        webhook_payload
      ])
      assert.sameDeepMembers(receivedFiles, [
        ["Käse.png", "image/png", 7, {}],
        ["file", "application/octet-stream", 7, {}],
        ["file", "application/x-unknown", 7, {}],
        ["file", "application/octet-stream", 11, { raw: "plain words" }]
      ])
      for (const { webhook_files } of triggerRows.filter(({ webhook_files: [file] }) => file.size === 7)) {
        const [row] = yield* sql<{ storage_key: string }>`
          SELECT storage_key FROM files WHERE file_id = ${webhook_files[0].file_id}`
        assert.deepStrictEqual(new Uint8Array(yield* contents.bytes(row!.storage_key)), bytes)
      }
    })
  )

  it.effect("what is unpacked is bounded; what cannot be is a 400, and a coding that is not known a 415", () =>
    Effect.gen(function* () {
      const { id, url } = yield* inbound()
      const json = { "content-type": "application/json", "content-encoding": "gzip" }
      const bomb = yield* send(url, json, gzipSync(Buffer.alloc(2 * 1024 * 1024, 32)))
      assert.deepStrictEqual(
        [bomb.response.status, JSON.parse(bomb.text).error_message],
        [400, "The body is larger than 1 MiB."]
      )
      const octets = { "content-type": "application/octet-stream", "content-encoding": "gzip" }
      const large = yield* send(url, octets, gzipSync(Buffer.alloc(26_000_000)))
      assert.strictEqual(large.response.status, 400, large.text)
      for (const headers of [json, octets]) {
        const uncompressed = yield* send(url, headers, `{"n":1}`)
        assert.strictEqual(uncompressed.response.status, 400)
        assert.include(uncompressed.text, "not gzip")
      }
      const odd = yield* send(url, { ...json, "content-encoding": "compress" }, "x")
      assert.strictEqual(odd.response.status, 415)
      assert.strictEqual(odd.response.headers.get("accept-encoding"), "gzip, deflate, br, zstd")
      const form = { "content-type": "multipart/form-data; boundary=b", "content-encoding": "gzip" }
      const packed = yield* send(url, form, gzipSync("--b--"))
      assert.deepStrictEqual(
        [packed.response.status, packed.response.headers.get("accept-encoding")],
        [415, "identity"]
      )
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("HEAD finds the address, OPTIONS says what may be sent; both fire nothing, an unknown one is a 404", () =>
    Effect.gen(function* () {
      const { id, url } = yield* inbound()
      const head = yield* send(url, {}, undefined, "HEAD")
      assert.deepStrictEqual([head.response.status, head.text], [200, ""])
      const options = yield* send(url, { "webhook-request-origin": "events.example.com" }, undefined, "OPTIONS")
      assert.strictEqual(options.response.status, 204)
      assert.strictEqual(options.response.headers.get("allow"), "GET, HEAD, POST, PUT, OPTIONS")
      assert.strictEqual(options.response.headers.get("webhook-allowed-origin"), "events.example.com")
      assert.isNull(options.response.headers.get("access-control-allow-origin"))
      for (const method of ["PATCH", "DELETE"])
        assert.strictEqual((yield* send(url, {}, undefined, method)).response.status, 405)
      for (const method of ["HEAD", "OPTIONS"])
        assert.strictEqual((yield* send(`${BASE}/api/catch/unknown`, {}, undefined, method)).response.status, 404)
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("a JSON answer stays what its author wrote, whatever callers send; texts say their charset", () =>
    Effect.gen(function* () {
      const sync = { response_mode: "sync", response_timeout_seconds: 30 }
      const answered = Effect.fnUntraced(function* (config: object, payload: object) {
        const { url } = yield* inbound({ ...sync, ...config })
        const { response, text } = yield* send(url, { "content-type": "application/json" }, JSON.stringify(payload))
        return { text, type: response.headers.get("content-type") }
      })
      const name = `Zoë "Z"\n\\Müller", "admin": true, "x": "`
      const object = [`{"hello": "`, prop("name"), `", "n": `, prop("n"), `, "list": [`, prop("list"), `, 1]}`]
      const forged = yield* answered(
        { response_body: object },
        { name, n: `1, "admin": true`, list: `1], "admin": true, "y": [2` }
      )
      assert.strictEqual(forged.type, "application/json")
      assert.deepStrictEqual(JSON.parse(forged.text), {
        hello: name,
        n: `1, "admin": true`,
        list: [`1], "admin": true, "y": [2`, 1]
      })
      const honest = yield* answered({ response_body: object }, { name: "a", n: 2.5, list: "3, 4" })
      assert.deepStrictEqual(JSON.parse(honest.text), { hello: "a", n: 2.5, list: [3, 4, 1] })
      const problem = {
        response_content_type: "application/problem+json",
        response_body: [`{"t":"`, prop("name"), `"}`]
      }
      assert.strictEqual(JSON.parse((yield* answered(problem, { name })).text).t, name)
      // Of another type, or nothing but what was sent: as it is.
      const text = yield* answered({ response_content_type: "text/plain", response_body: [prop("name")] }, { name })
      assert.deepStrictEqual([text.text, text.type], [name, "text/plain; charset=utf-8"])
      assert.strictEqual((yield* answered({ response_body: [prop("name")] }, { name: "challenge" })).text, "challenge")
      const typed = (response_content_type: string) =>
        Effect.map(answered({ response_content_type, response_body: ["ü"] }, {}), ({ type }) => type)
      assert.strictEqual(yield* typed("text/html"), "text/html; charset=utf-8")
      assert.strictEqual(yield* typed("text/html; charset=iso-8859-1; a=b"), "text/html; charset=utf-8; a=b")
      assert.strictEqual(yield* typed("application/xml"), "application/xml; charset=utf-8")
      assert.strictEqual(yield* typed("image/x-own"), "image/x-own")
    })
  )
})
