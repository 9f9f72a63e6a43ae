// Inbound webhooks over HTTP, with real Postgres and Temporal (developer-api.md 7.9; decisions O9).
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { releaseCaught } from "../../../../src/domain/automations/inbound/pruneCatches.ts"
import { pruneRuns } from "../../../../src/domain/automations/run/pruneRuns.ts"
import { Files } from "../../../../src/domain/records/files/Files.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { runsOf, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const BASE = "http://127.0.0.1:8080"

/** An automation with an inbound address, active unless said otherwise; answers its id and path. */
const inbound = Effect.fnUntraced(function* (config: object = {}, more: object = {}, active = true) {
  const app = yield* App
  const { appId, token } = yield* seedApp()
  const body = { name: "Inbound", trigger: { type: "webhook_received", config }, actions: succeed, ...more }
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  if (active) yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  const url = creation.json.automation.trigger.config.webhook_url as string
  assert.isTrue(url.startsWith(`${BASE}/api/catch/`))
  return { id, appId, token, path: url.slice(BASE.length) }
})

const succeed = [{ type: "exit", config: { exit_type: "success" } }]

const triggerData = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        data: any
      }>`SELECT data FROM runs JOIN run_triggers USING (run_id) WHERE automation_id = ${id} ORDER BY run_id`,
      (rows) => rows.map(({ data }) => data)
    )
  )

const lastReceived = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<any>`SELECT payload, files, received_on FROM webhook_catches WHERE automation_id = ${id}`,
      ([row]) => row
    )
  )

/** Members in one order, own `__proto__` included: JSON columns do not keep it. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, item]) => [key, sorted(item)])
      : value

const never = {
  operator: "and",
  rows: [
    {
      subject: {
        kind: "variable",
        source: "trigger",
        trigger_type: "webhook_payload_property",
        key_path: ["kind"],
        data_type: "text"
      },
      operator: "is",
      value: { type: "text", text: ["nothing that is ever sent"] }
    }
  ]
}

layer(spineLayer(), { excludeTestServices: true })("inbound webhooks (7.9)", (it) => {
  it.effect("every kind of body becomes a payload: JSON, form, query, text; answered 202 {} once it is stored", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, path } = yield* inbound()
      const send = (method: string, type: string, body: string) =>
        app.call(method, path, { body, headers: { "content-type": type } })
      const json = yield* send(
        "POST",
        "application/json",
        '{"kind":"order","lines":[1,{"__proto__":"x","a\\u0000":"\\ud800"}]}'
      )
      assert.strictEqual(json.status, 202)
      assert.deepStrictEqual(json.json, {})
      yield* send("PUT", "application/vnd.shop+json; charset=utf-8", "[1,2]")
      yield* send("POST", "application/x-www-form-urlencoded", "a=1&b=x+y&a=2&__proto__=p")
      yield* app.call("GET", `${path}?q=zw%C3%B6lf&q=13&empty=`)
      yield* send("POST", "text/plain", "plain words\u0000")
      yield* send("POST", "text/csv", "")
      yield* runsOver(id, 6)
      const payloads = (yield* triggerData(id)).map(({ webhook_payload }) => webhook_payload)
      const expected = [
        JSON.parse('{"kind":"order","lines":[1,{"__proto__":"x","a\ufffd":"\ufffd"}]}'),
        [1, 2],
        JSON.parse('{"a":["1","2"],"b":"x y","__proto__":"p"}'),
        { q: ["zwölf", "13"], empty: "" },
        { raw: "plain words\ufffd" },
        { raw: "" }
      ]
      for (const payload of expected) {
        assert.isTrue(
          payloads.some((known) => JSON.stringify(sorted(known)) === JSON.stringify(sorted(payload))),
          `${JSON.stringify(payload)} among ${JSON.stringify(payloads)}`
        )
      }
    })
  )

  it.effect(
    "numbers that a double cannot hold arrive as texts, exactly as written, and the log says so once (A29)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const property = (key_path: ReadonlyArray<unknown>, data_type: string) => ({
          ...{ kind: "variable", source: "trigger", trigger_type: "webhook_payload_property", key_path, data_type }
        })
        const shownValues = ["any", "text", "number"].flatMap((type) => [property(["lines", 0, "id"], type), "|"])
        const { id, path, token } = yield* inbound(
          { response_mode: "sync", response_content_type: "text/plain", response_body: shownValues },
          {}
        )
        const body = '{"lines":[{"id":7615917337495251231},{"id":1e400}],"count":2}'
        const answer = yield* app.call("POST", path, { body, headers: { "content-type": "application/json" } })
        assert.strictEqual(answer.text, "7615917337495251231|7615917337495251231|7615917337495251231|")
        const [data] = yield* triggerData(id)
        assert.deepStrictEqual(data.webhook_payload, {
          lines: [{ id: "7615917337495251231" }, { id: "1e400" }],
          count: 2
        })
        const [run] = (yield* app.call("POST", `/v1/automation-run/automation/${id}`, { token, body: {} })).json
          .automation_runs
        const { logs } = (yield* app.call("GET", `/v1/automation-run/${run.id}`, { token })).json.automation_run
        const precisionWarnings = logs
          .flatMap(({ messages }: any) => messages)
          .filter(({ message }: any) => /2\^53/.test(message))
        assert.lengthOf(precisionWarnings, 1)
        assert.strictEqual(precisionWarnings[0].level, "warn")
      })
  )

  it.effect("a form has at most 10000 fields, counted before they are parsed (P7)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { path } = yield* inbound()
      const send = (fields: number) =>
        app.call("POST", path, {
          body: Array.from({ length: fields }, (_, n) => n).join("&"),
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
      const refusal = yield* send(10_001)
      assert.strictEqual(refusal.status, 400, refusal.text)
      assert.include(refusal.text, "The form has more than 10000 fields.")
      assert.strictEqual((yield* send(10_000)).status, 202)
    })
  )

  it.effect("files of a multipart form are the webhook_file_collection, its fields the payload", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { id, path } = yield* inbound()
      const form = new FormData()
      form.append("note", "two scans")
      form.append("scan", new File(["first"], "../a.txt", { type: "text/plain" }))
      form.append("scan", new File(["second one"], "b\u202e\u2066.pdf", { type: "application/pdf" }))
      const reply = yield* app.fetch(new Request(`${BASE}${path}`, { method: "POST", body: form }))
      assert.strictEqual(reply.status, 202)
      yield* runsOver(id)
      const [data] = yield* triggerData(id)
      assert.deepStrictEqual(data.webhook_payload, { note: "two scans" })
      assert.deepStrictEqual(
        data.webhook_files.map(({ file_id: _, ...file }: any) => file),
        [
          { filename: "a.txt", size: 5, mimetype: "text/plain" },
          { filename: "b.pdf", size: 10, mimetype: "application/pdf" }
        ]
      )
      const fileHolds = yield* sql`SELECT file_id FROM file_holds WHERE holder = ${`webhook/${id}`}`
      assert.strictEqual(fileHolds.length, 2, "held, so that a run that waits finds them")
      assert.strictEqual((yield* lastReceived(id)).files.length, 2)
    })
  )

  it.effect("a field that shares its name with a file is in the payload, wherever it stands (7.9)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, path } = yield* inbound()
      const form = new FormData()
      form.append("scan", "before")
      form.append("scan", new File(["first"], "a.txt", { type: "text/plain" }))
      form.append("scan", new File(["second"], "b.txt", { type: "text/plain" }))
      form.append("scan", "behind")
      yield* app.fetch(new Request(`${BASE}${path}`, { method: "POST", body: form }))
      yield* runsOver(id)
      const [data] = yield* triggerData(id)
      assert.deepStrictEqual(data.webhook_payload, { scan: ["before", "behind"] })
      assert.deepStrictEqual(
        data.webhook_files.map(({ filename }: any) => filename),
        ["a.txt", "b.txt"]
      )
    })
  )

  it.effect("its files stay while a run or the next one may need them, and go when nothing does (7.9, 7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const delay = { type: "delay", config: { delay_ms: 3_600_000 } }
      const { id, path, token } = yield* inbound({}, { actions: [delay] })
      const send = (name: string) => {
        const form = new FormData()
        form.append("scan", new File([name], name, { type: "text/plain" }))
        return app.fetch(new Request(`${BASE}${path}`, { method: "POST", body: form }))
      }
      yield* send("first.txt")
      const [waiting] = yield* eventually("it waits", runsOf(id), (rows) => rows[0]?.wait_until != null)
      yield* send("last.txt")
      yield* eventually("both wait", runsOf(id), (rows) => rows.filter((row) => row.wait_until !== null).length === 2)
      const remainingFiles = Effect.gen(function* () {
        // As if a month had passed over the files.
        yield* sql`UPDATE files SET created_on = created_on - interval '31 days', attached_on = attached_on - interval '31 days'
          WHERE created_on > now() - interval '1 day'`
        yield* releaseCaught
        yield* files.prune(500)
        const rows = yield* sql<{ name: string }>`SELECT name FROM files
          WHERE file_id IN (SELECT (f ->> 'file_id')::bigint FROM unnest(${yield* named}::jsonb[]) AS f) ORDER BY file_id`
        return rows.map(({ name }) => name)
      })
      const caughtFiles = (yield* triggerData(id)).flatMap(({ webhook_files }) => webhook_files)
      const named = Effect.succeed(caughtFiles.map((file) => JSON.stringify(file)))
      assert.deepStrictEqual(yield* remainingFiles, ["first.txt", "last.txt"], "runs that wait need them")
      for (const { run_id } of yield* runsOf(id))
        yield* app.call("POST", `/v1/automation-run/${run_id}/cancel`, { token })
      yield* runsOver(id, 2)
      assert.deepStrictEqual(yield* remainingFiles, ["first.txt", "last.txt"], "runs that are kept may be retried")
      yield* sql`UPDATE runs SET completed_on = completed_on - interval '31 days' WHERE automation_id = ${id}`
      yield* pruneRuns
      // The mailbox rows of the cancelled runs, which need them too, may go only now.
      const remaining = yield* eventually("the first goes", remainingFiles, (names) => names.length < 2)
      assert.deepStrictEqual(remaining, ["last.txt"], "a manual run may ask for the last received payload")
      assert.isDefined(waiting)
      assert.strictEqual((yield* app.call("DELETE", `/v1/automation/${id}`, { token })).status, 200)
      yield* eventually("the last goes", remainingFiles, (names) => names.length === 0)
      const holds = yield* sql`SELECT 1 FROM file_holds WHERE holder = ${`webhook/${id}`}`
      assert.strictEqual(holds.length, 0)
    })
  )

  it.effect("malformed, too large and too deep bodies are a 400 that changes nothing; an unknown token is a 404", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, path } = yield* inbound()
      const json = { "content-type": "application/json" }
      const cases: ReadonlyArray<readonly [string, Record<string, string>]> = [
        ["{ nope", json],
        ["", json],
        [`"${"x".repeat(1024 * 1024)}"`, json],
        ["[".repeat(5_000) + "]".repeat(5_000), json],
        [`a=${"y".repeat(1024 * 1024)}`, { "content-type": "application/x-www-form-urlencoded" }],
        ["z".repeat(1024 * 1024 + 1), { "content-type": "text/plain" }],
        ["--no boundary", { "content-type": "multipart/form-data" }]
      ]
      for (const [body, headers] of cases) {
        const reply = yield* app.call("POST", path, { body, headers })
        assert.strictEqual(reply.status, 400, `${body.slice(0, 20)}: ${reply.text}`)
        assert.strictEqual(reply.json.error_code, "validation")
      }
      const large = new FormData()
      large.append("file", new File([new Uint8Array(25_500_000)], "large.bin"))
      const refusal = yield* app.fetch(new Request(`${BASE}${path}`, { method: "POST", body: large }))
      assert.strictEqual(refusal.status, 400)
      for (const [method, target] of [
        ["POST", "/api/catch/unknown"],
        ["GET", `${path}x`],
        ["PUT", "/api/catch/%00"]
      ] as const) {
        assert.strictEqual((yield* app.call(method, target, method === "GET" ? {} : { body: {} })).status, 404)
      }
      assert.strictEqual((yield* app.call("HEAD", path)).status, 200)
      assert.isUndefined(yield* lastReceived(id))
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("paused or broken: 202, nothing is kept, no run; deleted or retyped: 404 (A23)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { id, path, token } = yield* inbound({}, {}, false)
      assert.strictEqual((yield* app.call("POST", path, { body: { n: 1 } })).status, 202)
      assert.isUndefined(yield* lastReceived(id))
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      assert.strictEqual((yield* app.call("POST", path, { body: { n: 2 } })).status, 202)
      yield* runsOver(id)
      yield* sql`UPDATE automations SET broken = true WHERE automation_id = ${id}`
      assert.strictEqual((yield* app.call("POST", path, { body: { n: 3 } })).status, 202)
      assert.deepStrictEqual((yield* lastReceived(id)).payload, { n: 2 })
      const events = yield* sql`SELECT 1 FROM outbox WHERE type = 'command.automation.fire'`
      assert.strictEqual(events.length, 0)
      assert.strictEqual((yield* runsOf(id)).length, 1)
      yield* sql`UPDATE automations SET broken = false WHERE automation_id = ${id}`
      const manual = yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
        token,
        body: { use_last_received_webhook_payload: true }
      })
      assert.strictEqual(manual.status, 202, manual.text)
      yield* runsOver(id, 2)
      assert.deepStrictEqual((yield* triggerData(id)).at(-1).webhook_payload, { n: 2 })
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: { type: "record_created", config: {} } })
      assert.strictEqual((yield* app.call("POST", path, { body: {} })).status, 404)
    })
  )

  it.effect(
    "payloads that wait for each other hold up neither the count of requests nor anybody's reads (P8, A22)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { id, path, token } = yield* inbound()
        assert.strictEqual((yield* app.call("POST", path, { body: { n: 0 } })).status, 202)
        const [locked, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.andThen(
              sql`SELECT 1 FROM webhook_catches WHERE automation_id = ${id} FOR UPDATE`,
              Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(done))
            )
          )
        )
        yield* Deferred.await(locked)
        const posts = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 30 }, (_, n) => n),
            (n) => app.call("POST", path, { body: { n } }),
            { concurrency: "unbounded" }
          )
        )
        const windowCounts = sql<{
          window_count: number
        }>`SELECT window_count FROM catch_windows WHERE automation_id = ${id}`
        yield* eventually("all are counted", windowCounts, ([row]) => row!.window_count === 31)
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token })).status, 200)
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(holder)
        for (const { status } of yield* Fiber.join(posts)) assert.strictEqual(status, 202)
        yield* runsOver(id, 31)
      })
  )

  it.effect("more than 600 requests a minute on one address are a 429 with Retry-After, another address goes on", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const firstHook = yield* inbound({}, {}, false)
      const other = yield* inbound({}, {}, false)
      assert.strictEqual((yield* app.call("POST", firstHook.path, { body: {} })).status, 202)
      yield* sql`UPDATE catch_windows SET window_count = 597 WHERE automation_id = ${firstHook.id}`
      const send = () => app.call("POST", firstHook.path, { body: {} })
      const replies = yield* Effect.forEach(Array.from({ length: 6 }), send, { concurrency: 8 })
      assert.strictEqual(replies.filter(({ status }) => status === 202).length, 3)
      const limited = replies.filter(({ status }) => status === 429)
      assert.strictEqual(limited.length, 3)
      assert.isAtLeast(Number(limited[0]!.headers.get("retry-after")), 1)
      assert.strictEqual(limited[0]!.json.error_code, "too_many_requests")
      assert.strictEqual((yield* app.call("POST", other.path, { body: {} })).status, 202)
      // An organization may have a limit of its own (P2).
      yield* sql`UPDATE organizations SET limits = '{"inbound_per_minute": 700}'
        WHERE org_id = (SELECT org_id FROM automations WHERE automation_id = ${firstHook.id})`
      assert.strictEqual((yield* send()).status, 202)
    })
  )

  it.effect(
    "sync answers with response_* at the end of the run, sandboxed; without a body where the status has none",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const config = {
          response_mode: "sync",
          response_status: 201,
          response_content_type: "text/html; charset=utf-8",
          response_body: ["<p>taken</p>"]
        }
        const { id, path, token } = yield* inbound(config, { actions: [{ type: "delay", config: { delay_ms: 1000 } }] })
        const reply = yield* app.call("POST", path, { body: {} })
        assert.strictEqual(reply.status, 201)
        assert.strictEqual(reply.text, "<p>taken</p>")
        assert.strictEqual(reply.headers.get("content-type"), "text/html; charset=utf-8")
        assert.match(reply.headers.get("content-security-policy")!, /sandbox$/)
        assert.strictEqual(reply.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual((yield* runsOver(id))[0]!.status, "completed")
        yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
          token,
          body: { type: "webhook_received", config: { ...config, response_status: 204 } }
        })
        const bodiless = yield* app.call("POST", path, { body: {} })
        assert.strictEqual(bodiless.status, 204)
        assert.strictEqual(bodiless.text, "")
      })
  )

  it.effect("sync: a failed run is a 500 {}, a time-out a 202 {} while the run goes on, a paused one a 503 (7.9)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sync = { response_mode: "sync", response_timeout_seconds: 1 }
      const failing = yield* inbound(
        { response_mode: "sync" },
        { actions: [{ type: "exit", config: { exit_type: "failure" } }] }
      )
      const failed = yield* app.call("POST", failing.path, { body: {} })
      assert.strictEqual(failed.status, 500)
      assert.deepStrictEqual(failed.json, {})
      const slow = yield* inbound(sync, { actions: [{ type: "delay", config: { delay_ms: 3000 } }] })
      const lateAnswer = yield* app.call("POST", slow.path, { body: {} })
      assert.strictEqual(lateAnswer.status, 202)
      assert.deepStrictEqual(lateAnswer.json, {})
      assert.strictEqual((yield* runsOver(slow.id))[0]!.status, "completed")
      const paused = yield* inbound(sync, {}, false)
      const closed = yield* app.call("POST", paused.path, { body: {} })
      assert.deepStrictEqual([closed.status, closed.headers.get("retry-after"), closed.text], [503, "60", "{}"])
      assert.isUndefined(yield* lastReceived(paused.id))
    })
  )

  it.effect("sync: response_body holds what the run has come to, whichever way it took and wherever it ended", () =>
    Effect.gen(function* () {
      const app = yield* App
      const lateVariable = { custom_type: "any", label: "Late" }
      const set = (code: string) => ({
        type: "custom_variable",
        config: { assignment_code: [code], custom_variable_defs: [lateVariable] }
      })
      const kind = (never.rows[0] as { readonly subject: object }).subject
      const inner = {
        type: "conditional",
        config: {
          condition: {
            operator: "or",
            rows: [
              { subject: kind, operator: "is", value: { type: "text", text: ["go"] } },
              {
                operator: "and",
                rows: [{ code: ["var_late === 'in'"] }, { code: ["trigger.webhook_payload.n > 1"] }]
              }
            ]
          },
          action_rows: [set("var_late + '+then'"), { type: "exit", config: { exit_type: "success" } }],
          else_action_rows: [set("var_late + '+else'")]
        }
      }
      const { path } = yield* inbound(
        {
          response_mode: "sync",
          response_content_type: "text/plain",
          response_body: [kind, "=", { kind: "variable", source: "custom", ...lateVariable }]
        },
        {
          actions: [
            {
              type: "conditional",
              config: { condition: null, action_rows: [set("'in'"), inner, set("var_late + '+after'")] }
            }
          ]
        }
      )
      const answers = yield* Effect.forEach([{ kind: "go" }, { kind: "<b>", n: 2 }, { n: 1 }], (body) =>
        Effect.map(app.call("POST", path, { body }), ({ text }) => text)
      )
      assert.deepStrictEqual(answers, ["go=in+then", "<b>=in+then", "=in+else+after"])
    })
  )

  it.effect("sync: a filter mismatch is a 204", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, path } = yield* inbound({ response_mode: "sync" }, { filter: never })
      const reply = yield* app.call("POST", path, { body: { kind: "order" } })
      assert.strictEqual(reply.status, 204)
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("the token is stored hashed and encrypted, and stays while the trigger type stays (O9)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { id, path, token } = yield* inbound()
      const secret = path.split("/").at(-1)!
      const dump = JSON.stringify(yield* sql`SELECT to_jsonb(a) AS row FROM automations a WHERE automation_id = ${id}`)
      assert.isFalse(dump.includes(secret))
      const triggerUpdate = yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
        token,
        body: { type: "webhook_received", config: { response_mode: "sync" } }
      })
      assert.strictEqual(triggerUpdate.json.automation.trigger.config.webhook_url, `${BASE}${path}`)
    })
  )
})
