// An app with what a case has drawn, and its events as they stand in the outbox.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PER_MINUTE_LIMIT } from "../../src/domain/webhooks/WebhookSettings.ts"
import type { NewEvent } from "../../src/engine/outbox/Event.ts"
import { automate, createRecord } from "../domain/automations/runSupport.ts"
import { field, seedApp } from "../domain/automations/support.ts"
import { App } from "../support/app.ts"
import { receiver as startReceiver } from "../support/receiver.ts"
import { spineLayer } from "../support/spine.ts"
import { type Case, type DrawnAutomation, type DrawnEvent, type DrawnHook, eventsOf, RECORDS } from "./drawn.ts"

export class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/WaysReceiver"
) {}

export const layerWays = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

const fieldsOfApp = ["Name", "Note"].map((label) => ({ field_type: "single_text", config: { label } }))

let paths = 0

const filterOf = (fieldId: number, name: string | null) =>
  name === null
    ? null
    : {
        operator: "and",
        rows: [{ subject: field(fieldId, "single_text"), operator: "is", value: { type: "text", text: [name] } }]
      }

/** @param ways so many records are made of each that is drawn, and one more */
export const makeWorld = Effect.fnUntraced(function* (drawn: Case, ways: number) {
  const sql = yield* SqlClient.SqlClient
  const { call } = yield* App
  const receiver = yield* Receiver
  const { appId, fields, orgId, token } = yield* seedApp(fieldsOfApp)
  const ids = [fields["name"]!, fields["note"]!]
  yield* sql`UPDATE organizations SET limits = ${JSON.stringify({ [PER_MINUTE_LIMIT]: 100_000 })}::jsonb WHERE org_id = ${orgId}`
  const records: Array<number> = []
  for (let i = 0; i < ways * (RECORDS + 1); i++) records.push(yield* createRecord(token, appId, { name: "Ada" }))

  const makeHook = Effect.fnUntraced(function* (hook: DrawnHook) {
    const path = `/ways/${++paths}`
    receiver.on(path, ({ body }, response) => {
      const { revision_id } = JSON.parse(body)
      response.writeHead(allEvents[revision_id]?.refused === true ? 410 : 204).end()
    })
    const createReply = yield* call("POST", `/v1/hook/app/${appId}`, {
      token,
      body: { type: hook.types[0], url: `${receiver.origin}${path}` }
    })
    assert.strictEqual(createReply.status, 200, createReply.text)
    const hookId = createReply.json.hook_id as number
    const set = yield* call("PUT", `/v1/hook/${hookId}/settings`, {
      token,
      body: {
        types: hook.types,
        filter: filterOf(ids[0]!, hook.filtered),
        only_fields: hook.onlyFields.map((at) => ids[at]),
        ...{ per_minute: hook.perMinute, at_once: hook.atOnce, headers: hook.header ? { "X-Dock": "7" } : {} }
      }
    })
    assert.strictEqual(set.status, 200, set.text)
    return { hookId, path, drawn: hook }
  })

  const makeAutomation = ({ debounce, fields, filtered, trigger }: DrawnAutomation) =>
    automate(token, appId, {
      trigger: {
        type: trigger,
        config:
          trigger === "record_updated"
            ? { trigger_on_changes_field_ids: fields === null ? null : fields.map((at) => ids[at]) }
            : {}
      },
      ...(debounce === null || !["record_created", "record_updated"].includes(trigger)
        ? {}
        : { debounce_ms: debounce }),
      filter: filterOf(ids[0]!, filtered),
      actions: [{ type: "exit", config: { exit_type: "success" } }]
    })

  const allEvents = eventsOf(drawn)
  const hooks = yield* Effect.forEach(drawn.hooks, makeHook)
  const automations = yield* Effect.forEach(drawn.automations, makeAutomation)

  /** As they were drawn, whatever the way before has made of them. */
  const stand = Effect.gen(function* () {
    for (const { drawn: hook, hookId } of hooks) {
      const verified = hook.state !== "never verified"
      yield* sql`
        UPDATE hooks SET status = ${hook.state === "active" || hook.state === "paused" ? "active" : "inactive"},
          verified_on = ${verified ? new Date() : null}, paused_on = ${hook.state === "paused" ? new Date() : null},
          num_failed_executions = ${hook.failures}, events_from = ${hook.eventsFrom}
        WHERE hook_id = ${hookId}`
    }
    for (const [at, id] of automations.entries()) {
      const { eventsFrom, state } = drawn.automations[at]!
      yield* sql`
        UPDATE automations SET paused = ${state === "paused"}, broken = ${state === "broken"}, events_from = ${eventsFrom}
        WHERE automation_id = ${id}`
    }
  })

  const cellsOf = (name: string, at: number) => ({ [ids[0]!]: [name], [ids[1]!]: [`note ${at}`] })
  const bodyOf = ({ about, changed, name, type }: DrawnEvent, at: number) => {
    const author = { type: "user" as const, user_id: 1 }
    if (type === "app.update") return {}
    if (type === "hook.failing") return { hook_id: hooks[about]?.hookId ?? 0, failures: 25, reason: "timeout" }
    if (type === "automation.run_failed") return { automation_id: 1, run_id: "1", reason: "actions_failed" }
    if (!type.startsWith("record."))
      return { comment_id: at, author, ...(type === "reply.create" ? { reply_id: at } : {}) }
    return {
      ...{ revision: at, author, cells: cellsOf(name, at), title: name },
      ...(type === "record.update" ? { previous: cellsOf("Cy", at - 1) } : {}),
      ...(changed === null || type !== "record.update" ? {} : { changed: changed.map((field) => ids[field]!) })
    }
  }
  /** For the records of a way. */
  const eventsFor = (own: ReadonlyArray<number>) =>
    allEvents.map((event, at) => {
      const ofRecord = event.type.startsWith("record.") || /^(comment|reply)\./.test(event.type)
      return {
        ...{ type: event.type, org_id: orgId, app_id: appId, depth: event.depth, cause: null },
        record_id: ofRecord ? own[event.record]! : null,
        switches: { hook: event.hook, workflow: event.workflow, silent: false },
        payload: bodyOf(event, at)
      } as NewEvent
    })

  /** Something of each room for which it is awake. */
  const waking = (record: number): ReadonlyArray<NewEvent> =>
    ["record.create", "record.update", "record.delete", "record.restore", "comment.create", "app.update"].map(
      (type) => ({ ...eventsFor([record, record, record])[0]!, type }) as NewEvent
    )

  const recordsOf = (way: number) => records.slice(way * (RECORDS + 1), (way + 1) * (RECORDS + 1))
  return { appId, automations, eventsFor, hooks, recordsOf, stand, waking }
})
export type World = Effect.Success<ReturnType<typeof makeWorld>>
