// decisions O23: the organization's part of the audit log over the API: whose entries it has, by kind, person and page, with who and why.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { browser, PASSWORD, seedPerson } from "../../interfaces/pages/support.ts"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { authorize, connect, decide, REDIRECT, registerClient, signedIn, token } from "../../support/oauth.ts"

/** Asks by the user's key. */
const callerOf =
  ({ key }: { readonly key: string }) =>
  (method: string, path: string, body?: object) =>
    Effect.flatMap(App, (app) =>
      app.call(method, `/v1${path}`, { token: key, ...(body === undefined ? {} : { body }) })
    )

const readOf = (user: { readonly key: string }) => {
  const call = callerOf(user)
  return (query = "") => Effect.map(call("GET", `/audit${query}`), ({ json }) => json.events as ReadonlyArray<any>)
}

const scene = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization("Harbor Works")
  const member = yield* seedUser(orgId, "member", "Joao")
  const clientId = yield* registerClient(undefined, { client_name: "Harbor Board" })
  const call = callerOf(owner)
  const setMode = (mode: "all" | "approved") => call("PUT", "/app-policy", { mode })
  const changeMode = Effect.andThen(setMode("approved"), setMode("all"))
  return { orgId, owner, member, clientId, call, changeMode, read: readOf(owner) }
})

layer(appLayer(), { excludeTestServices: true })("the audit log over the API", (it) => {
  it.effect("the audit log shows the organization's own entries, newest first, page by page, and no credential", () =>
    Effect.gen(function* () {
      const { member, clientId, call, changeMode, read } = yield* scene
      const memberConnection = yield* connect(member, clientId)
      yield* call("PUT", "/app-policy/app", { client_id: clientId, access: "blocked" })
      const log = yield* read()
      const kinds = log.map(({ event }) => event)
      for (const event of ["authorize.approved", "connection.created", "app_policy.access_set", "connection.ended"])
        assert.include(kinds, event)
      assert.isBelow(kinds.indexOf("connection.ended"), kinds.indexOf("connection.created"))
      const [created] = log.filter(({ event }) => event === "connection.created")
      assert.deepInclude(created, { user_name: "Joao", client_name: "Harbor Board" })
      assert.notInclude(JSON.stringify(log), memberConnection.access_token)
      assert.deepStrictEqual(yield* readOf((yield* seedOrganization()).owner)(), [])
      yield* Effect.replicateEffect(changeMode, 26)
      const newest = yield* read("?limit=50")
      assert.lengthOf(newest, 50)
      const older = yield* read(`?limit=50&before=${newest.at(-1).audit_id}`)
      assert.include(
        older.map(({ event }) => event),
        "connection.created"
      )
      assert.strictEqual((yield* call("GET", "/audit?before=x")).status, 400)
    })
  )

  const join = Effect.fnUntraced(function* (orgId: number, personId: number, role: string) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ user_id: number }>`
      INSERT INTO users (org_id, person_id, name, role, status, created_on)
      VALUES (${orgId}, ${personId}, 'Ana Reis', ${role}, 'active', now()) RETURNING user_id`
    return row!.user_id
  })

  it.effect(
    "audit: sign-ins, right and wrong, are seen by the admins of each organization of the person, and of none they join later",
    () =>
      Effect.gen(function* () {
        const audit = yield* AuditLog
        const { owner, email, orgId } = yield* seedPerson("Harbor Works")
        const second = yield* seedOrganization("Lighthouse")
        const stranger = yield* seedOrganization("Elsewhere")
        const secondUser = yield* join(second.orgId, owner.personId, "member")
        yield* browser().signIn(email, "not the password")
        const b = browser()
        yield* b.signIn(email)
        const later = yield* seedOrganization("Later")
        yield* join(later.orgId, owner.personId, "member")
        for (const [org, user] of [
          [orgId, owner.userId],
          [second.orgId, secondUser]
        ] as const) {
          const rows = yield* audit.read({ orgId: org, event: "person" })
          assert.deepStrictEqual(
            rows.map((row) => [row.event, row.user_id, row.person_id]),
            [
              ["person.signed_in", user, owner.personId],
              ["person.sign_in_failed", user, owner.personId]
            ]
          )
        }
        for (const org of [later.orgId, stranger.orgId]) assert.deepStrictEqual(yield* audit.read({ orgId: org }), [])
        const seen = yield* readOf(second.owner)("?event=person")
        assert.strictEqual(seen[0].event, "person.signed_in")
        assert.notInclude(JSON.stringify(seen), PASSWORD)
        // An address that is nobody's is nobody's to see, and changes nothing in the answer.
        const unknown = yield* browser().signIn("nobody@harbor.example", "not the password")
        assert.include(unknown.text, "The email address or the password is wrong.")
        yield* b.submit("/", {}, "/sign-out")
        assert.strictEqual((yield* audit.read({ orgId, event: "person.signed_out" })).length, 1)
      })
  )

  it.effect(
    "audit: refusals and replays of the organization's connections, kept-out members, changed users: each with who and why",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const audit = yield* AuditLog
        const { orgId, owner, member, clientId, call } = yield* scene
        const connection = yield* connect(member, clientId)
        const refresh = () =>
          token({ grant_type: "refresh_token", client_id: clientId, refresh_token: connection.refresh_token })
        for (let i = 0; i < 5; i++) yield* refresh()
        const replays = yield* audit.read({ orgId, reasonId: "TOKEN_REFRESH_REPLAYED" })
        assert.deepStrictEqual(
          replays.map((row) => [row.event, row.user_id, row.client_id]),
          [["token.refused", member.userId, clientId]]
        )
        const endEntries = yield* audit.read({ orgId, event: "connection.ended", userId: member.userId })
        assert.deepStrictEqual(
          endEntries.map((row) => [row.details["by"], row.client_id]),
          [["refresh_replayed", clientId]]
        )
        yield* call("PUT", "/app-policy/user", { client_id: clientId, user_id: member.userId, blocked: true })
        const cookie = yield* signedIn(member.personId)
        const started = yield* authorize(
          { response_type: "code", client_id: clientId, redirect_uri: REDIRECT, code_challenge: "a".repeat(43) },
          { cookie }
        )
        const answer = { decision: "approve", user_id: String(member.userId) }
        yield* decide(started.headers.get("location")!, cookie, answer)
        const kept = yield* audit.read({ orgId, event: "authorize.refused" })
        assert.deepStrictEqual(
          kept.map((row) => [row.reason_id, row.user_id]),
          [["AUTHORIZE_USER_REFUSED", member.userId]]
        )
        const user = `/v1/org/user/${member.userId}`
        yield* app.call("PUT", user, { token: owner.key, body: { role: "admin" } })
        yield* app.call("PUT", user, { token: owner.key, body: { job_description: "Pilot" } })
        yield* app.call("DELETE", user, { token: owner.key })
        const acts = yield* audit.read({ orgId, event: "user" })
        assert.deepStrictEqual(
          acts.map((row) => [row.event, row.user_id, row.details["role"], row.details["status"], row.details["admin"]]),
          [
            ["user.removed", member.userId, "admin", "removed", owner.userId],
            ["user.changed", member.userId, "admin", "active", owner.userId]
          ]
        )
      })
  )

  it.effect("O23: what was counted is one entry with its minute and how often it happened", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const { orgId, owner } = yield* seedPerson()
      const countThrottled = audit.count({ event: "person.sign_in_throttled", personId: owner.personId })
      const read = readOf(yield* seedUser(orgId, "admin"))
      const counts = Effect.map(read("?event=person"), (rows) => rows.map(({ count }) => count))
      yield* countThrottled
      assert.deepStrictEqual(yield* counts, [1])
      yield* Effect.andThen(countThrottled, countThrottled)
      // A minute that has begun in between is an entry of its own.
      assert.include(["3", "2,1", "1,2", "1,1,1"], String(yield* counts))
    })
  )

  it.effect("audit: by kind and person, page by page; times and clients for the command line", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const { orgId, owner, member, clientId, call, changeMode, read } = yield* scene
      yield* connect(member, clientId)
      yield* connect(owner, clientId)
      yield* Effect.replicateEffect(changeMode, 26)
      const memberLog = yield* read(`?event=connection&user_id=${member.userId}`)
      assert.deepStrictEqual(
        memberLog.map(({ event }) => event),
        ["connection.created"]
      )
      const firstPage = yield* read("?event=app_policy&limit=50")
      assert.lengthOf(yield* read(`?event=app_policy&limit=50&before=${firstPage.at(-1).audit_id}`), 2)
      for (const query of ["event=x", "event=__proto__", "event=person&before=1"])
        assert.deepStrictEqual(yield* read(`?${query}`), [], query)
      assert.strictEqual((yield* call("GET", "/audit?user_id=x")).status, 400)

      const rows = yield* audit.read({ orgId, clientId })
      const lastHappened = rows[0]!.happened_on
      assert.isAbove(rows.length, 0)
      assert.isTrue(
        (yield* audit.read({ orgId, clientId, until: lastHappened })).every((row) => row.happened_on < lastHappened)
      )
      assert.isTrue((yield* audit.read({ orgId, since: lastHappened })).every((row) => row.happened_on >= lastHappened))
      assert.strictEqual((yield* audit.read({ orgId, clientId: "svc_oc_none" })).length, 0)
      assert.strictEqual((yield* audit.read({ orgId, event: "app" })).length, 0)
    })
  )
})
