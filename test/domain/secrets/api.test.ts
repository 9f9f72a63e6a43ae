// developer-api.md 7.13; decisions O9, P11: secrets are written and replaced by those who manage what they belong to, and never read back.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { secretValue } from "../../../src/domain/secrets/Secret.ts"
import { hashToken, Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { App, appLayer, type Person, seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { seedApp } from "../webhooks/support/seed.ts"

const VALUE = "sk-live-4f9a1c77"

const setting = Effect.gen(function* () {
  const { call } = yield* App
  const { orgId, owner } = yield* seedOrganization()
  const { appId, workspaceId } = yield* seedApp(orgId)
  const scopePaths = ["/v1/secret/org", `/v1/secret/workspace/${workspaceId}`, `/v1/secret/app/${appId}`] as const
  const create = (place: string, body: object = {}, token = owner.key) =>
    call("POST", place, { token, body: { name: "stripe_key", value: VALUE, ...body } })
  const sql = yield* SqlClient.SqlClient
  const join = ({ userId }: Person, role: string) =>
    sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${userId}, ${role})`
  return { call, orgId, owner, appId, workspaceId, places: scopePaths, create, join }
})

const readStored = Effect.fnUntraced(function* (secretId: number) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const [row] = yield* sql<{ value: Uint8Array }>`SELECT value FROM secrets WHERE secret_id = ${secretId}`
  return {
    bytes: row!.value,
    plain: yield* secrets.decrypt(row!.value, secretValue.contextOf({ secret_id: secretId }))
  }
})

layer(appLayer(), { excludeTestServices: true })("secrets", (it) => {
  describe("written, replaced, never read back (7.13, O9)", () => {
    it.effect("one of the organization, of a workspace and of an app, under one name", () =>
      Effect.gen(function* () {
        const { appId, call, create, orgId, owner, places, workspaceId } = yield* setting
        const owners = [
          { workspace_id: null, app_id: null, allowed: { workspace_ids: [] } },
          { workspace_id: workspaceId, app_id: null, allowed: null },
          { workspace_id: null, app_id: appId, allowed: null }
        ]
        for (const [index, place] of places.entries()) {
          const creation = yield* create(place, { description: "Charges" })
          assert.strictEqual(creation.status, 200, creation.text)
          const { created_at, secret_id, updated_at, ...rest } = creation.json
          assert.isTrue(Number.isInteger(secret_id))
          assert.strictEqual(created_at, updated_at)
          assert.deepStrictEqual(rest, {
            name: "stripe_key",
            description: "Charges",
            org_id: orgId,
            ...owners[index],
            created_by: owner.userId,
            updated_by: owner.userId
          })
          const listing = yield* call("GET", place, { token: owner.key })
          assert.deepStrictEqual(listing.json, { total: 1, secrets: [creation.json] })
          const read = yield* call("GET", `/v1/secret/${secret_id}`, { token: owner.key })
          assert.deepStrictEqual(read.json, creation.json)
        }
      })
    )

    it.effect("the value is encrypted under the ring, replaced as a whole, and in no answer", () =>
      Effect.gen(function* () {
        const { call, create, owner, places } = yield* setting
        const creation = yield* create(places[0])
        const id = creation.json.secret_id
        const firstValue = yield* readStored(id)
        assert.strictEqual(firstValue.plain, VALUE)
        assert.notInclude(Buffer.from(firstValue.bytes).toString("latin1"), VALUE)
        const next = "sk-live-after-rotation"
        const path = `/v1/secret/${id}`
        const replaced = yield* call("PUT", path, { token: owner.key, body: { value: next, description: "New" } })
        assert.deepStrictEqual([replaced.status, replaced.json.description], [200, "New"])
        assert.strictEqual((yield* readStored(id)).plain, next)
        const cleared = yield* call("PUT", path, { token: owner.key, body: { description: null } })
        assert.isNull(cleared.json.description)
        assert.strictEqual((yield* readStored(id)).plain, next)
        const deletion = yield* call("DELETE", path, { token: owner.key })
        const readAfter = yield* call("GET", path, { token: owner.key })
        assert.deepStrictEqual([deletion.status, deletion.json.name, readAfter.status], [200, "stripe_key", 404])
        for (const { text } of [creation, replaced, cleared, deletion, readAfter]) {
          assert.notInclude(text, VALUE)
          assert.notInclude(text, next)
        }
      })
    )

    it.effect("a mistake is named with its path, changes nothing, and does not repeat the value", () =>
      Effect.gen(function* () {
        const { call, create, owner, places } = yield* setting
        const creation = yield* create(places[2])
        for (const [body, path] of [
          [{ name: "a b" }, "name"],
          [{ name: "1st" }, "name"],
          [{ name: "n".repeat(101) }, "name"],
          [{ value: "short" }, "value"],
          [{ value: "x".repeat(8193) }, "value"],
          [{ value: 71_829_364_551 }, "value"],
          [{ value: ["wrapped-71829364551"] }, "value"],
          [{ value: "half-\ud800-71829364551" }, "value"],
          [{ scope: "71829364551" }, "scope"],
          [{ description: "d".repeat(1001) }, "description"]
        ] as const) {
          const answer = yield* create(places[2], body)
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, "input_validation"], answer.text)
          assert.include(answer.json.error_message, path)
          assert.notInclude(answer.text, "71829364551")
        }
        const duplicate = yield* create(places[2])
        assert.deepStrictEqual([duplicate.status, duplicate.json.error_code], [409, "conflict_error"])
        const path = `/v1/secret/${creation.json.secret_id}`
        const renamed = yield* call("PUT", path, { token: owner.key, body: { name: "other" } })
        assert.deepStrictEqual([renamed.status, renamed.json.error_code], [400, "input_validation"])
        assert.strictEqual((yield* readStored(creation.json.secret_id)).plain, VALUE)
        const listing = yield* call("GET", places[2], { token: owner.key })
        assert.deepStrictEqual(listing.json.secrets, [creation.json])
      })
    )

    it.effect("at most 100 in one place, also under parallel creation", () =>
      Effect.gen(function* () {
        const { create, places } = yield* setting
        const answers = yield* Effect.all(
          Array.from({ length: 103 }, (_, n) => create(places[1], { name: `key_${n}` })),
          { concurrency: 10 }
        )
        const refusals = answers.filter(({ status }) => status !== 200)
        assert.deepStrictEqual(
          refusals.map(({ json, status }) => [status, json.error_code]),
          Array.from({ length: 3 }, () => [400, "validation"])
        )
        assert.include(refusals[0]!.json.error_message, "at most 100")
      })
    )

    it.effect("a stored answer of a repeat holds no value", () =>
      Effect.gen(function* () {
        const { appId, call, owner } = yield* setting
        const post = call("POST", `/v1/secret/app/${appId}`, {
          token: owner.key,
          headers: { "idempotency-key": "once" },
          body: { name: "stripe_key", value: VALUE }
        })
        const [first, second] = [yield* post, yield* post]
        assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
        assert.deepStrictEqual(second.json, first.json)
        assert.notInclude(second.text, VALUE)
        // Nor a hash that whoever has the database could try guesses against.
        const sql = yield* SqlClient.SqlClient
        const [kept] = yield* sql<{ body_hash: Uint8Array }>`
          SELECT body_hash FROM idempotency_keys WHERE user_id = ${owner.userId} AND key = 'once'`
        const body = JSON.stringify({ name: "stripe_key", value: VALUE })
        assert.isFalse(Buffer.from(hashToken(body)).equals(kept!.body_hash))
        const other = yield* call("POST", `/v1/secret/app/${appId}`, {
          token: owner.key,
          headers: { "idempotency-key": "once" },
          body: { name: "stripe_key", value: "another value" }
        })
        assert.deepStrictEqual([other.status, other.json.error_code], [409, "conflict_error"])
      })
    )

    it.effect("every change is in the audit log, with the name and without the value", () =>
      Effect.gen(function* () {
        const { call, create, orgId, owner, places } = yield* setting
        const { json } = yield* create(places[0])
        const path = `/v1/secret/${json.secret_id}`
        yield* call("PUT", path, { token: owner.key, body: { description: "Charges" } })
        yield* call("PUT", path, { token: owner.key, body: { value: "sk-live-after-rotation" } })
        yield* call("DELETE", path, { token: owner.key })
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ event: string; user_id: number; details: unknown }>`
          SELECT event, user_id, details FROM audit_log WHERE org_id = ${orgId} AND event LIKE 'secret.%' ORDER BY audit_id`
        const details = { secret_id: json.secret_id, name: "stripe_key", workspace_id: null, app_id: null }
        assert.deepStrictEqual(
          rows.map((row) => ({ ...row })),
          ["created", "changed", "replaced", "removed"].map((verb) => ({
            event: `secret.${verb}`,
            user_id: owner.userId,
            details
          }))
        )
      })
    )

    it.effect("they end with their app and with their workspace", () =>
      Effect.gen(function* () {
        const { appId, call, create, owner, places, workspaceId } = yield* setting
        const ids: Array<number> = []
        for (const scopePath of places) ids.push((yield* create(scopePath)).json.secret_id)
        const statuses = Effect.forEach(ids, (id) =>
          Effect.map(call("GET", `/v1/secret/${id}`, { token: owner.key }), ({ status }) => status)
        )
        assert.strictEqual((yield* call("DELETE", `/v1/app/${appId}`, { token: owner.key })).status, 200)
        assert.deepStrictEqual(yield* statuses, [200, 200, 404])
        assert.strictEqual((yield* call("DELETE", `/v1/workspace/${workspaceId}`, { token: owner.key })).status, 200)
        assert.deepStrictEqual(yield* statuses, [200, 404, 404])
      })
    )
  })

  describe("who may (2.3, 2.4, 7.13)", () => {
    it.effect("reading names needs secrets:read, changing needs secrets:manage, neither gives the other", () =>
      Effect.gen(function* () {
        const { call, create, owner, places } = yield* setting
        const { json } = yield* create(places[2])
        const reads = yield* seedToken(owner.userId, ["secrets:read"])
        const manages = yield* seedToken(owner.userId, ["secrets:manage"])
        const path = `/v1/secret/${json.secret_id}`
        for (const [method, at, body, needed] of [
          ["GET", places[0], undefined, "secrets:read"],
          ["GET", places[1], undefined, "secrets:read"],
          ["GET", places[2], undefined, "secrets:read"],
          ["GET", path, undefined, "secrets:read"],
          ["POST", places[0], { name: "a", value: VALUE }, "secrets:manage"],
          ["POST", places[1], { name: "a", value: VALUE }, "secrets:manage"],
          ["POST", places[2], { name: "a", value: VALUE }, "secrets:manage"],
          ["PUT", path, {}, "secrets:manage"],
          ["DELETE", path, undefined, "secrets:manage"]
        ] as const) {
          const options = body === undefined ? {} : { body }
          const [with_, without] = needed === "secrets:read" ? [reads, manages] : [manages, reads]
          const refusal = yield* call(method, at, { ...options, token: without })
          assert.strictEqual(refusal.status, 403)
          assert.include(refusal.headers.get("www-authenticate") ?? "", `scope="${needed}"`)
          assert.strictEqual((yield* call(method, at, { ...options, token: with_ })).status, 200, `${method} ${at}`)
        }
      })
    )

    it.effect("of an app or workspace: its admins; who sees it gets 403, strangers and other tenants 404", () =>
      Effect.gen(function* () {
        const { call, create, join, orgId, places } = yield* setting
        const ofWorkspace = yield* create(places[1])
        const ofApp = yield* create(places[2])
        const admin = yield* seedUser(orgId, "member")
        const member = yield* seedUser(orgId, "member")
        const stranger = yield* seedUser(orgId, "member")
        const { owner: foreign } = yield* seedOrganization()
        yield* join(admin, "admin")
        yield* join(member, "member")
        // A closed workspace shows its name to the organization, and nothing of its apps.
        for (const [method, path, toStranger, body] of [
          ["GET", places[1], 403],
          ["GET", places[2], 404],
          ["POST", places[1], 403, { name: "a", value: VALUE }],
          ["POST", places[2], 404, { name: "a", value: VALUE }],
          ["GET", `/v1/secret/${ofWorkspace.json.secret_id}`, 403],
          ["GET", `/v1/secret/${ofApp.json.secret_id}`, 404],
          ["PUT", `/v1/secret/${ofWorkspace.json.secret_id}`, 403, {}],
          ["PUT", `/v1/secret/${ofApp.json.secret_id}`, 404, {}],
          ["DELETE", `/v1/secret/${ofWorkspace.json.secret_id}`, 403],
          ["DELETE", `/v1/secret/${ofApp.json.secret_id}`, 404]
        ] as const) {
          const as = ({ key }: Person) =>
            Effect.map(call(method, path, { token: key, ...(body === undefined ? {} : { body }) }), (it) => it.status)
          const statuses = [yield* as(member), yield* as(stranger), yield* as(foreign)]
          assert.deepStrictEqual(statuses, [403, toStranger, 404], `${method} ${path}`)
          assert.strictEqual(yield* as(admin), 200, `${method} ${path}`)
        }
      })
    )

    it.effect("of the organization: its owners and admins manage, its users see names, guests and others nothing", () =>
      Effect.gen(function* () {
        const { appId, call, create, orgId, owner, places } = yield* setting
        const { json } = yield* create(places[0])
        const path = `/v1/secret/${json.secret_id}`
        const admin = yield* seedUser(orgId, "admin")
        const member = yield* seedUser(orgId, "member")
        const guest = yield* seedUser(orgId, "guest")
        const { owner: foreign } = yield* seedOrganization()
        const limited = yield* seedToken(owner.userId, ["secrets:read", "secrets:manage"], { appIds: [appId] })
        const status = (method: string, at: string, token: string, body?: unknown) =>
          Effect.map(call(method, at, { token, ...(body === undefined ? {} : { body }) }), (answer) => answer.status)
        for (const [token, see, manage] of [
          [admin.key, 200, 200],
          [member.key, 200, 403],
          [guest.key, 404, 404],
          [limited, 404, 404]
        ] as const) {
          assert.strictEqual(yield* status("GET", places[0], token), see)
          assert.strictEqual(yield* status("GET", path, token), see)
          assert.strictEqual(yield* status("PUT", path, token, { description: "Seen" }), manage)
          assert.strictEqual(yield* status("POST", places[0], token, { name: "other_key", value: VALUE }), manage)
        }
        assert.strictEqual(yield* status("GET", path, foreign.key), 404)
        assert.strictEqual(yield* status("DELETE", path, foreign.key), 404)
        assert.strictEqual(yield* status("DELETE", path, member.key), 403)
        assert.strictEqual(yield* status("DELETE", path, admin.key), 200)
      })
    )
  })
})
