// Strangers who ask for anything, in any order and as badly as it goes, and leave at any moment (decisions P6): the process goes on, complains of
// nothing that is its own fault, and answers the next one.
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { routes } from "../../clients/typescript/src/generated/routes.ts"
import { freshDatabaseUrl } from "../support/database.ts"
import { operate, startService } from "../support/processes.ts"
import { DEPTH, seedOf } from "../support/seed.ts"
import { answers } from "./answering.ts"

const SEED = seedOf("FUZZ_SEED")
const AT_A_TIME = 12
/** Visits of a draw. */
const DRAWN = 1_000
/** Who waits longer has been answered. */
const PATIENCE_MILLIS = 120

const doors = `
  GET /|GET /sign-in|POST /sign-in|GET /account/connections|GET /oauth/authorize?client_id=x|POST /oauth/token|POST /oauth/register|POST /oauth/revoke
  GET /console/|GET /docs|GET /openapi.json|GET /v1/events|GET /mcp|POST /mcp|DELETE /mcp|GET /health/ready|GET /metrics|OPTIONS /oauth/token
  GET /.well-known/oauth-authorization-server|GET /file/1?expires=1&signature=x|POST /weblink/trigger/x|POST /api/catch/x|HEAD /sign-in|PATCH /v1/app`
const calls = [
  ...doors.trim().split(/[|\n]\s*/),
  // Nothing is taken away from those who come later.
  ...Object.values(routes).flatMap(({ method, path }) => (method === "DELETE" ? [] : [`${method} ${path}`]))
]

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "stranger", version: "1" } }
const form = (size: number) =>
  `--b\r\nContent-Disposition: form-data; name="source"; filename="a.txt"\r\n\r\n${"x".repeat(size)}\r\n--b--\r\n`

const body = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      "{}",
      "[".repeat(40_000),
      '{"filters":[]}',
      '{"fields":{"title":"A"}}',
      "grant_type=refresh_token&refresh_token=x"
    ],
    ...[rpc("initialize", client), rpc("tools/list"), rpc("tools/call", { name: "list_apps", arguments: {} })]
  ),
  fc.integer({ min: 0, max: 300_000 }).map((size) => JSON.stringify({ fields: "x".repeat(size) })),
  fc.integer({ min: 0, max: 300_000 }).map(form)
)
const kindOf = (sent: string) =>
  sent.startsWith("--b")
    ? "multipart/form-data; boundary=b"
    : sent.startsWith("grant")
      ? "application/x-www-form-urlencoded"
      : "application/json"

const rarely = (...lines: ReadonlyArray<string>) => fc.constantFrom(...lines, ...Array<undefined>(8).fill(undefined))
const request = fc.record({
  call: fc.constantFrom(...calls),
  id: fc.integer({ min: 1, max: 4 }),
  known: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  body,
  off: fc.constantFrom(...Array<number>(10).fill(0), -3, 5),
  lines: fc.tuple(
    fc.constantFrom("Accept: */*", "Accept: text/html", "Accept: application/json, text/event-stream"),
    rarely("Accept-Encoding: gzip", "Accept-Encoding: br", "Accept-Encoding: zstd"),
    rarely("Range: bytes=0-9", "If-None-Match: *", "Idempotency-Key: once", "Idempotency-Key: again"),
    rarely("Expect: 100-continue", "Connection: close", "Connection: Upgrade\r\nUpgrade: websocket"),
    rarely("Transfer-Encoding: chunked", "Content-Encoding: gzip")
  )
})
const visit = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  /** So much of what is said is said. */
  part: fc.constantFrom(1, 1, 1, 1, 0.2, 0.7, 0.99),
  parting: fc.constantFrom("ends", "waits", "waits", "does not read"),
  resets: fc.boolean(),
  after: fc.double({ min: 0, max: 1, noNaN: true })
})

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never
const textOf = (token: string) => (one: Drawn<typeof request>) => {
  const [method, path = ""] = one.call.split(" ")
  const sentBody = method === "GET" || method === "HEAD" ? "" : one.body
  const lines = [
    `${method} ${path.replace(/\{[^}]*\}/g, String(one.id))} HTTP/1.1`,
    "Host: a",
    ...one.lines.filter((line) => line !== undefined),
    ...(one.known ? [`Authorization: Bearer ${token}`] : []),
    ...(sentBody === "" ? [] : [`Content-Type: ${kindOf(sentBody)}`]),
    ...(method === "GET" ? [] : [`Content-Length: ${Math.max(0, sentBody.length + one.off)}`])
  ]
  return `${lines.join("\r\n")}\r\n\r\n${sentBody}`
}

const visits = (port: number, token: string, one: Drawn<typeof visit>) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      const requestText = one.requests.map(textOf(token)).join("")
      socket.write(requestText.slice(0, Math.ceil(requestText.length * one.part)))
      if (one.parting === "ends") socket.end()
      if (one.parting !== "does not read") socket.resume()
      setTimeout(() => (one.resets ? socket.resetAndDestroy() : socket.destroy()), one.after ** 3 * PATIENCE_MILLIS)
    })
    socket.on("error", () => {}).on("close", () => resolve())
  })

it.live("the process goes on, whatever was asked and however who asked has left", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const { child, origin, output } = yield* startService(url, { RATE_BUDGET: "100000000", LOG_LEVEL: "warn" })
    const { token } = yield* operate(url, origin, "demo-seed")
    const port = Number(new URL(origin).port)
    let visited = 0
    for (let draw = 0; draw < DEPTH && child.exitCode === null; draw++) {
      const drawn = fc.sample(visit, { seed: SEED + draw, numRuns: DRAWN })
      const visitAll = async () => {
        for (let next = drawn.pop(); next !== undefined && child.exitCode === null; next = drawn.pop()) {
          await visits(port, token, next)
          visited++
        }
      }
      yield* Effect.promise(() => Promise.all(Array.from({ length: AT_A_TIME }, visitAll)))
    }
    assert.strictEqual(child.exitCode, null, `seed ${SEED}, after ${visited} visits`)
    assert.strictEqual(visited, DRAWN * DEPTH, "visits")
    assert.deepStrictEqual(output().match(/^.*(?:\bERROR\b|\bFATAL\b|Warning|ERR_).*$/gm) ?? [], [], `seed ${SEED}`)
    yield* answers(`${origin}/v1/user`, token)
  }).pipe(Effect.scoped)
)
