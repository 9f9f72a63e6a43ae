// Attacks by way of hooks (decisions W17, W18, W11) against the whole service with its worker and a receiver: what somebody reads who may
// manage webhooks and nothing else, what goes on after the credential has ended, and where secret values are sent.
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { prefixes } from "../../src/domain/accounts/credentialPrefixes.ts"
import type { Scope } from "../../src/domain/accounts/Scope.ts"
import { Connections } from "../../src/domain/connections/Connections.ts"
import { jobs } from "../../src/domain/housekeeping/jobs.ts"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"
import { seedApp } from "../domain/automations/support.ts"
import { App, seedToken, seedUser } from "../support/app.ts"
import { registerClient } from "../support/oauth.ts"
import { receiver as startReceiver } from "../support/receiver.ts"
import { eventually, spineLayer } from "../support/spine.ts"

class Receivers extends Context.Service<Receivers, ReadonlyArray<Effect.Success<ReturnType<typeof startReceiver>>>>()(
  "test/HookReceivers"
) {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const receivers = [yield* startReceiver(), yield* startReceiver()]
    const allowed = receivers.map(({ hostPort }) => hostPort).join(",")
    return Layer.merge(spineLayer({ OUTBOUND_ALLOW: allowed }), Layer.succeed(Receivers, receivers))
  })
)

let paths = 0

/** An access token of a connection of its own. */
const connected = Effect.fnUntraced(function* (userId: number, orgId: number, scopes: ReadonlyArray<Scope>) {
  const sql = yield* SqlClient.SqlClient
  const clientId = yield* registerClient()
  const [row] = yield* sql<{ connection_id: number }>`
    INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on)
    VALUES (${clientId}, ${userId}, ${orgId}, ${scopes as ReadonlyArray<string>}::text[], now(), now(), now()) RETURNING connection_id`
  const token = randomToken(prefixes.accessToken)
  yield* sql`
    INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
    VALUES (${hashToken(token)}, ${row!.connection_id}, ${scopes as ReadonlyArray<string>}::text[], now(), now() + interval '1 hour')`
  return { connectionId: Number(row!.connection_id), token }
})

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { call } = yield* App
  const [receiver, other] = yield* Receivers
  const seeded = yield* seedApp()
  const { appId, fields, orgId, token, workspaceId } = seeded
  const path = `/hooks/${++paths}`
  const as = (key: string) => (method: string, at: string, body?: unknown) =>
    call(method, `/v1${at}`, { token: key, ...(body === undefined ? {} : { body }) })
  const callAs = Effect.fnUntraced(function* (key: string, method: string, at: string, body?: unknown) {
    const answer = yield* as(key)(method, at, body)
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.json
  })
  /** A verified one, made by a credential. */
  const hookBy = Effect.fnUntraced(function* (key: string, settings?: object) {
    const { hook_id } = yield* callAs(key, "POST", `/hook/app/${appId}`, {
      type: "record.update",
      url: `${receiver!.origin}${path}`
    })
    yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook_id}`
    if (settings !== undefined) yield* callAs(key, "PUT", `/hook/${hook_id}/settings`, settings)
    return hook_id as number
  })
  const create = Effect.map(
    callAs(token, "POST", `/record/app/${appId}`, { fields: { state: "Planned", reference: "Takeover plans" } }),
    ({ record_id }) => record_id as number
  )
  const update = (id: number, reference: string) => callAs(token, "PUT", `/record/${id}`, { fields: { reference } })
  const bodies = () => receiver!.of(path).map(({ body }) => JSON.parse(body))
  const arrived = (count: number) =>
    eventually(
      `${count} notifications`,
      Effect.sync(() => bodies().length),
      (n) => n === count
    )
  const settings = (hookId: number) => Effect.map(as(token)("GET", `/hook/${hookId}/settings`), ({ json }) => json)
  /** What its admins have been told, whose rows go once they are mailed. */
  const noticesOf = (hookId: number, count: number) =>
    eventually(
      `${count} mails`,
      Effect.map(
        sql<{ subject: string }>`
          SELECT subject FROM mails WHERE subject LIKE ${`Webhook ${hookId} of %`} ORDER BY mail_id`,
        (rows) => rows.map(({ subject }) => subject.replace(/^Webhook \d+ of Deliveries /, ""))
      ),
      (subjects) => subjects.length === count
    )
  const filter = {
    operator: "and",
    rows: [
      {
        subject: {
          ...{ kind: "variable", source: "field", field_type: "single_text" },
          field_id: fields["reference"]
        },
        operator: "is_not_empty"
      }
    ]
  }
  return {
    ...{
      ...seeded,
      as,
      done: callAs,
      hookBy,
      create,
      update,
      bodies,
      arrived,
      settings,
      told: noticesOf,
      filter,
      sql,
      path
    },
    ...{ receiver: receiver!, other: other!, orgId, workspaceId, ownerId: seeded.owner.userId }
  }
})

const managing = ["webhooks:manage"] as const
const reading = ["webhooks:manage", "records:read"] as const

layer(world, { excludeTestServices: true, timeout: 120_000 })("hooks", (it) => {
  describe("who manages webhooks and reads nothing (W17)", () => {
    it.effect("neither has records sent nor asks of them by a filter", () =>
      Effect.gen(function* () {
        const { as, filter, hookBy, ownerId, settings } = yield* setting
        const blind = yield* seedToken(ownerId, managing)
        const hookId = yield* hookBy(blind, { description: "blind" })
        for (const body of [{ include_record: true }, { filter }]) {
          const refusal = yield* as(blind)("PUT", `/hook/${hookId}/settings`, body)
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [403, "restricted_resource"], refusal.text)
          assert.include(refusal.json.error_message, "records:read")
        }
        const { filter: kept, include_record } = yield* settings(hookId)
        assert.deepStrictEqual([kept, include_record], [null, false])
      })
    )

    it.effect("does not turn one that reads towards themselves, but may pause it and take the records out of it", () =>
      Effect.gen(function* () {
        const { as, done, hookBy, other, ownerId, settings, token } = yield* setting
        const blind = yield* seedToken(ownerId, managing)
        const hookId = yield* hookBy(token, { include_record: true })
        for (const [at, body] of [
          ["", { url: `${other.origin}/mine` }],
          ["", {}],
          ["/settings", { per_minute: 5 }]
        ] as const) {
          const refusal = yield* as(blind)("PUT", `/hook/${hookId}${at}`, body)
          assert.strictEqual(refusal.status, 403, refusal.text)
        }
        yield* done(blind, "PUT", `/hook/${hookId}/settings`, { paused: true })
        assert.isTrue((yield* settings(hookId)).include_record)
        yield* done(blind, "PUT", `/hook/${hookId}/settings`, { include_record: false, paused: false })
        yield* done(blind, "PUT", `/hook/${hookId}`, { url: `${other.origin}/mine` })
      })
    )

    it.effect("with records:read of that app, records are sent as before", () =>
      Effect.gen(function* () {
        const { appId, arrived, bodies, create, filter, hookBy, ownerId, update } = yield* setting
        const seeing = yield* seedToken(ownerId, reading, { appIds: [appId] })
        yield* hookBy(seeing, { include_record: true, filter })
        const id = yield* create
        yield* update(id, "Berth")
        yield* arrived(1)
        assert.strictEqual(bodies()[0].record.record_id, id)
      })
    )

    it.effect("a copy that an earlier release has kept with its reach is judged when it is sent", () =>
      Effect.gen(function* () {
        const { arrived, bodies, create, hookBy, told, sql, token, update } = yield* setting
        const hookId = yield* hookBy(token, { include_record: true })
        yield* sql`UPDATE hooks SET reach = '{"scopes": ["webhooks:manage"]}' WHERE hook_id = ${hookId}`
        const id = yield* create
        for (const text of ["A", "B"]) yield* update(id, text)
        yield* arrived(2)
        assert.isTrue(bodies().every((body) => !("record" in body)))
        assert.deepStrictEqual(yield* told(hookId, 1), ["is sent without records"])
      })
    )
  })

  describe("who may no longer read (W17)", () => {
    /** A workspace admin with a hook that reads. */
    const leavingSetting = Effect.gen(function* () {
      const world = yield* setting
      const { done, hookBy, orgId, sql, token, workspaceId } = world
      yield* sql`UPDATE workspaces SET type = 'closed' WHERE workspace_id = ${workspaceId}`
      const admin = yield* seedUser(orgId, "member")
      yield* done(token, "POST", `/workspace/${workspaceId}/member`, { user_id: admin.userId, role: "admin" })
      const leave = done(token, "DELETE", `/workspace/${workspaceId}/member/${admin.userId}`)
      return { ...world, hookBy: (settings: object) => hookBy(admin.key, settings), leave }
    })

    it.effect("has no record sent, its admins are told once, and whoever saves it has them again", () =>
      Effect.gen(function* () {
        const { arrived, bodies, create, done, hookBy, leave, told, token, update } = yield* leavingSetting
        const hookId = yield* hookBy({ include_record: true })
        yield* leave
        const id = yield* create
        for (const text of ["A", "B", "C"]) yield* update(id, text)
        yield* arrived(3)
        assert.isTrue(bodies().every((body) => !("record" in body)))
        assert.deepStrictEqual(yield* told(hookId, 1), ["is sent without records"])
        yield* done(token, "PUT", `/hook/${hookId}/settings`, { include_record: true })
        yield* update(id, "D")
        yield* arrived(4)
        assert.strictEqual(bodies()[3].record.record_id, id)
      })
    )

    it.effect("has the hook paused whose filter reads, and nothing is told by what passes", () =>
      Effect.gen(function* () {
        const { arrived, bodies, create, done, filter, hookBy, leave, told, settings, token, update } =
          yield* leavingSetting
        const hookId = yield* hookBy({ filter })
        yield* leave
        const id = yield* create
        yield* update(id, "Berth")
        yield* eventually("the pause", settings(hookId), ({ paused }) => paused)
        assert.lengthOf(bodies(), 0)
        assert.deepStrictEqual(yield* told(hookId, 1), ["was paused"])
        yield* done(token, "PUT", `/hook/${hookId}/settings`, { paused: false })
        yield* arrived(1)
        yield* update(id, "Dock")
        yield* arrived(1)
      })
    )
  })

  describe("an app whose connection has ended (W17)", () => {
    const appSetting = Effect.gen(function* () {
      const world = yield* setting
      const { hookBy, orgId, ownerId } = world
      const app = yield* connected(ownerId, orgId, reading)
      const end = Connections.use((connections) => connections.end(app.connectionId, "operator"))
      return { ...world, app, end, hookId: yield* hookBy(app.token, { include_record: true }) }
    })

    it.effect("has sent nothing since; whoever saves the hook takes it over, and what has waited is sent", () =>
      Effect.gen(function* () {
        const { app, arrived, as, bodies, create, done, end, hookId, told, ownerId, settings, sql, update } =
          yield* appSetting
        const id = yield* create
        yield* end
        assert.isTrue((yield* settings(hookId)).paused)
        assert.strictEqual((yield* as(app.token)("GET", `/hook/${hookId}`)).status, 401)
        yield* update(id, "Berth")
        yield* eventually(
          "it waits",
          sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hookId}`,
          (rows) => rows.length === 1
        )
        assert.lengthOf(bodies(), 0)
        assert.deepStrictEqual(yield* told(hookId, 1), ["was paused"])
        const key = yield* seedToken(ownerId, reading)
        const saved = yield* done(key, "PUT", `/hook/${hookId}/settings`, { description: "mine now" })
        assert.isFalse(saved.paused)
        yield* arrived(1)
        assert.strictEqual(bodies()[0].record.record_id, id)
      })
    )

    it.effect("one that was paused before stays paused when it is taken over", () =>
      Effect.gen(function* () {
        const { done, end, hookId, ownerId, settings, sql } = yield* appSetting
        const key = yield* seedToken(ownerId, reading)
        yield* sql`UPDATE hooks SET paused_on = now() - interval '1 hour' WHERE hook_id = ${hookId}`
        yield* end
        yield* done(key, "PUT", `/hook/${hookId}/settings`, { description: "mine now" })
        assert.isTrue((yield* settings(hookId)).paused)
        assert.isFalse((yield* done(key, "PUT", `/hook/${hookId}/settings`, { paused: false })).paused)
      })
    )

    it.effect("lapsed, it counts as ended", () =>
      Effect.gen(function* () {
        const { app, hookId, settings, sql } = yield* appSetting
        yield* sql`UPDATE connections SET last_token_on = now() - interval '91 days' WHERE connection_id = ${app.connectionId}`
        yield* jobs.oauth.run
        assert.isTrue((yield* settings(hookId)).paused)
      })
    )

    it.effect("a test sends no record of it", () =>
      Effect.gen(function* () {
        const { bodies, create, done, end, hookId, ownerId } = yield* appSetting
        yield* create
        yield* end
        yield* done(yield* seedToken(ownerId, managing), "POST", `/hook/${hookId}/test`, {})
        assert.lengthOf(bodies(), 1)
        assert.notProperty(bodies()[0], "record")
      })
    )
  })

  describe("another origin (W18)", () => {
    const secrets = {
      headers: { "X-Key": { secret: "s3cret-key" }, "X-Kind": "plain" },
      authentication: { type: "bearer", token: "s3cret-token" }
    }
    const cleared = {
      headers: { "X-Key": { set: false }, "X-Kind": "plain" },
      authentication: { type: "bearer", token: { set: false } }
    }
    const secretSettings = ({ authentication, headers }: any) => ({ authentication, headers })

    it.effect("clears secret headers and authentication, which neither verification nor test carries there", () =>
      Effect.gen(function* () {
        const { as, done, hookBy, other, path, receiver, settings, sql, token } = yield* setting
        const hookId = yield* hookBy(token, secrets)
        yield* done(token, "PUT", `/hook/${hookId}`, { url: `${other.origin}${path}` })
        assert.deepStrictEqual(secretSettings(yield* settings(hookId)), cleared)
        yield* done(token, "POST", `/hook/${hookId}/verify/request`)
        yield* eventually(
          "the code",
          Effect.sync(() => other.of(path).length),
          (n) => n === 1
        )
        yield* sql`UPDATE hooks SET status = 'active' WHERE hook_id = ${hookId}`
        yield* done(token, "POST", `/hook/${hookId}/test`, {})
        for (const { headers } of other.of(path)) {
          assert.deepStrictEqual([headers["x-key"], headers.authorization], [undefined, undefined])
          assert.strictEqual(headers["x-kind"], "plain")
        }
        // Back again, they are not there either.
        yield* done(token, "PUT", `/hook/${hookId}`, { url: `${receiver.origin}${path}` })
        assert.deepStrictEqual(secretSettings(yield* settings(hookId)), cleared)
        // What is read can be written.
        assert.deepStrictEqual(
          secretSettings(
            yield* done(token, "PUT", `/hook/${hookId}/settings`, secretSettings(yield* settings(hookId)))
          ),
          cleared
        )
        const kept = yield* as(token)("PUT", `/hook/${hookId}/settings`, { headers: { "X-Key": { set: true } } })
        assert.strictEqual(kept.status, 400)
      })
    )

    it.effect("keeps what the same request sends anew, and nothing of what it would keep", () =>
      Effect.gen(function* () {
        const { as, done, hookBy, other, path, settings, sql, token } = yield* setting
        const hookId = yield* hookBy(token, secrets)
        const url = `${other.origin}${path}`
        const kept = yield* as(token)("PUT", `/hook/${hookId}`, { url, headers: { "X-Key": { set: true } } })
        assert.strictEqual(kept.status, 400, kept.text)
        yield* done(token, "PUT", `/hook/${hookId}`, { url, headers: { "X-Key": { secret: "another" } } })
        const { authentication, headers } = yield* settings(hookId)
        assert.deepStrictEqual([headers, authentication.token], [{ "X-Key": { set: true } }, { set: false }])
        yield* sql`UPDATE hooks SET status = 'active' WHERE hook_id = ${hookId}`
        yield* done(token, "POST", `/hook/${hookId}/test`, {})
        assert.deepStrictEqual(
          other.of(path).map(({ headers: sent }) => [sent["x-key"], sent.authorization]),
          [["another", undefined]]
        )
      })
    )

    it.effect("another path of the same origin keeps them", () =>
      Effect.gen(function* () {
        const { done, hookBy, receiver, path, settings, token } = yield* setting
        const hookId = yield* hookBy(token, secrets)
        yield* done(token, "PUT", `/hook/${hookId}`, { url: `${receiver.origin.toUpperCase()}${path}/next` })
        assert.deepStrictEqual((yield* settings(hookId)).headers["X-Key"], { set: true })
      })
    )

    it.effect("no token of a provider goes there", () =>
      Effect.gen(function* () {
        const { done, hookBy, other, path, settings, sql, token } = yield* setting
        const hookId = yield* hookBy(token)
        yield* sql`
          UPDATE hooks SET sending = '{"authentication": {"type": "oauth2", "authentication_provider_id": 1}}' WHERE hook_id = ${hookId}`
        yield* done(token, "PUT", `/hook/${hookId}`, { url: `${other.origin}${path}` })
        assert.isNull((yield* settings(hookId)).authentication)
      })
    )
  })

  it.effect("W11: no header that proxies, sessions, connections, bodies or signatures have", () =>
    Effect.gen(function* () {
      const { as, bodies, done, hookBy, path, receiver, sql, token } = yield* setting
      const hookId = yield* hookBy(token)
      for (const name of [
        ...[
          "Cookie",
          "X-Forwarded-For",
          "x-forwarded-host",
          "Forwarded",
          "Via",
          "X-Real-IP",
          "svix-id",
          "Svix-Signature"
        ],
        ...["webhook-id", "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Upgrade"],
        ...["Proxy-Authorization", "Trailer", "Content-Type", "X-Original-URL", "True-Client-IP", "Set-Cookie"]
      ]) {
        for (const value of ["x", { secret: "x" }]) {
          const refusal = yield* as(token)("PUT", `/hook/${hookId}/settings`, { headers: { [name]: value } })
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"], name)
        }
      }
      // One that an earlier release took is not sent.
      yield* sql`
        UPDATE hooks SET sending = '{"headers": {"Cookie": "session=1", "X-Forwarded-For": "10.0.0.1", "X-Kind": "a"}}' WHERE hook_id = ${hookId}`
      yield* done(token, "POST", `/hook/${hookId}/test`, {})
      assert.lengthOf(bodies(), 1)
      const { headers } = receiver.of(path)[0]!
      assert.deepStrictEqual(
        [headers["cookie"], headers["x-forwarded-for"], headers["x-kind"]],
        [undefined, undefined, "a"]
      )
    })
  )
})
