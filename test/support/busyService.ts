// The whole service as a real process that has had something of everything to do: requests, deliveries that succeed and fail, runs with
// steps of most kinds, retries, a mail, a script, a document. For what looks at its metrics, logs and traces.
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { automate, createRecord, setText } from "../domain/automations/runSupport.ts"
import { seedApp } from "../domain/automations/support.ts"
import { App, type RequestOptions } from "./app.ts"
import { freshDatabaseUrl } from "./database.ts"
import { eventually } from "./eventually.ts"
import { startService } from "./processes.ts"
import { answers, type Receiver, receiver } from "./receiver.ts"
import { freshNamespace, TestConnection, temporalAddress } from "./temporal.ts"

/** The API of a process, as the one in memory is called. */
export const remote = (origin: string) =>
  App.of({
    fetch: (request) => Effect.promise(() => fetch(request)),
    call: (method, path, { body, headers, token }: RequestOptions = {}) =>
      Effect.promise(async () => {
        const requestHeaders: Record<string, string> = { ...headers }
        if (token !== undefined) requestHeaders["authorization"] = `Bearer ${token}`
        if (body !== undefined) requestHeaders["content-type"] ??= "application/json"
        const init: RequestInit = { method, headers: requestHeaders, redirect: "manual" }
        if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body)
        const response = await fetch(`${origin}${path}`, init)
        const text = await response.text()
        let json: any
        try {
          json = JSON.parse(text)
        } catch {
          json = undefined
        }
        return { status: response.status, headers: response.headers, text, json }
      })
  })

/** Told of new records; verified as a receiver does it: the code is in the request that it gets. */
export const verifiedHook = Effect.fnUntraced(function* (
  outside: Receiver,
  { appId, token }: { readonly appId: number; readonly token: string },
  path: string
) {
  const app = yield* App
  const body = { type: "record.create", url: `${outside.origin}${path}` }
  const { json: hook } = yield* app.call("POST", `/v1/hook/app/${appId}`, { token, body })
  yield* app.call("POST", `/v1/hook/${hook.hook_id}/verify/request`, { token })
  const got = yield* eventually(
    "the code",
    Effect.sync(() => outside.of(path)),
    (requests) => requests.length > 0
  )
  const { code } = JSON.parse(got[0]!.body)
  const verified = yield* app.call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, { token, body: { code } })
  assert.strictEqual(verified.status, 200, verified.text)
})

/** An app whose records set off everything; answers how to make one. */
const everything = Effect.fnUntraced(function* (outside: Receiver) {
  const world = yield* seedApp([{ field_type: "single_text", config: { label: "Title" } }])
  const { appId, token } = world
  for (const path of ["/received", "/failing"]) yield* verifiedHook(outside, world, path)
  const trigger = { type: "record_created", config: {} }
  const call = (path: string, more: object = {}) => ({
    type: "http_call",
    ...more,
    config: { http_call_type: "get", http_call_url: [`${outside.origin}${path}`] }
  })
  yield* automate(token, appId, { name: "Plain", trigger, actions: [setText(world.fields["title"]!, "seen")] })
  yield* automate(token, appId, {
    name: "Outside",
    trigger,
    actions: [
      call("/called"),
      { type: "custom_code", config: { code: "return 1 + 1", custom_variable_defs: [] } },
      {
        type: "create_pdf",
        config: {
          filename: ["x"],
          pdf_body: ["Hello"],
          custom_variable_def: { custom_type: "single_file", label: "PDF" }
        }
      },
      {
        type: "send_email",
        config: { to_address: ["a@example.com"], subject: ["Hello"], message_body: ["<p>Hello</p>"] }
      }
    ]
  })
  yield* automate(token, appId, {
    name: "Failing",
    trigger,
    actions: [call("/refused", { retry: { attempts: 2, first_ms: 1_000, factor: 1, at_most_ms: 1_000 } })]
  })
  return { ...world, record: createRecord(token, appId, { title: "x" }) }
})

export const busyService = Effect.fnUntraced(function* (env: Record<string, string> = {}) {
  const url = yield* freshDatabaseUrl
  const namespace = yield* freshNamespace.pipe(Effect.provide(TestConnection.layer))
  const outside = yield* receiver()
  outside.on("/refused", answers.status(503))
  outside.on("/failing", answers.status(500))
  const service = yield* startService(url, {
    ROLE: "all",
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    OUTBOUND_ALLOW: outside.hostPort,
    HTTP_CALL_PORTS: new URL(outside.origin).port,
    ACTOR_TUNING: JSON.stringify({ lingerMillis: 500, sweepEveryMillis: 500, relayPollMillis: 200 }),
    OTEL_EXPORTER_OTLP_ENDPOINT: outside.origin,
    LOG_LEVEL: "info",
    LOG_FORMAT: "json",
    ...env
  })
  const pool = layerPool({ url: Redacted.make(url), maxConnections: 2, applicationName: "tests" })
  const context = yield* Layer.build(Layer.merge(pool, Layer.succeed(App, remote(service.origin))))
  const world = yield* Effect.provide(everything(outside), context)
  const form = (accept: string) =>
    Effect.promise(async () => (await fetch(`${service.origin}/metrics`, { headers: { accept } })).text())
  /** Makes a record, and with it all that follows. */
  const record = Effect.provide(world.record, context)
  return { service, outside, form, page: () => form("text/plain"), record }
})
