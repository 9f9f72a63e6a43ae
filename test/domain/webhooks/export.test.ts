// The export of the delivery log (decisions W8; issue "Webhooks", recovery): JSON lines, oldest first, with every attempt, in pieces.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { seedApp } from "./support/seed.ts"

interface Line {
  readonly delivery_id: string
  readonly status: string
  readonly attempts: ReadonlyArray<{ readonly error: string | null }>
}

const linesOf = (text: string): ReadonlyArray<Line> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** A hook with so many deliveries: every third has failed, after two attempts. */
const exporting = Effect.fnUntraced(function* (count: number) {
  const { call } = yield* App
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization()
  const { appId } = yield* seedApp(orgId)
  const body = { type: "record.create", url: "https://93.184.215.14/in" }
  const { json: hook } = yield* call("POST", `/v1/hook/app/${appId}`, { token: owner.key, body })
  const hookId: number = hook.hook_id
  yield* sql`
    INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, num_attempts, created_on)
    SELECT ${hookId}, n, CASE WHEN n % 5 = 0 THEN 'record.delete' ELSE 'record.create' END,
      CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'delivered' END, '{}', CASE WHEN n % 3 = 0 THEN 2 ELSE 1 END,
      timestamptz '2026-03-01 10:00:00Z' + n * interval '1 minute'
    FROM generate_series(1, ${count}::int) n`
  yield* sql`
    INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body)
    SELECT ${hookId}, n, a, timestamptz '2026-03-01 10:00:00Z' + n * interval '1 minute', NULL, 12,
      CASE WHEN n % 3 > 0 THEN NULL WHEN a = 1 THEN 'timeout' ELSE 'tls_error: cert has expired' END, NULL
    FROM generate_series(1, ${count}::int) n CROSS JOIN generate_series(1, CASE WHEN n % 3 = 0 THEN 2 ELSE 1 END) a`
  const path = `/v1/hook/${hookId}/delivery/export`
  const get = (query = "", token = owner.key) => call("GET", `${path}${query}`, { token })
  const ids = (...events: ReadonlyArray<number>) => events.map((event) => deliveryId(hookId, event))
  return { ...{ appId, call, get, hookId, ids, orgId, owner, path, sql } }
})

layer(appLayer(), { excludeTestServices: true })("the export of deliveries", (it) => {
  it.effect("is one line for each, oldest first, as the log shows it with its attempts", () =>
    Effect.gen(function* () {
      const { call, get, ids, owner } = yield* exporting(4)
      const answer = yield* get()
      assert.strictEqual(answer.status, 200)
      assert.include(answer.headers.get("content-type"), "application/x-ndjson")
      assert.isTrue(answer.text.endsWith("}\n"))
      const lines = linesOf(answer.text)
      assert.deepStrictEqual(
        lines.map(({ delivery_id }) => delivery_id),
        ids(1, 2, 3, 4)
      )
      const deliveryAnswer = yield* call("GET", `/v1/hook/delivery/${ids(3)[0]}`, { token: owner.key })
      assert.deepStrictEqual(lines[2], deliveryAnswer.json)
      assert.deepStrictEqual(
        lines[2]?.attempts.map(({ error }) => error),
        ["timeout", "tls_error: cert has expired"]
      )
    })
  )

  it.effect("holds what status, time, type and error of the last attempt leave", () =>
    Effect.gen(function* () {
      const { get, ids } = yield* exporting(10)
      const exportedIds = (query: string) =>
        Effect.map(get(query), ({ text }) => linesOf(text).map(({ delivery_id }) => delivery_id))
      assert.deepStrictEqual(yield* exportedIds("?status=failed"), ids(3, 6, 9))
      assert.deepStrictEqual(yield* exportedIds("?type=record.delete"), ids(5, 10))
      assert.deepStrictEqual(yield* exportedIds("?error=tls_error"), ids(3, 6, 9))
      assert.deepStrictEqual(
        yield* exportedIds("?error=tls_error%3A%20cert%20has%20expired&until=2026-03-01%2010:06:00"),
        ids(3, 6)
      )
      assert.deepStrictEqual(yield* exportedIds("?error=timeout"), [])
      assert.deepStrictEqual(yield* exportedIds("?since=2026-03-01%2010:09"), ids(9, 10))
    })
  )

  it.effect("goes on behind a line, once more whole however long it is", () =>
    Effect.gen(function* () {
      const count = 4_321
      const { get, hookId, ids } = yield* exporting(count)
      const allLines = linesOf((yield* get()).text)
      assert.deepStrictEqual(
        allLines.map(({ delivery_id }) => delivery_id),
        Array.from({ length: count }, (_, n) => deliveryId(hookId, n + 1))
      )
      assert.strictEqual(
        allLines.reduce((sum, { attempts }) => sum + attempts.length, 0),
        count + Math.floor(count / 3)
      )
      const remainingLines = linesOf((yield* get(`?after=${ids(4_318)[0]}`)).text)
      assert.deepStrictEqual(
        remainingLines.map(({ delivery_id }) => delivery_id),
        ids(4_319, 4_320, 4_321)
      )
      assert.strictEqual((yield* get(`?after=${ids(count)[0]}`)).text, "")
      // What is chosen may stand behind long stretches of which nothing is.
      const lateLines = linesOf((yield* get("?since=2026-03-04%2010:00&type=record.delete")).text)
      assert.deepStrictEqual(
        lateLines.map(({ delivery_id }) => delivery_id),
        ids(4_320)
      )
    })
  )

  it.effect("is read no faster than its reader takes it", () =>
    Effect.gen(function* () {
      const { fetch } = yield* App
      const { owner, path, sql, hookId } = yield* exporting(3_000)
      const response = yield* fetch(
        new Request(`http://127.0.0.1:8080${path}`, { headers: { authorization: `Bearer ${owner.key}` } })
      )
      const reader = response.body!.getReader()
      const decoder = new TextDecoder()
      const part = Effect.promise(() => reader.read())
      let text = decoder.decode((yield* part).value, { stream: true })
      yield* sql`UPDATE webhook_deliveries SET status = 'expired' WHERE hook_id = ${hookId}`
      for (let next = yield* part; !next.done; next = yield* part) text += decoder.decode(next.value, { stream: true })
      const lines = linesOf(text)
      assert.strictEqual(lines.length, 3_000)
      assert.notStrictEqual(lines[0]?.status, "expired")
      const readLines = lines.filter(({ status }) => status !== "expired").length
      assert.isBelow(readLines, 1_000, "read before anybody asked for it")
    })
  )

  it.effect("says what it does not take, and is for the hook's admins", () =>
    Effect.gen(function* () {
      const { get, hookId, orgId } = yield* exporting(1)
      for (const query of [
        "status=lost",
        "since=yesterday",
        "type=hook.verify",
        "after=1",
        `after=${deliveryId(hookId + 1, 1)}`
      ]) {
        const refusal = yield* get(`?${query}`)
        assert.strictEqual(refusal.status, 400, query)
        assert.include(refusal.json.error_message, query.split("=")[0]!)
      }
      const member = yield* seedUser(orgId, "member")
      const { owner: stranger } = yield* seedOrganization()
      assert.deepStrictEqual([(yield* get("", member.key)).status, (yield* get("", stranger.key)).status], [404, 404])
    })
  )
})
