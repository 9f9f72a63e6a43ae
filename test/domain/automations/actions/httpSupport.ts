// A world of HTTP steps: three receivers on loopback, of which one wants a client certificate, and secrets of the app.
import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { type Receiver, receiver as startReceiver } from "../../../support/receiver.ts"
import { spineLayer } from "../../../support/spine.ts"
import { order, seedWorld, type World } from "./support.ts"

export class HttpSide extends Context.Service<
  HttpSide,
  {
    readonly receiver: Receiver
    /** Another origin. */
    readonly other: Receiver
    /** Lets in who has a certificate. */
    readonly tls: Receiver
  }
>()("test/HttpSide") {}

const pem = (name: string) =>
  readFileSync(new URL(`../../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")

export const httpWorld = Layer.unwrap(
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    const other = yield* startReceiver()
    const tls = yield* startReceiver({ tls: { key: pem("key"), cert: pem("cert"), clientsOf: pem("cert") } })
    const allowed = [receiver, other, tls].map(({ hostPort }) => hostPort).join(",")
    return spineLayer({ OUTBOUND_ALLOW: allowed }).pipe(Layer.merge(Layer.succeed(HttpSide, { receiver, other, tls })))
  })
)

export const secret = (name: string) => ({ kind: "variable", source: "secret", name })
export const any = (label: string) => ({ custom_type: "any", label })

export const http = (url: string, more: object = {}) => ({
  type: "http_call",
  config: { http_call_type: "get", http_call_url: [url], custom_variable_defs: [any("answer")], ...more }
})

/** A record to run on, and secrets of its app by name. */
export const setting = Effect.fnUntraced(function* (secrets: Readonly<Record<string, string>>) {
  const { call } = yield* App
  const world = yield* seedWorld
  const recordId = yield* order(world, { name: "Bolt" })
  for (const [name, value] of Object.entries(secrets)) {
    const creation = yield* call("POST", `/v1/secret/app/${world.appId}`, { token: world.token, body: { name, value } })
    assert.strictEqual(creation.status, 200, creation.text)
  }
  return { world, recordId }
})

/** Everything that the database holds of a run, and what the API says of it. */
export const traces = Effect.fnUntraced(function* ({ token }: World, runId: string) {
  const sql = yield* SqlClient.SqlClient
  const { call } = yield* App
  const [row] = yield* sql<{ all: string }>`
    SELECT concat_ws(' ',
      (SELECT jsonb_agg(to_jsonb(t)) FROM runs t WHERE run_id = ${runId}::bigint),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_logs t WHERE run_id = ${runId}::bigint),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_ledger t WHERE run_id = ${runId}::bigint),
      (SELECT jsonb_agg(to_jsonb(t)) FROM run_variables t WHERE run_id = ${runId}::bigint)) AS all`
  const read = yield* call("GET", `/v1/automation-run/${runId}`, { token })
  assert.strictEqual(read.status, 200, read.text)
  return row!.all + read.text
})

export const nowhere = (text: string, values: ReadonlyArray<string>) => {
  for (const value of values)
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
      assert.notInclude(text, form)
}
