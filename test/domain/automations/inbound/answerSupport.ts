// Sync addresses, what is sent to them and what they answer.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { App } from "../../../support/app.ts"
import { seedApp } from "../support.ts"

const BASE = "http://127.0.0.1:8080"

export const prop = (key: string) => ({
  ...{ kind: "variable", source: "trigger", trigger_type: "webhook_payload_property" },
  ...{ key_path: [key], data_type: "text" }
})

const word = { custom_type: "any", label: "Word" }
export const shown = { kind: "variable", source: "custom", ...word }
export const say = (text: string) => ({
  type: "custom_variable",
  config: { assignment_code: [JSON.stringify(text)], custom_variable_defs: [word] }
})
export const exit = (exit_type: string, more: object = {}) => ({ type: "exit", config: { exit_type }, ...more })

export const definition = (config: object, actions: ReadonlyArray<object>) => ({
  name: "Answers",
  trigger: { type: "webhook_received", config: { response_mode: "sync", response_timeout_seconds: 30, ...config } },
  actions
})

type Seeded = Effect.Success<ReturnType<typeof seedApp>>

/** An active automation with a sync address. */
export const inbound = Effect.fnUntraced(function* (
  config: object,
  actions: (app: Seeded) => ReadonlyArray<object> = () => [exit("success")]
) {
  const app = yield* App
  const seeded = yield* seedApp()
  const { appId, token } = seeded
  const body = definition(config, actions(seeded))
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  const active = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  assert.strictEqual(active.status, 200, active.text)
  const url = (creation.json.automation.trigger.config.webhook_url as string).replace(/^.*?(?=\/api\/catch)/, BASE)
  return { id, appId, token, url }
})

/** What the address answers. */
export const send = Effect.fnUntraced(function* (url: string, body: object | FormData = {}) {
  const app = yield* App
  const init =
    body instanceof FormData
      ? { body }
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  const response = yield* app.fetch(new Request(url, { method: "POST", ...init }))
  const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
  return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) }
})
