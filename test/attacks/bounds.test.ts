// "Safe among strangers", section 2, points 1 and 2 (decisions P6, P7): bodies that never end and structures that never end, thrown at
// the whole service as a real process.
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { freshDatabaseUrl } from "../support/database.ts"
import { BOUND } from "../support/eventually.ts"
import { operate, type ServiceProcess, startService } from "../support/processes.ts"
import { chunked, send } from "./support/raw.ts"

const MIB = 1024 * 1024
/** What a process grows by for reasons of its own while it answers. */
const SLACK_MIB = 96

class Service extends Context.Service<Service, ServiceProcess & { readonly token: string }>()("test/attacks/Service") {
  static readonly layer = Layer.effect(
    Service,
    Effect.gen(function* () {
      const url = yield* freshDatabaseUrl
      const service = yield* startService(url, {
        BODY_TIMEOUT_SECONDS: "2",
        LOG_LEVEL: "warn",
        RATE_BUDGET: "100000000"
      })
      const { token } = yield* operate(url, service.origin, "demo-seed")
      return Service.of({ ...service, token })
    })
  )
}

const residentMib = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

/** The most that the process grew by while the promise was under way. */
const growthDuring = async <A>(pid: number, work: () => Promise<A>) => {
  const initialMib = residentMib(pid)
  let highestMib = initialMib
  const timer = setInterval(() => {
    highestMib = Math.max(highestMib, residentMib(pid))
  }, 20)
  try {
    const value = await work()
    return { value, growth: Math.max(highestMib, residentMib(pid)) - initialMib }
  } finally {
    clearInterval(timer)
  }
}

/** A body that takes minutes, where two seconds are given. */
const DRIPS = 2_000
const DRIP = "1\r\na\r\n"

const form = { "content-type": "application/x-www-form-urlencoded" }
const json = { "content-type": "application/json" }
const multipart = { "content-type": "multipart/form-data; boundary=b", connection: "close" }

/** Every place that reads a body: path, headers; `signed` ones with a credential. */
const readers: ReadonlyArray<readonly [path: string, headers: Record<string, string>, signed?: boolean]> = [
  ["/oauth/token", form],
  ["/oauth/register", json],
  ["/oauth/revoke", form],
  ["/oauth/introspect", form],
  ["/sign-in", form],
  ["/account/forgot-password", form],
  ["/v1/record/app/1", json, true],
  ["/v1/record/filter/app/1", json, true],
  ["/v1/file/upload", multipart, true],
  ["/mcp", json, true],
  // Unread bodies: nobody is known, nothing is there.
  ["/v1/record/app/1", json],
  ["/mcp", json],
  ["/api/catch/unknown", json],
  ["/nowhere", json]
]

const live = { timeout: 300_000 }

/** Processor time that the process has taken, in milliseconds (100 ticks a second). */
const cpuMillis = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const many = (count: number, item: string) => Array.from({ length: count }, () => item).join()
const keys = (count: number) => Array.from({ length: count }, (_, index) => `"key_${index}":1`).join()
const nested = (count: number) => `{"operator":"and","rows":[${many(count, "{}")}]}`

/** Bodies within 2 MiB; before, the first of them took 49 s. */
const structures: ReadonlyArray<readonly [method: string, path: string, body: string, said: RegExp]> = [
  ["POST", "/v1/record/filter/app/1", `{"filters":[${many(600_000, "{}")}]}`, /holds more than 200000 values/],
  ["POST", "/v1/record/filter/app/1", `{"filters":[${many(60_000, "{}")}]}`, /filters: expected at most/],
  [
    "POST",
    "/v1/record/filter/app/1",
    `{"filters":[{"type":"text","match_type":"equal","values":[${many(90_000, "{}")}]}]}`,
    /expected at most/
  ],
  ["POST", "/v1/record/filter/app/1", `{${keys(100_000)}}`, /more than 10000 keys/],
  ["POST", "/v1/record/filter/app/1", `{${keys(9_000)}}`, /key_0: unknown key, and many more/],
  ["POST", "/v1/record/app/1", `{"fields":{${keys(9_000)}}}`, /fields: expected at most/],
  ["POST", "/v1/record/app/1", `{"fields":{${keys(120_000)}}}`, /more than 10000 keys/],
  [
    "POST",
    "/v1/record/app/1",
    `{"fields":{"title":[${many(50_000, "[[]]")}]}}`,
    /fields.title: expected at most|fields: expected at most/
  ],
  ["POST", "/v1/record/app/batch/1", `{"inputs":[${many(90_000, "{}")}]}`, /inputs: expected at most/],
  [
    "POST",
    "/v1/record/app/batch/1/delete",
    `{"record_ids":[${many(190_000, "1")}]}`,
    /record_ids: expected at most 2000 entries/
  ],
  [
    "POST",
    "/v1/record/app/1/ref/1",
    `{"recordIds":[${many(190_000, "1")}],"direction":"both"}`,
    /recordIds: expected at most/
  ],
  ["POST", "/v1/app", `{"workspace_id":1,"name":"x","fields":[${many(90_000, "{}")}]}`, /fields: expected at most/],
  [
    "POST",
    "/v1/automation/app/1",
    `{"name":"x","actions":[${many(40_000, "{}")}]}`,
    /expected at most 40000 values|20000 values/
  ],
  [
    "POST",
    "/v1/automation/app/1",
    `{"name":"x","actions":[${many(19_000, "{}")}]}`,
    /there are 19000 actions; at most 200/
  ],
  ["POST", "/v1/automation/app/1", `{"name":"x","filter":${nested(19_000)}}`, /filter has 19000 rows; at most 100/],
  [
    "POST",
    "/v1/automation/app/1",
    `{"name":"x","actions":[{"type":"send_email","config":{"to_address":[${many(15_000, '"a"')}]}}]}`,
    /to_address: expected at most 1000 entries/
  ],
  [
    "POST",
    "/v1/automation/app/1",
    `{"name":"x","actions":[{"type":"current_record_update","config":{${keys(9_000)}}}]}`,
    /config: expected at most/
  ],
  ["POST", "/v1/automation/app/1", `{"name":"${"x".repeat(1_500_000)}"}`, /name: expected at most 5000 characters/],
  ["POST", "/v1/automation-run", `{"app_ids":[${many(190_000, "1")}]}`, /app_ids: expected at most 100 entries/],
  ["POST", "/v1/hook/app/1", `{"type":"record.create","url":"${"h".repeat(1_900_000)}"}`, /url: expected at most/],
  ["POST", "/v1/comment/record/RECORD", `{"value":"${"@[a](user:1)".repeat(150_000)}"}`, /value: expected at most/],
  [
    "POST",
    "/mcp",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_records","arguments":{"app_id":1,"filters":[${many(20_000, "{}")}]}}}`,
    /filters: expected at most/
  ],
  [
    "POST",
    "/mcp",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_records","arguments":{"app_id":1,"filters":[${many(60_000, "{}")}]}}}`,
    /holds more than 50000 values/
  ],
  ["POST", "/mcp", `[${many(300_000, "{}")}]`, /holds more than 50000 values/],
  ["POST", "/mcp", `[${many(20_000, "{}")}]`, /at most 20 messages/]
]

layer(Service.layer, { excludeTestServices: true })("section 2, bodies (P6)", (it) => {
  it.effect(
    "a chunked body of 150 MB, several at once at every reader, is answered, closed, and leaves no memory behind",
    () =>
      Effect.gen(function* () {
        const { child, origin, token } = yield* Service
        for (const [path, headers, signed] of readers) {
          const allHeaders = {
            "transfer-encoding": "chunked",
            ...headers,
            ...(signed ? { authorization: `Bearer ${token}` } : {})
          }
          const flood = (mib = 150) => send(origin, { path, headers: allHeaders, body: chunked(mib * MIB) })
          // A process that has just started grows to what its work needs; a body that is held grows with the body.
          yield* Effect.promise(() => Promise.all(Array.from({ length: 6 }, () => flood(20))))
          const { growth, value } = yield* Effect.promise(() =>
            growthDuring(child.pid!, () => Promise.all(Array.from({ length: 6 }, () => flood())))
          )
          const summary = `${path} ${JSON.stringify(value.map(({ closed, sent, status }) => ({ closed, sent, status })))}`
          for (const reply of value) {
            assert.isTrue(reply.status >= 400 && reply.status < 500, summary)
            assert.isTrue(reply.closed, summary)
            // Two MiB are read at most; the rest is what sockets hold on the way. Files go to the disk, ten of 100 MB.
            if (path !== "/v1/file/upload") assert.isBelow(reply.sent, 32 * MIB, summary)
          }
          assert.isBelow(growth, SLACK_MIB, summary)
        }
      }),
    live
  )

  it.effect("a Content-Length beyond the limit is refused before a byte is read, with or without Expect", () =>
    Effect.gen(function* () {
      const { origin, token } = yield* Service
      const headers = { ...json, "content-length": String(3 * MIB), authorization: `Bearer ${token}` }
      for (const more of [{}, { expect: "100-continue" }]) {
        const reply = yield* Effect.promise(() =>
          send(origin, { path: "/v1/record/app/1", headers: { ...headers, ...more }, body: [] })
        )
        assert.strictEqual(reply.status, 400)
        assert.match(reply.text, /larger than 2 MiB/)
        assert.match(reply.text, /connection: close/i)
        assert.isTrue(reply.closed)
      }
    })
  )

  it.effect("a client that asks first (Expect: 100-continue) is told to go on", () =>
    Effect.gen(function* () {
      const { origin } = yield* Service
      const body = "grant_type=refresh_token"
      const headers = { ...form, "content-length": String(body.length), expect: "100-continue", connection: "close" }
      const reply = yield* Effect.promise(() =>
        send(origin, { path: "/oauth/token", headers, body: ["", body], pauseMillis: 300 })
      )
      assert.match(reply.text, /^HTTP\/1\.1 100 Continue/)
      assert.match(reply.text, /HTTP\/1\.1 4\d\d[\s\S]*REQUEST_INVALID|CLIENT_AUTH/)
    })
  )

  it.effect("a body that trickles is ended when its time is up, at every reader", () =>
    Effect.gen(function* () {
      const { origin, token } = yield* Service
      const drip = function* () {
        for (let i = 0; i < DRIPS; i++) yield DRIP
      }
      const results = yield* Effect.promise(() =>
        Promise.all(
          readers.map(([path, headers, signed]) =>
            send(origin, {
              path,
              headers: {
                "transfer-encoding": "chunked",
                ...headers,
                ...(signed ? { authorization: `Bearer ${token}` } : {})
              },
              body: drip(),
              pauseMillis: 100,
              patienceMillis: BOUND
            })
          )
        )
      )
      for (const [index, told] of results.entries()) {
        const summary = `${readers[index]![0]}: ${told.status} after ${told.sent} bytes ${told.text.slice(0, 400)}`
        assert.isTrue(told.closed, summary)
        assert.isTrue(told.status >= 400 && told.status < 500, summary)
        // The rest of the dripping is left out.
        assert.isBelow(told.sent, DRIPS * DRIP.length, summary)
      }
    })
  )

  it.effect("what is framed in two ways, with no length or encoded is a clear error, never a 500", () =>
    Effect.gen(function* () {
      const { origin, token } = yield* Service
      const cases: ReadonlyArray<readonly [Record<string, string>, RegExp]> = [
        [{ "content-length": "4x" }, /HTTP\/1\.1 400[\s\S]*Content-Length is not a length/],
        [{ "content-length": "-1" }, /HTTP\/1\.1 400[\s\S]*Content-Length is not a length/],
        [{ "content-length": "2", "transfer-encoding": "chunked" }, /HTTP\/1\.1 400[\s\S]*framed in two ways/],
        [{ "transfer-encoding": "gzip, chunked", "content-encoding": "gzip" }, /HTTP\/1\.1 400/],
        [
          { "content-length": "2", "content-encoding": "gzip" },
          /HTTP\/1\.1 400[\s\S]*Content-Encoding is not supported/
        ]
      ]
      for (const [headers, expected] of cases) {
        const reply = yield* Effect.promise(() =>
          send(origin, {
            path: "/v1/record/app/1",
            headers: { ...json, authorization: `Bearer ${token}`, connection: "close", ...headers },
            body: ["{}"],
            patienceMillis: 20_000
          })
        )
        assert.match(reply.text, expected, JSON.stringify(headers))
      }
    })
  )

  it.effect("a form with files keeps no more of its fields than their limit, however many there are", () =>
    Effect.gen(function* () {
      const { child, origin, token } = yield* Service
      const part = `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n`
      const fields = function* () {
        for (const piece of [part, "x".repeat(MIB)]) yield `${piece.length.toString(16)}\r\n${piece}\r\n`
        yield* chunked(100 * MIB)
      }
      const header = function* () {
        const piece = `--b\r\ncontent-disposition: form-data; name="a`
        yield `${piece.length.toString(16)}\r\n${piece}\r\n`
        yield* chunked(100 * MIB)
      }
      const headers = { ...multipart, "transfer-encoding": "chunked", authorization: `Bearer ${token}` }
      for (const body of [fields, header]) {
        const { growth, value } = yield* Effect.promise(() =>
          growthDuring(child.pid!, () =>
            Promise.all(
              Array.from({ length: 6 }, () => send(origin, { path: "/v1/file/upload", headers, body: body() }))
            )
          )
        )
        for (const reply of value) assert.strictEqual(reply.status, 400, reply.text)
        assert.isBelow(growth, SLACK_MIB)
      }
    })
  )

  it.effect("a request that asks for an upgrade is answered as any other, with its body", () =>
    Effect.gen(function* () {
      const { origin } = yield* Service
      const body = "grant_type=refresh_token"
      const headers = { ...form, "content-length": String(body.length), connection: "Upgrade", upgrade: "h2c" }
      const reply = yield* Effect.promise(() =>
        send(origin, { path: "/oauth/token", headers, body: [body], patienceMillis: 3_000 })
      )
      assert.strictEqual(reply.status, 401, reply.text)
    })
  )

  it.effect(
    "structures without end are refused before their items are decoded, with a short answer (P7)",
    () =>
      Effect.gen(function* () {
        const { child, origin, token } = yield* Service
        const headers = { ...json, authorization: `Bearer ${token}` }
        const record = yield* Effect.promise(async () => {
          const response = await fetch(`${origin}/v1/record/app/1`, {
            method: "POST",
            headers,
            body: JSON.stringify({ fields: { title: "Commented" } })
          })
          return ((await response.json()) as { readonly record_id: number }).record_id
        })
        for (const [method, written, body, said] of structures) {
          const path = written.replace("RECORD", String(record))
          const cpuBefore = cpuMillis(child.pid!)
          const reply = yield* Effect.promise(async () => {
            const response = await fetch(`${origin}${path}`, { method, headers, body })
            return { status: response.status, text: await response.text() }
          })
          const spent = cpuMillis(child.pid!) - cpuBefore
          const summary = `${method} ${path} ${body.slice(0, 60)}: ${reply.status} ${reply.text.slice(0, 400)}, ${spent} ms`
          assert.isTrue(reply.status === 400 || (path === "/mcp" && reply.status === 200), summary)
          assert.match(reply.text, said, summary)
          assert.isBelow(reply.text.length, 8_000, summary)
          assert.isBelow(spent, 1_500, summary)
        }
      }),
    live
  )
})
