// service.md 2.6, 3.1, 4.4, 5; decisions W6, W7, W9; developer-api.md 1.2, 1.5, 2.3, 2.4, 9: the hook endpoints.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sealContext } from "../../../src/domain/webhooks/mailboxRows.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { seedApp } from "./support/seed.ts"

const setting = Effect.gen(function* () {
  const { call } = yield* App
  const { orgId, owner } = yield* seedOrganization()
  const { appId, workspaceId } = yield* seedApp(orgId)
  const create = (body: unknown = { type: "record.create", url: "https://93.184.215.14/in" }) =>
    call("POST", `/v1/hook/app/${appId}`, { token: owner.key, body })
  return { call, orgId, owner, appId, workspaceId, create }
})

/** What the receiver would have got. */
const codeOf = Effect.fnUntraced(function* (hookId: number) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const [row] = yield* sql<{ code: Uint8Array }>`SELECT code FROM hooks WHERE hook_id = ${hookId}`
  return yield* secrets.decrypt(row!.code, sealContext(hookId, "code"))
})

layer(appLayer(), { excludeTestServices: true })("hooks", (it) => {
  describe("create and list (2.6, 4.4)", () => {
    it.effect("a new hook is inactive, has no failures and shows its app", () =>
      Effect.gen(function* () {
        const { appId, call, create, owner } = yield* setting
        const creation = yield* create()
        assert.strictEqual(creation.status, 200)
        const { hook_id, ...rest } = creation.json
        assert.isTrue(Number.isInteger(hook_id))
        assert.deepStrictEqual(rest, {
          app_id: appId,
          status: "inactive",
          num_failed_executions: 0,
          type: "record.create",
          url: "https://93.184.215.14/in"
        })
        const listing = yield* call("GET", `/v1/hook/app/${appId}`, { token: owner.key })
        assert.deepStrictEqual(listing.json, { webhooks: [creation.json], total: 1 })
      })
    )

    it.effect("HTTP Basic with the API key as user name and an empty password works (5)", () =>
      Effect.gen(function* () {
        const { appId, call, owner } = yield* setting
        const basic = `Basic ${Buffer.from(`${owner.key}:`).toString("base64")}`
        const creation = yield* call("POST", `/v1/hook/app/${appId}`, {
          headers: { authorization: basic },
          body: { type: "app.update", url: "http://93.184.215.14" }
        })
        assert.strictEqual(creation.status, 200)
      })
    )

    it.effect("refuses unknown types, stray keys and missing members with their path", () =>
      Effect.gen(function* () {
        const { create } = yield* setting
        const url = "https://hooks.example.com/in"
        for (const [body, path] of [
          [{ type: "hook.verify", url }, "type"],
          [{ type: "record.created", url }, 'type: Expected "record.create" | "record.update" | '],
          [{ type: "record.create", url, name: "x" }, "name"],
          [{ type: "record.create" }, "url"],
          [{ type: "record.create", url: 7 }, "url"]
        ] as const) {
          const answer = yield* create(body)
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, "input_validation"])
          assert.include(answer.json.error_message, path)
        }
      })
    )

    it.effect("refuses URLs that must not be called and names the rule (W9, 8)", () =>
      Effect.gen(function* () {
        const { create } = yield* setting
        for (const [url, rule] of [
          ["ftp://hooks.example.com/", "http or https"],
          ["not a url", "no valid URL"],
          ["https://hooks.example.com:8443/", "80 and 443"],
          ["https://user:word@hooks.example.com/", "user name or password"],
          [`https://hooks.example.com/${"a".repeat(2000)}`, "longer than 2000"],
          ["http://127.0.0.1/", "loopback"],
          ["http://2130706433/", "loopback"],
          ["http://localhost/", "loopback"],
          ["http://localhost./", "loopback"],
          ["http://hooks.localhost/", "loopback"],
          ["http://printer.local/", "link-local"],
          ["http://[::ffff:10.0.0.1]/", "IPv4-mapped"],
          ["http://169.254.169.254/latest", "link-local"]
        ] as const) {
          const answer = yield* create({ type: "record.create", url })
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, "validation"], url)
          assert.include(answer.json.error_message, "url: ")
          assert.include(answer.json.error_message, rule)
        }
      })
    )

    it.effect("an app has at most 50 hooks, also under parallel creation (developer-api 9)", () =>
      Effect.gen(function* () {
        const { create } = yield* setting
        const answers = yield* Effect.all(
          Array.from({ length: 55 }, () => create({ type: "record.create", url: "https://93.184.215.14/in" })),
          { concurrency: 10 }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 200),
          50
        )
        assert.include(answers.find(({ status }) => status === 400)!.json.error_message, "at most 50")
      })
    )
  })

  describe("who may (2.3, 2.4)", () => {
    it.effect("needs webhooks:manage", () =>
      Effect.gen(function* () {
        const { appId, call, owner } = yield* setting
        const token = yield* seedToken(owner.userId, ["apps:read", "apps:edit"])
        const answer = yield* call("GET", `/v1/hook/app/${appId}`, { token })
        assert.strictEqual(answer.status, 403)
        assert.include(answer.headers.get("www-authenticate") ?? "", 'scope="webhooks:manage"')
      })
    )

    it.effect("members who see the app but are no workspace admins get 403, strangers 404", () =>
      Effect.gen(function* () {
        const { call, create, orgId, workspaceId, appId } = yield* setting
        const { json: hook } = yield* create()
        const member = yield* seedUser(orgId, "member")
        const stranger = yield* seedUser(orgId, "member")
        const { owner: foreign } = yield* seedOrganization()
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${member.userId}, 'member')`
        for (const [method, path] of [
          ["GET", `/v1/hook/app/${appId}`],
          ["POST", `/v1/hook/app/${appId}`],
          ["POST", `/v1/hook/${hook.hook_id}/verify/request`],
          ["POST", `/v1/hook/${hook.hook_id}/verify/validate`],
          ["GET", `/v1/hook/${hook.hook_id}/secret`],
          ["POST", `/v1/hook/${hook.hook_id}/secret/rotate`],
          ["GET", `/v1/hook/${hook.hook_id}/delivery`],
          ["GET", `/v1/hook/${hook.hook_id}/delivery/export`],
          ["POST", `/v1/hook/${hook.hook_id}/replay`],
          ["GET", `/v1/hook/delivery/msg_${hook.hook_id.toString(36)}_1`],
          ["POST", `/v1/hook/delivery/msg_${hook.hook_id.toString(36)}_1/replay`],
          ["DELETE", `/v1/hook/${hook.hook_id}`]
        ] as const) {
          const memberAnswer = yield* call(method, path, { token: member.key })
          assert.deepStrictEqual(
            [memberAnswer.status, memberAnswer.json.error_code],
            [403, "restricted_resource"],
            path
          )
          for (const { key } of [stranger, foreign]) {
            const strangerAnswer = yield* call(method, path, { token: key })
            assert.deepStrictEqual([strangerAnswer.status, strangerAnswer.json.error_code], [404, "not_found"], path)
          }
        }
        assert.strictEqual((yield* call("GET", "/v1/hook/app/x", { token: member.key })).status, 400)
        const unknown = yield* call("POST", "/v1/hook/999999999/verify/request", { token: member.key })
        assert.strictEqual(unknown.status, 404)
      })
    )
  })

  describe("verification (3.1, W6)", () => {
    it.effect("request keeps the hook inactive, the right code makes it active and sets failures to 0", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        const requested = yield* call("POST", `/v1/hook/${hook.hook_id}/verify/request`, { token: owner.key })
        const { app_id, ...bare } = hook
        assert.deepStrictEqual([requested.status, requested.json], [200, bare])
        yield* sql`UPDATE hooks SET num_failed_executions = 7 WHERE hook_id = ${hook.hook_id}`
        const code = yield* codeOf(hook.hook_id)
        const body = { code }
        const validated = yield* call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, { token: owner.key, body })
        assert.deepStrictEqual([validated.status, validated.json], [200, { ...bare, status: "active" }])
        const secondAnswer = yield* call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, { token: owner.key, body })
        assert.deepStrictEqual(
          [secondAnswer.status, secondAnswer.json.error_code],
          [400, "hook_verification_code_invalid"]
        )
        const commands = yield* sql<{ step: string }>`
          SELECT payload->>'step' AS step FROM outbox WHERE (payload->>'hook_id')::bigint = ${hook.hook_id} ORDER BY event_id`
        assert.deepStrictEqual(
          commands.map(({ step }) => step),
          ["requested", "validated"]
        )
      })
    )

    it.effect("a new request voids the old code", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const { json: hook } = yield* create()
        const request = call("POST", `/v1/hook/${hook.hook_id}/verify/request`, { token: owner.key })
        const validate = (code: string) =>
          call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, { token: owner.key, body: { code } })
        yield* request
        const old = yield* codeOf(hook.hook_id)
        yield* request
        assert.strictEqual((yield* validate(old)).json.error_code, "hook_verification_code_invalid")
        assert.strictEqual((yield* validate(yield* codeOf(hook.hook_id))).json.status, "active")
      })
    )

    it.effect("ten wrong guesses spend the code, with an Idempotency-Key too", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const { json: hook } = yield* create()
        yield* call("POST", `/v1/hook/${hook.hook_id}/verify/request`, { token: owner.key })
        const code = yield* codeOf(hook.hook_id)
        for (let i = 0; i < 10; i++) {
          const headers: Record<string, string> = i % 2 === 0 ? {} : { "idempotency-key": `guess-${hook.hook_id}-${i}` }
          const wrong = yield* call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, {
            token: owner.key,
            body: { code: `wrong${i}` },
            headers
          })
          assert.strictEqual(wrong.status, 400)
        }
        const right = yield* call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, {
          token: owner.key,
          body: { code }
        })
        assert.strictEqual(right.json.error_code, "hook_verification_code_invalid")
      })
    )

    it.effect("a code is void after 24 hours; without a request every code is wrong", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        const validate = (code: string) =>
          call("POST", `/v1/hook/${hook.hook_id}/verify/validate`, { token: owner.key, body: { code } })
        assert.strictEqual((yield* validate("")).json.error_code, "hook_verification_code_invalid")
        yield* call("POST", `/v1/hook/${hook.hook_id}/verify/request`, { token: owner.key })
        const [row] = yield* sql<{ hours: number }>`
          SELECT round(extract(epoch FROM code_expires_on - now()) / 3600)::int AS hours FROM hooks WHERE hook_id = ${hook.hook_id}`
        assert.strictEqual(row!.hours, 24)
        yield* sql`UPDATE hooks SET code_expires_on = now() WHERE hook_id = ${hook.hook_id}`
        assert.strictEqual(
          (yield* validate(yield* codeOf(hook.hook_id))).json.error_code,
          "hook_verification_code_invalid"
        )
      })
    )

    it.effect("on an active hook a request leaves it active", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook.hook_id}`
        const requested = yield* call("POST", `/v1/hook/${hook.hook_id}/verify/request`, { token: owner.key })
        assert.strictEqual(requested.json.status, "active")
      })
    )
  })

  describe("delete (3.1)", () => {
    it.effect("answers the hook as inactive and removes it", () =>
      Effect.gen(function* () {
        const { call, create, owner, appId } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook.hook_id}`
        const deletion = yield* call("DELETE", `/v1/hook/${hook.hook_id}`, { token: owner.key })
        const { app_id, ...bare } = hook
        assert.deepStrictEqual([deletion.status, deletion.json], [200, { ...bare, status: "inactive" }])
        assert.strictEqual((yield* call("DELETE", `/v1/hook/${hook.hook_id}`, { token: owner.key })).status, 404)
        assert.deepStrictEqual((yield* call("GET", `/v1/hook/app/${appId}`, { token: owner.key })).json, {
          webhooks: [],
          total: 0
        })
      })
    )
  })

  describe("secrets (W7, O9)", () => {
    it.effect("a rotation retires the former secrets after its overlap, at once with 0 (W19)", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        const rotate = (body?: unknown) =>
          call("POST", `/v1/hook/${hook.hook_id}/secret/rotate`, {
            token: owner.key,
            ...(body === undefined ? {} : { body })
          })
        const overlaps = Effect.map(
          sql<{ seconds: number }>`
            SELECT round(extract(epoch FROM (f->>'until')::timestamptz - now()))::int AS seconds
            FROM hooks, jsonb_array_elements(former_secrets) f WHERE hook_id = ${hook.hook_id} ORDER BY 1`,
          (rows) => rows.map(({ seconds }) => seconds)
        )
        assert.strictEqual((yield* rotate()).status, 200)
        assert.strictEqual((yield* rotate({})).status, 200)
        const day = yield* overlaps
        assert.isTrue(day.length === 2 && day.every((seconds) => seconds > 86_000 && seconds <= 86_400))
        yield* rotate({ overlap_seconds: 3_600 })
        const hour = yield* overlaps
        assert.isTrue(hour.length === 3 && hour.every((seconds) => seconds > 3_000 && seconds <= 3_600))
        assert.strictEqual((yield* rotate({ overlap_seconds: 0 })).status, 200)
        assert.deepStrictEqual(yield* overlaps, [])
        for (const body of [
          { overlap_seconds: -1 },
          { overlap_seconds: 86_401 },
          { overlap_seconds: 1.5 },
          { grace: 0 }
        ]) {
          const refusal = yield* rotate(body)
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "input_validation"])
          assert.include(refusal.json.error_message, Object.keys(body)[0])
        }
        assert.deepStrictEqual(yield* overlaps, [])
      })
    )

    it.effect("are read, rotated and stored encrypted", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        const read = call("GET", `/v1/hook/${hook.hook_id}/secret`, { token: owner.key })
        const firstSecret = (yield* read).json.secret as string
        assert.match(firstSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        const rotated = yield* call("POST", `/v1/hook/${hook.hook_id}/secret/rotate`, { token: owner.key })
        assert.strictEqual(rotated.status, 200)
        assert.notStrictEqual(rotated.json.secret, firstSecret)
        assert.deepStrictEqual((yield* read).json, rotated.json)
        const [row] = yield* sql<{
          text: string
        }>`SELECT hooks::text AS text FROM hooks WHERE hook_id = ${hook.hook_id}`
        // An answer that is kept for its Idempotency-Key is a secret too.
        const headers = { "idempotency-key": `rotate-${hook.hook_id}` }
        const rotate = call("POST", `/v1/hook/${hook.hook_id}/secret/rotate`, { token: owner.key, headers })
        const [kept, replayed] = [yield* rotate, yield* rotate]
        assert.strictEqual(replayed.headers.get("idempotency-replayed"), "true")
        assert.deepStrictEqual(replayed.json, kept.json)
        const [answer] = yield* sql<{ text: string }>`
          SELECT k::text AS text FROM idempotency_keys k WHERE key = ${headers["idempotency-key"]}`
        assert.notInclude(answer!.text, kept.json.secret)
        for (const secret of [firstSecret, rotated.json.secret]) {
          const key = secret.slice(6)
          assert.notInclude(row!.text, key)
          assert.notInclude(row!.text, Buffer.from(key).toString("hex"))
          assert.notInclude(row!.text, Buffer.from(key, "base64").toString("hex"))
        }
      })
    )
  })

  describe("the delivery log (W8, developer-api 1.4)", () => {
    const seedDeliveries = Effect.fnUntraced(function* (hookId: number, count: number) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, created_on)
        SELECT ${hookId}, n, n, 'record.create', CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'delivered' END,
          json_build_object('hook_id', ${hookId}::int, 'record_id', n, 'revision_id', 0, 'type', 'record.create')::text,
          timestamptz '2026-03-01 10:00:00Z' + n * interval '1 minute'
        FROM generate_series(1, ${count}::int) n`
    })

    it.effect("pages newest first, total frozen, the last page without cursor", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const { json: hook } = yield* create()
        yield* seedDeliveries(hook.hook_id, 7)
        const path = `/v1/hook/${hook.hook_id}/delivery`
        const firstPage = yield* call("GET", `${path}?limit=3`, { token: owner.key })
        assert.deepStrictEqual([firstPage.json.total, firstPage.json.deliveries.length], [7, 3])
        yield* seedDeliveries(hook.hook_id, 0)
        const { delivery_id, ...newest } = firstPage.json.deliveries[0]
        assert.match(delivery_id, /^msg_/)
        assert.deepStrictEqual(newest, {
          hook_id: hook.hook_id,
          type: "record.create",
          status: "delivered",
          payload: { hook_id: hook.hook_id, record_id: 7, revision_id: 0, type: "record.create" },
          created_on: "2026-03-01 10:07:00",
          num_attempts: 0,
          next_attempt_on: null
        })
        const page = (cursor: string) =>
          call("GET", `${path}?limit=3&cursor=${encodeURIComponent(cursor)}`, { token: owner.key })
        const second = yield* page(firstPage.json.cursor)
        const third = yield* page(second.json.cursor)
        const ids = [firstPage, second, third].flatMap(({ json }) =>
          json.deliveries.map((d: { payload: { record_id: number } }) => d.payload.record_id)
        )
        assert.deepStrictEqual(ids, [7, 6, 5, 4, 3, 2, 1])
        assert.deepStrictEqual([third.json.total, third.json.cursor], [7, null])
        const elsewhere = yield* call("GET", `${path}?status=failed&cursor=${firstPage.json.cursor}`, {
          token: owner.key
        })
        assert.deepStrictEqual([elsewhere.status, elsewhere.json.error_code], [400, "validation"])
        assert.strictEqual((yield* page(`${firstPage.json.cursor}x`)).status, 400)
      })
    )

    it.effect("filters by status, type, record and time, and refuses what is out of range", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const { json: hook } = yield* create()
        yield* seedDeliveries(hook.hook_id, 9)
        const get = (query: string) => call("GET", `/v1/hook/${hook.hook_id}/delivery?${query}`, { token: owner.key })
        assert.strictEqual((yield* get("status=failed")).json.total, 3)
        assert.strictEqual((yield* get("type=record.create&status=failed")).json.total, 3)
        assert.strictEqual((yield* get("type=record.update")).json.total, 0)
        const ofRecord = yield* get("record_id=6")
        assert.deepStrictEqual([ofRecord.json.total, ofRecord.json.deliveries[0].payload.record_id], [1, 6])
        assert.strictEqual((yield* get("record_id=6&status=delivered")).json.total, 0)
        assert.strictEqual((yield* get("since=2026-03-01%2010:05")).json.total, 5)
        assert.strictEqual((yield* get("since=2026-03-01T10:05:00Z&until=2026-03-01%2010:06:00")).json.total, 2)
        // Times are shown without fractions: what is shown as 10:06:00 is until 10:06:00, and a day is until its end.
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE webhook_deliveries SET created_on = created_on + interval '0.9 s' WHERE hook_id = ${hook.hook_id}`
        assert.strictEqual((yield* get("until=2026-03-01%2010:06:00")).json.total, 6)
        assert.strictEqual((yield* get("since=2026-03-01%2010:06:00&until=2026-03-01")).json.total, 4)
        assert.strictEqual((yield* get("until=2026-02-28")).json.total, 0)
        for (const query of [
          "limit=0",
          "limit=501",
          "status=lost",
          "since=yesterday",
          "limit=x",
          "cursor=abc",
          "record_id=x",
          "type=lost"
        ])
          assert.strictEqual((yield* get(query)).status, 400, query)
      })
    )

    it.effect("one delivery with its attempts; strangers and odd ids get 404", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        yield* seedDeliveries(hook.hook_id, 1)
        yield* sql`
          INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error, response_body, next_attempt_on)
          VALUES (${hook.hook_id}, 1, 1, '2026-03-01 10:01:00Z', 500, 12, 'status', 'oops', '2026-03-01 10:01:05Z')`
        const listing = yield* call("GET", `/v1/hook/${hook.hook_id}/delivery`, { token: owner.key })
        const [delivery] = listing.json.deliveries
        const path = `/v1/hook/delivery/${delivery.delivery_id}`
        const deliveryAnswer = yield* call("GET", path, { token: owner.key })
        assert.deepStrictEqual(deliveryAnswer.json, {
          ...delivery,
          attempts: [
            {
              attempted_on: "2026-03-01 10:01:00",
              status_code: 500,
              latency_ms: 12,
              error: "status",
              response_body: "oops",
              next_attempt_on: "2026-03-01 10:01:05"
            }
          ]
        })
        const { owner: foreign } = yield* seedOrganization()
        for (const [key, at] of [
          [foreign.key, path],
          [owner.key, "/v1/hook/delivery/msg_zz_zz"],
          [owner.key, "/v1/hook/delivery/1"],
          [owner.key, `/v1/hook/delivery/msg_${hook.hook_id.toString(36)}_zz`]
        ] as const)
          assert.strictEqual((yield* call("GET", at, { token: key })).status, 404, at)
      })
    )

    it.effect("replays one or many, by default failed and withheld, and only while the hook is active", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        yield* seedDeliveries(hook.hook_id, 9)
        yield* sql`UPDATE webhook_deliveries SET status = 'withheld' WHERE hook_id = ${hook.hook_id} AND event_id = 1`
        yield* sql`UPDATE webhook_deliveries SET num_attempts = 1 WHERE hook_id = ${hook.hook_id} AND event_id > 1`
        const listing = yield* call("GET", `/v1/hook/${hook.hook_id}/delivery?limit=1`, { token: owner.key })
        const single = call("POST", `/v1/hook/delivery/${listing.json.deliveries[0].delivery_id}/replay`, {
          token: owner.key
        })
        const bulk = (body: unknown) => call("POST", `/v1/hook/${hook.hook_id}/replay`, { token: owner.key, body })
        const since = "2026-03-01 00:00"
        assert.deepStrictEqual([(yield* single).status, (yield* bulk({ since })).status], [409, 409])
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook.hook_id}`
        const many = yield* bulk({ since })
        assert.deepStrictEqual([many.status, many.json.replayed], [202, 4])
        const none = yield* bulk({ since })
        assert.deepStrictEqual([none.status, none.json.replayed], [202, 0])
        const singleReplay = yield* single
        assert.deepStrictEqual([singleReplay.status, singleReplay.json], [202, { replayed: 1 }])
        assert.strictEqual((yield* bulk({ since: "2026-03-01 10:05", status: ["delivered"] })).json.replayed, 3)
        // What was never tried still is a first attempt of its record (W3).
        const rows = yield* sql<{ n: number; ordered: ReadonlyArray<number> }>`
          SELECT count(*)::int AS n, array_agg(event_id) FILTER (WHERE ordered) AS ordered FROM webhook_queue
          WHERE hook_id = ${hook.hook_id} AND (gated OR NOT blocked)`
        assert.deepStrictEqual([rows[0]!.n, rows[0]!.ordered.map(Number)], [7, [1]])
        // One that waits for its last retry is due at once, with all its retries before it.
        yield* sql`UPDATE webhook_deliveries SET status = 'retrying', next_attempt_on = now() + interval '6 hours' WHERE hook_id = ${hook.hook_id} AND event_id = 3`
        yield* sql`UPDATE webhook_queue SET tries = 5, due_at = now() + interval '6 hours' WHERE hook_id = ${hook.hook_id} AND event_id = 3`
        assert.strictEqual((yield* bulk({ since, status: ["retrying"] })).json.replayed, 1)
        const [waiting] = yield* sql<object>`
          SELECT q.tries, q.due_at <= now() AS due, d.status, d.next_attempt_on FROM webhook_queue q
          JOIN webhook_deliveries d USING (hook_id, event_id) WHERE q.hook_id = ${hook.hook_id} AND q.event_id = 3`
        assert.deepStrictEqual(waiting, { tries: 0, due: true, status: "queued", next_attempt_on: null })
        for (const body of [
          {},
          { since, per_minute: 0 },
          { since, until: "later" },
          { since: "soon" },
          { since, status: ["lost"] },
          { since, status: "failed" }
        ])
          assert.strictEqual((yield* bulk(body)).status, 400)
      })
    )

    it.effect("statistics of a hook, an app and the organization, each for who administers it", () =>
      Effect.gen(function* () {
        const { call, create, owner, appId } = yield* setting
        const { owner: foreign } = yield* seedOrganization()
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        yield* sql`
          INSERT INTO hook_statistics (hook_id, counted_on, delivered, retrying, failed, withheld, latency)
          SELECT ${hook.hook_id}, date_trunc('minute', now()) - n * interval '1 minute', 3, 1, 0, 0, ARRAY[4] FROM generate_series(0, 1) n`
        const paths = [
          `/v1/hook/${hook.hook_id}/statistics`,
          `/v1/hook/app/${appId}/statistics`,
          "/v1/org/hook/statistics"
        ]
        for (const path of paths) {
          const { json } = yield* call("GET", path, { token: owner.key })
          assert.deepInclude(json.total, { executions: 8, delivered: 6, retrying: 2, failed: 0, withheld: 0 }, path)
          assert.deepStrictEqual(json.backlog, { waiting: 0, oldest_waiting_on: null })
          const { json: fine } = yield* call("GET", `${path}?step=minute`, { token: owner.key })
          assert.strictEqual(fine.points.length, 2)
          assert.strictEqual((yield* call("GET", `${path}?step=week`, { token: owner.key })).status, 400)
          assert.strictEqual(
            (yield* call("GET", `${path}?until=2026-01-01&since=2026-02-01`, { token: owner.key })).status,
            400
          )
        }
        for (const path of paths.slice(0, 2))
          assert.strictEqual((yield* call("GET", path, { token: foreign.key })).status, 404)
        assert.strictEqual((yield* call("GET", paths[2]!, { token: foreign.key })).json.total.executions, 0)
      })
    )

    it.effect("a replay of many is seen, listed and cancelled (W16)", () =>
      Effect.gen(function* () {
        const { call, create, owner } = yield* setting
        const { owner: foreign } = yield* seedOrganization()
        const sql = yield* SqlClient.SqlClient
        const { json: hook } = yield* create()
        yield* seedDeliveries(hook.hook_id, 9)
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook.hook_id}`
        const body = { since: "2026-03-01", until: "2026-03-02", type: ["record.create"], per_minute: 5 }
        const started = yield* call("POST", `/v1/hook/${hook.hook_id}/replay`, { token: owner.key, body })
        assert.deepStrictEqual(Object.keys(started.json), ["replay_id", "job_id", "replayed"])
        const { job_id, replay_id, replayed } = started.json
        const path = `/v1/hook/replay/${replay_id}`
        const replayAnswer = yield* call("GET", path, { token: owner.key })
        const { created_on, ...shown } = replayAnswer.json
        assert.match(created_on, /^\d{4}-/)
        assert.deepStrictEqual(shown, {
          ...{ replay_id, hook_id: hook.hook_id, job_id, state: "running" },
          ...{ since: "2026-03-01 00:00:00", until: "2026-03-03 00:00:00" },
          ...{ status: ["failed", "withheld"], error: null, type: ["record.create"], per_minute: 5 },
          ...{ replayed, counted: true, begun: 0, waiting: replayed, ended_on: null }
        })
        assert.isAbove(replayed, 0)
        // A replay is a job, too (developer-api.md 7.11).
        const readJob = Effect.map(call("GET", `/v1/job/${job_id}`, { token: owner.key }), ({ json }) => json)
        const { kind, progress, status } = yield* readJob
        assert.deepStrictEqual([kind, status, progress], ["delivery_replay", "pending", { done: 0, total: replayed }])
        const listing = yield* call("GET", `/v1/hook/${hook.hook_id}/replay`, { token: owner.key })
        assert.deepStrictEqual(listing.json, { replays: [replayAnswer.json] })
        for (const [key, at] of [
          [foreign.key, path],
          [owner.key, "/v1/hook/replay/999999999"]
        ] as const) {
          assert.strictEqual((yield* call("GET", at, { token: key })).status, 404)
          assert.strictEqual((yield* call("DELETE", at, { token: key })).status, 404)
        }
        const cancelled = yield* call("DELETE", path, { token: owner.key })
        assert.deepStrictEqual([cancelled.status, cancelled.json.state], [200, "cancelled"])
        assert.strictEqual((yield* readJob).status, "cancelled")
        const secondReplay = (yield* call("POST", `/v1/hook/${hook.hook_id}/replay`, {
          token: owner.key,
          body: { ...body, status: ["queued"] }
        })).json
        yield* call("POST", `/v1/job/${secondReplay.job_id}/cancel`, { token: owner.key })
        const replayState = yield* call("GET", `/v1/hook/replay/${secondReplay.replay_id}`, { token: owner.key })
        assert.strictEqual(replayState.json.state, "cancelled")
      })
    )
  })
})
