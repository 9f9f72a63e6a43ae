// decisions W13: what a hook's filter leaves out, over the whole service: changes over HTTP, the relay, a receiver.
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hookNoticeMails } from "../../../src/domain/webhooks/hookNoticeMails.ts"
import type { Tuning } from "../../../src/platform/config/Tuning.ts"
import { App } from "../../support/app.ts"
import { receiver as startReceiver } from "../../support/receiver.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { seedApp } from "../automations/support.ts"

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/FilterReceiver"
) {}

const world = (tuning: Partial<Tuning> = {}) =>
  Layer.unwrap(
    Effect.map(startReceiver(), (receiver) =>
      Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }, tuning), Layer.succeed(Receiver, receiver))
    )
  )

let paths = 0

/** An app with a hook for updates, as if verified. */
const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { call } = yield* App
  const receiver = yield* Receiver
  const { appId, fields, options, orgId, token } = yield* seedApp()
  const path = `/filter/${++paths}`
  const api = (method: string, at: string, body?: unknown) =>
    call(method, `/v1${at}`, { token, ...(body === undefined ? {} : { body }) })
  const callApi = Effect.fnUntraced(function* (method: string, at: string, body?: unknown) {
    const answer = yield* api(method, at, body)
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.json
  })
  const { hook_id } = yield* callApi("POST", `/hook/app/${appId}`, {
    type: "record.update",
    url: `${receiver.origin}${path}`
  })
  yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook_id}`
  const create = (values: object) =>
    Effect.map(
      callApi("POST", `/record/app/${appId}`, { fields: { state: "Planned", ...values } }),
      (one) => one.record_id as number
    )
  const update = (id: number, values: object) => callApi("PUT", `/record/${id}`, { fields: values })
  const set = (settings: object) => callApi("PUT", `/hook/${hook_id}/settings`, settings)
  const receivedBodies = () => receiver.of(path).map(({ body }) => JSON.parse(body))
  const arrived = (count: number) =>
    eventually(
      `${count} notifications`,
      Effect.sync(() => receivedBodies().length),
      (n) => n === count
    )
  const mismatchCount = Effect.map(
    sql<{ count: number }>`SELECT count::int AS count FROM hook_mismatches WHERE hook_id = ${hook_id}`,
    ([row]) => row?.count ?? 0
  )
  return {
    api,
    appId,
    arrived,
    create,
    fields,
    hook_id,
    left: mismatchCount,
    options,
    orgId,
    seen: receivedBodies,
    set,
    sql,
    update
  }
})

const subject = (field_type: string, field_id: number, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_type,
  field_id,
  ...more
})
const allOf = (...rows: ReadonlyArray<object>) => ({ operator: "and", rows })
const heavierThan = (fieldId: number, number: string) => ({
  subject: subject("number", fieldId),
  operator: "greater_than",
  value: { type: "number", number: [number] }
})

layer(world(), { excludeTestServices: true })("filters of hooks", (it) => {
  describe("what goes and what is counted", () => {
    it.effect("the record is judged as it was at each event, not as it is", () =>
      Effect.gen(function* () {
        const { arrived, create, fields, hook_id, left, seen, set, sql, update } = yield* setting
        const { filter } = yield* set({ filter: allOf(heavierThan(fields["weight"]!, "10")) })
        assert.strictEqual(filter.rows[0].operator, "greater_than")
        const id = yield* create({ weight: 1 })
        for (const weight of [11, 5, 12, 3]) yield* update(id, { weight })
        yield* arrived(2)
        yield* eventually("two counted", left, (n) => n === 2)
        assert.deepStrictEqual(
          seen().map(({ revision_id }) => revision_id),
          [1, 3]
        )
        const deliveryRows = yield* sql`SELECT 1 FROM webhook_deliveries WHERE hook_id = ${hook_id}`
        assert.lengthOf(deliveryRows, 2)
      })
    )

    it.effect("only the fields that it names, the value before, and the state by its option", () =>
      Effect.gen(function* () {
        const { arrived, create, fields, left, options, seen, set, update } = yield* setting
        const [, delivered] = options["state"]!
        const isDelivered = {
          subject: subject("status", fields["state"]!),
          operator: "is_any_of",
          value: { type: "ids", ids: [delivered] }
        }
        const wasEmpty = {
          subject: subject("single_text", fields["reference"]!, { previous: true }),
          operator: "is_empty"
        }
        yield* set({ only_fields: [fields["reference"]], filter: allOf(isDelivered, wasEmpty) })
        const id = yield* create({})
        yield* update(id, { state: "Delivered" })
        yield* update(id, { reference: "A" })
        yield* update(id, { reference: "B" })
        yield* update(id, { weight: 4 })
        yield* eventually("three counted", left, (n) => n === 3)
        yield* arrived(1)
        assert.strictEqual(seen()[0].revision_id, 2)
      })
    )

    it.effect("text is compared with another field of the same record, for each event anew", () =>
      Effect.gen(function* () {
        const { arrived, create, fields, left, seen, set, update } = yield* setting
        const title = { kind: "variable", source: "field", field_type: "number", field_id: fields["weight"] }
        const same = {
          subject: subject("single_text", fields["reference"]!),
          operator: "is",
          value: { type: "text", text: [title] }
        }
        yield* set({ filter: allOf(same) })
        const [one, two] = [yield* create({ weight: 7 }), yield* create({ weight: 8 })]
        for (const id of [one, two]) yield* update(id, { reference: "8" })
        yield* eventually("one counted", left, (n) => n === 1)
        yield* arrived(1)
        assert.strictEqual(seen()[0].record_id, two)
      })
    )

    it.effect("comments are judged by their record; events of the app pass", () =>
      Effect.gen(function* () {
        const { api, appId, arrived, create, fields, left, seen, set } = yield* setting
        yield* set({
          types: ["record.update", "comment.create", "app.update"],
          filter: allOf(heavierThan(fields["weight"]!, "10"))
        })
        const [light, heavy] = [yield* create({ weight: 1 }), yield* create({ weight: 20 })]
        for (const id of [light, heavy]) yield* api("POST", `/comment/record/${id}`, { value: "Hi" })
        yield* api("PUT", `/app/${appId}`, { name: "Shipments" })
        yield* eventually("one counted", left, (n) => n === 1)
        yield* arrived(2)
        assert.deepStrictEqual(
          seen().map(({ record_id, type }) => [type, record_id]),
          [
            ["comment.create", heavy],
            ["app.update", undefined]
          ]
        )
      })
    )
  })

  describe("bodies with the record (W15)", () => {
    it.effect("hold it as it was at the event; whoever lost the right to read it sends none", () =>
      Effect.gen(function* () {
        const { appId, arrived, create, hook_id, seen, set, sql, update } = yield* setting
        yield* set({ include_record: true, paused: true })
        const id = yield* create({ reference: "A", weight: 1 })
        for (const weight of [2, 3]) yield* update(id, { weight })
        yield* eventually(
          "both wait",
          sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hook_id}`,
          (rows) => rows.length === 2
        )
        yield* set({ paused: false })
        yield* arrived(2)
        const weights = seen().map(({ record }) => record.fields.find((one: any) => one.external_id === "weight"))
        assert.deepStrictEqual(
          seen().map(({ record, revision_id }) => [record.record_id, record.app.app_id, record.revision, revision_id]),
          [
            [id, appId, 1, 1],
            [id, appId, 2, 2]
          ]
        )
        assert.deepStrictEqual(
          weights.map(({ values }: any) => values[0].value),
          ["2", "3"].map((value) => (typeof weights[0].values[0].value === "number" ? Number(value) : value))
        )
        yield* sql`UPDATE hooks SET author_id = 0 WHERE hook_id = ${hook_id}`
        yield* update(id, { weight: 4 })
        yield* arrived(3)
        assert.deepStrictEqual(Object.keys(seen()[2]), ["hook_id", "record_id", "revision_id", "type"])
      })
    )
  })

  describe("a filter that can no longer be used", () => {
    it.effect("pauses the hook and tells its admins; mended, what has waited is sent", () =>
      Effect.gen(function* () {
        const { api, appId, arrived, create, fields, hook_id, seen, set, sql, update } = yield* setting
        yield* set({ filter: allOf(heavierThan(fields["weight"]!, "10")) })
        const id = yield* create({ weight: 1 })
        const fieldDeletion = yield* api("PUT", `/app/${appId}`, { fields_to_delete: [{ field_id: fields["weight"] }] })
        assert.strictEqual(fieldDeletion.status, 200, fieldDeletion.text)
        const settings = Effect.map(api("GET", `/hook/${hook_id}/settings`), ({ json }) => json)
        yield* eventually("the pause", settings, ({ paused }) => paused)
        yield* update(id, { reference: "A" })
        yield* eventually(
          "the delivery",
          sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hook_id}`,
          (rows) => rows.length === 1
        )
        const refusal = yield* api("PUT", `/hook/${hook_id}/settings`, { paused: false })
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
        assert.include(refusal.json.error_message, `There is no field ${fields["weight"]}`)
        assert.lengthOf(seen(), 0)
        yield* set({ filter: null, paused: false })
        yield* arrived(1)
        assert.strictEqual(seen()[0].record_id, id)
      })
    )

    it.effect("the mail says which webhook, to what host, and why", () =>
      Effect.gen(function* () {
        const { appId, hook_id, orgId, sql } = yield* setting
        const [notice] = yield* sql<{ notice_id: number }>`
          INSERT INTO webhook_notices (hook_id, app_id, org_id, host, type, failures, allowed, reason, created_on)
          VALUES (${hook_id}, ${appId}, ${orgId}, 'hooks.example.com', 'record.update', 0, 0, 'There is no field 7.', now())
          RETURNING notice_id`
        const { mail } = yield* hookNoticeMails
        const noticeMail = yield* mail(notice!.notice_id)
        assert.strictEqual(noticeMail?.subject, `Webhook ${hook_id} of Deliveries was paused`)
        assert.include(noticeMail?.text, "record.update to hooks.example.com")
        assert.include(noticeMail?.text, "There is no field 7.")
      })
    )
  })

  describe("what is refused, with its place", () => {
    it.effect("scripts, expressions, what only a run has, fields that are not there", () =>
      Effect.gen(function* () {
        const { api, fields, hook_id } = yield* setting
        const weight = fields["weight"]!
        const text = (part: object) => ({
          subject: subject("single_text", fields["reference"]!),
          operator: "is",
          value: { type: "text", text: [part] }
        })
        for (const [settings, code, told] of [
          [{ filter: allOf({ code: ["true"] }) }, "validation", "filter.rows[0]: a hook's filter runs no script"],
          [{ filter: allOf(heavierThan(weight, "5 * 3")) }, "validation", "filter.rows[0].value"],
          [{ filter: allOf() }, "validation", "empty group"],
          [{ filter: allOf(heavierThan(999_999, "5")) }, "validation", "There is no field 999999"],
          [{ filter: allOf({ subject: subject("number", weight), operator: "is" }) }, "validation", "needs a value"],
          [{ filter: allOf({ subject: 7, operator: "is" }) }, "input_validation", "filter.rows[0]"],
          [{ filter: "all" }, "input_validation", "filter"],
          [
            { filter: allOf(text({ kind: "variable", source: "custom", custom_type: "any", label: "x" })) },
            "validation",
            "without a run"
          ],
          [
            { filter: allOf(text(subject("number", weight, { collection: true }))) },
            "validation",
            "only the record of the event"
          ],
          [{ only_fields: [weight, 999_999] }, "validation", "only_fields: the app has no field 999999"]
        ] as const) {
          const answer = yield* api("PUT", `/hook/${hook_id}/settings`, settings)
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, code], JSON.stringify(settings))
          assert.include(answer.json.error_message, told)
        }
        const { json } = yield* api("GET", `/hook/${hook_id}/settings`)
        assert.deepStrictEqual([json.filter, json.only_fields], [null, []])
      })
    )
  })
})

layer(world({ relayJudgingMillis: 0 }), { excludeTestServices: true })(
  "filters that take too long for a batch",
  (it) => {
    it.effect("one event of an organization is judged in it, the others in the next ones, in their order", () =>
      Effect.gen(function* () {
        const { arrived, create, fields, left, seen, set, sql, update } = yield* setting
        yield* set({ filter: allOf(heavierThan(fields["weight"]!, "9")) })
        const ids = yield* Effect.forEach([1, 2, 3, 4], () => create({ weight: 0 }))
        const weights = [10, 1, 11, 2, 12]
        for (const weight of weights)
          yield* Effect.forEach(ids, (id) => update(id, { weight }), { concurrency: "unbounded" })
        yield* arrived(12)
        for (const id of ids) {
          const recordBodies = seen().filter((body) => body.record_id === id)
          assert.deepStrictEqual(
            recordBodies.map((body) => body.revision_id),
            recordBodies.map((body) => body.revision_id).toSorted((a, b) => a - b)
          )
          assert.lengthOf(recordBodies, 3)
        }
        assert.strictEqual(yield* left, 8)
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM outbox`, [])
      })
    )
  }
)
