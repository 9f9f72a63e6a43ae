// decisions O15: the organization's app policy and its connections; the audit log for its admins.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { auditKinds } from "../../../console/src/pages/admin/auditWords.ts"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { authorize, connect, decide, hiddenIn, REDIRECT, registerClient, signedIn, token } from "../../support/oauth.ts"
import { sentSlowly } from "../../support/slowBody.ts"
import { type Browser, browser, encoded, PASSWORD, seedPerson } from "./support.ts"

const alive = Effect.fnUntraced(function* (held: { readonly access_token: string }) {
  const app = yield* App
  return (yield* app.call("GET", "/v1/user", { token: held.access_token })).status === 200
})

const page = "/organization/apps"

/** Posts a form whose end does not come before `meanwhile` is done. */
const postedSlowly = <E, R>(
  { cookies }: Browser,
  path: string,
  members: Record<string, string>,
  meanwhile: Effect.Effect<unknown, E, R>
) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const headers = { "content-type": "application/x-www-form-urlencoded", cookie }
  return sentSlowly(path, { method: "POST", headers }, ["x=y&", encoded(members)], meanwhile)
}

const scene = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization("Harbor Works")
  const member = yield* seedUser(orgId, "member", "Joao")
  const clientId = yield* registerClient(undefined, { client_name: "Harbor Board" })
  const b = browser(yield* signedIn(owner.personId))
  return { orgId, owner, member, clientId, b }
})

layer(appLayer(), { excludeTestServices: true })("O15: the app policy page", (it) => {
  it.effect("O15: owners and admins only; members and guests are told so, their forms refused", () =>
    Effect.gen(function* () {
      const { orgId, clientId, b } = yield* scene
      const admin = yield* seedUser(orgId, "admin")
      assert.strictEqual((yield* browser(yield* signedIn(admin.personId)).get(page)).status, 200)
      for (const role of ["member", "guest"] as const) {
        const user = yield* seedUser(orgId, role)
        const m = browser(yield* signedIn(user.personId))
        for (const path of [page, "/organization/audit"]) assert.strictEqual((yield* m.get(path)).status, 403)
        const csrf = hiddenIn((yield* m.get("/")).text, "csrf")
        assert.strictEqual((yield* m.post(page, { csrf, action: "mode", mode: "approved" })).status, 403)
        assert.strictEqual(
          (yield* m.post(page, { csrf, action: "access", client_id: clientId, access: "blocked" })).status,
          403
        )
      }
      assert.match((yield* b.get(page)).text, /value="all" checked/)
    })
  )

  it.effect("O15: a form that takes its time is judged by the role and the session that there are at its end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { b, orgId, owner } = yield* scene
      yield* seedUser(orgId, "owner")
      const csrf = hiddenIn((yield* b.get(page)).text, "csrf")
      const demoted = sql`UPDATE users SET role = 'member' WHERE user_id = ${owner.userId}`
      const refusal = yield* postedSlowly(b, page, { csrf, action: "mode", mode: "approved" }, demoted)
      assert.strictEqual(refusal.status, 403)
      assert.lengthOf(yield* sql`SELECT 1 FROM org_app_modes WHERE org_id = ${orgId}`, 0)

      const signedOut = sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
      const choice = { csrf, user_id: String(owner.userId) }
      // Nobody is signed in any more: the form leads to the sign-in, and back from there (O25).
      const lateReply = yield* postedSlowly(b, "/organization", choice, signedOut)
      assert.strictEqual(lateReply.status, 303)
      assert.match(lateReply.headers.get("location") ?? "", /\/sign-in\?/)
    })
  )

  it.effect(
    "O15: only approved apps: new approvals are kept out, earlier connections go on; approving lets the app in",
    () =>
      Effect.gen(function* () {
        const { member, clientId, b } = yield* scene
        const connection = yield* connect(member, clientId)
        assert.include((yield* b.submit(page, { action: "mode", mode: "approved" })).text, "Saved.")
        assert.isTrue(yield* alive(connection))
        assert.isUndefined((yield* connect(member, clientId)).access_token)
        yield* b.submit(page, { action: "access", client_id: clientId, access: "everyone" })
        assert.isTrue(yield* alive(yield* connect(member, clientId)))
        assert.strictEqual((yield* b.submit(page, { action: "mode", mode: "none" })).status, 403)
      })
  )

  it.effect("O15: admins only and blocked end the connections of everyone they shut out; lifting revives nothing", () =>
    Effect.gen(function* () {
      const { owner, member, clientId, b } = yield* scene
      const ownConnection = yield* connect(owner, clientId)
      const theirs = yield* connect(member, clientId)
      const limited = yield* b.submit(page, { action: "access", client_id: clientId, access: "admins" })
      assert.include(limited.text, "1 connection ended.")
      assert.deepStrictEqual([yield* alive(ownConnection), yield* alive(theirs)], [true, false])
      yield* b.submit(page, { action: "access", client_id: clientId, access: "blocked" })
      assert.isFalse(yield* alive(ownConnection))
      yield* b.submit(page, { action: "access", client_id: clientId, access: "" })
      assert.deepStrictEqual([yield* alive(ownConnection), yield* alive(theirs)], [false, false])
      assert.isTrue(yield* alive(yield* connect(member, clientId)))
    })
  )

  it.effect("O15: blocked for a single user, and unblocked", () =>
    Effect.gen(function* () {
      const { owner, member, clientId, b } = yield* scene
      const [own, theirs] = [yield* connect(owner, clientId), yield* connect(member, clientId)]
      const blocked = yield* b.submit(page, { action: "block", client_id: clientId, user_id: String(member.userId) })
      assert.include(blocked.text, "Blocked for")
      assert.deepStrictEqual([yield* alive(own), yield* alive(theirs)], [true, false])
      const unblockedPage = yield* b.submit(page, {
        action: "unblock",
        client_id: clientId,
        user_id: String(member.userId)
      })
      assert.notInclude(unblockedPage.text, "Blocked for")
      assert.isFalse(yield* alive(theirs))
      assert.isTrue(yield* alive(yield* connect(member, clientId)))
    })
  )

  it.effect("O15: somebody is blocked by their email address, or a name that nobody else has", () =>
    Effect.gen(function* () {
      const { b, clientId, member, orgId } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const [{ email } = { email: "" }] = yield* sql<{ email: string }>`
        SELECT email FROM people WHERE person_id = ${member.personId}`
      yield* b.submit(page, { action: "access", client_id: clientId, access: "everyone" })
      const block = (user_id: string) => b.submit(page, { action: "block", client_id: clientId, user_id })
      for (const typed of [email.toUpperCase(), " joao "]) {
        assert.include((yield* block(typed)).text, "Unblock Harbor Board for Joao", typed)
        yield* b.submit(page, { action: "unblock", client_id: clientId, user_id: String(member.userId) })
      }
      const stranger = yield* seedOrganization()
      yield* seedUser(orgId, "member", "Joao")
      for (const [typed, told] of [
        ["Joao", "Several users have the name “Joao”: give the email address."],
        ["Nobody", "No user of the organization has the email address or the name “Nobody”."],
        [String(stranger.owner.userId), "No user of the organization"]
      ] as const) {
        const refusal = yield* block(typed)
        assert.deepStrictEqual([refusal.status, refusal.text.includes(told)], [400, true], typed)
      }
      assert.lengthOf(yield* sql`SELECT 1 FROM org_app_user_blocks WHERE client_id = ${clientId}`, 0)
    })
  )

  it.effect("O15: the organization's connections are listed and one is ended; another organization's cannot be", () =>
    Effect.gen(function* () {
      const { member, clientId, b } = yield* scene
      const memberConnection = yield* connect(member, clientId)
      const list = yield* b.get(page)
      assert.include(list.text, "Joao")
      const connection_id = hiddenIn(list.text, "connection_id")
      const other = yield* seedOrganization()
      const stranger = browser(yield* signedIn(other.owner.personId))
      assert.include((yield* stranger.submit(page, { action: "end", connection_id })).text, "had ended already")
      const block = { action: "block", client_id: clientId, user_id: String(member.userId) }
      yield* stranger.submit(page, block)
      assert.isTrue(yield* alive(memberConnection))
      assert.include((yield* b.submit(page, { action: "end", connection_id })).text, "The connection was ended.")
      assert.isFalse(yield* alive(memberConnection))
    })
  )

  it.effect(
    "O15: a rule may come before the app: an unknown client ID is said to be unknown, a document's URL is taken",
    () =>
      Effect.gen(function* () {
        const { b } = yield* scene
        const unknown = yield* b.submit(page, { action: "access", client_id: "svc_oc_none", access: "blocked" })
        assert.strictEqual(unknown.status, 400)
        assert.include(unknown.text, "There is no app with this client ID.")
        const url = "https://app.example/client.json"
        assert.include((yield* b.submit(page, { action: "access", client_id: url, access: "blocked" })).text, url)
      })
  )

  it.effect(
    "O15: rules for an app that is no longer registered are taken away; one for a document blocks a person",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { b, clientId, member } = yield* scene
        const user_id = String(member.userId)
        yield* b.submit(page, { action: "access", client_id: clientId, access: "admins" })
        yield* b.submit(page, { action: "block", client_id: clientId, user_id })
        yield* sql`DELETE FROM oauth_clients WHERE client_id = ${clientId}`
        const unruled = yield* b.submit(page, { action: "access", client_id: clientId, access: "" })
        assert.include(unruled.text, "Saved.")
        const unblockedPage = yield* b.submit(page, { action: "unblock", client_id: clientId, user_id })
        assert.notInclude(unblockedPage.text, clientId)
        const url = "https://app.example/before.json"
        yield* b.submit(page, { action: "access", client_id: url, access: "everyone" })
        assert.include((yield* b.submit(page, { action: "block", client_id: url, user_id })).text, "Blocked for")
        const unknown = yield* b.submit(page, { action: "block", client_id: clientId, user_id })
        assert.strictEqual(unknown.status, 400)
        assert.include(unknown.text, "There is no app with this client ID.")
      })
  )

  it.effect(
    "P8: the page names nobody who is not on it, and fifty apps, however many rules there are; rules are for 500 apps",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { b, orgId } = yield* scene
        yield* sql`
        INSERT INTO org_app_policies (org_id, client_id, access)
        SELECT ${orgId}, 'https://a.example/' || n, 'blocked' FROM generate_series(1, 499) n`
        yield* sql`
        WITH p AS (
          INSERT INTO people (email, name, created_on)
          SELECT ${`${orgId}-`}::text || n || '@many.example', 'Person ' || n, now() FROM generate_series(1, 300) n RETURNING person_id, name)
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        SELECT ${orgId}, person_id, name, 'member', 'active', now() FROM p`
        const { text } = yield* b.get(page)
        assert.isBelow(text.length, 300_000)
        for (const path of [page, "/organization/audit"])
          assert.notMatch((yield* b.get(path)).text, /@many\.example|Person \d/)
        assert.lengthOf(text.match(/id="access-\d/g) ?? [], 50)
        assert.lengthOf(text.match(/<option value="https:\/\/a\.example/g) ?? [], 50)
        assert.include((yield* b.get(`${page}?skip_apps=450&skip=999999999999999`)).text, "First apps")
        const add = (n: number) =>
          b.submit(page, { action: "access", client_id: `https://b.example/${n}`, access: "blocked" })
        assert.include((yield* add(1)).text, "Saved.")
        const full = yield* add(2)
        assert.strictEqual(full.status, 400)
        assert.include(full.text, "There are rules for 500 apps")
        assert.include((yield* add(1)).text, "Saved.")
        const long = `https://${"\u6e2f".repeat(1500)}`
        assert.strictEqual(
          (yield* b.submit(page, { action: "access", client_id: long, access: "blocked" })).status,
          400
        )
      })
  )

  it.effect("the audit log shows the organization's own entries, newest first, page by page, and no credential", () =>
    Effect.gen(function* () {
      const { member, clientId, b } = yield* scene
      const memberConnection = yield* connect(member, clientId)
      yield* b.submit(page, { action: "access", client_id: clientId, access: "blocked" })
      const log = yield* b.get("/organization/audit")
      for (const event of ["authorize.approved", "connection.created", "app_policy.access_set", "connection.ended"])
        assert.include(log.text, event)
      assert.isBelow(log.text.indexOf("connection.ended"), log.text.indexOf("connection.created"))
      assert.include(log.text, "Joao")
      assert.include(log.text, "Harbor Board")
      assert.notInclude(log.text, memberConnection.access_token)
      const other = yield* seedOrganization()
      assert.include(
        (yield* browser(yield* signedIn(other.owner.personId)).get("/organization/audit")).text,
        "Nothing has been recorded yet."
      )
      for (let i = 0; i < 26; i++) {
        yield* b.submit(page, { action: "mode", mode: "approved" })
        yield* b.submit(page, { action: "mode", mode: "all" })
      }
      const firstPage = yield* b.get("/organization/audit")
      const older = /href="(\/organization\/audit\?before=\d+)"/.exec(firstPage.text)![1]!
      assert.include((yield* b.get(older)).text, "connection.created")
      assert.strictEqual((yield* b.get("/organization/audit?before=x")).status, 200)
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
        const auditPage = yield* browser(yield* signedIn(second.owner.personId)).get("/organization/audit?what=person")
        assert.include(auditPage.text, "person.signed_in")
        assert.notInclude(auditPage.text, PASSWORD)
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
        const { orgId, owner, member, clientId, b } = yield* scene
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
        yield* b.submit(page, { action: "block", client_id: clientId, user_id: String(member.userId) })
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

  it.effect("the audit log is narrowed to the same kinds as in the console, secrets and mail accounts among them", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { b, owner } = yield* scene
      yield* app.call("POST", "/v1/secret/org", { token: owner.key, body: { name: "tide", value: "kept hidden" } })
      const { text } = yield* b.get("/organization/audit?what=secret")
      assert.include(text, "secret.created")
      assert.notInclude(text, "person.signed_in")
      const offered = [...text.matchAll(/<option value="([a-z_]+)"/g)].map(([, kind]) => kind!)
      assert.sameMembers(offered, Object.keys(auditKinds))
    })
  )

  it.effect("O23: what was counted is one line with its minute and how often it happened", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const { owner } = yield* seedPerson()
      const countThrottled = audit.count({ event: "person.sign_in_throttled", personId: owner.personId })
      yield* countThrottled
      const b = browser(yield* signedIn(owner.personId))
      const page = "/organization/audit?what=person"
      assert.include((yield* b.get(page)).text, "once in this minute")
      yield* Effect.andThen(countThrottled, countThrottled)
      const { text } = yield* b.get(page)
      const lines = text.match(/<td class="event">/g)!.length
      // A minute that has begun in between is a line of its own.
      assert.match(text, lines === 1 ? /3 times in this minute/ : /2 times in this minute/)
    })
  )

  it.effect("audit: by kind and person, page by page; times and clients for the command line", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const { orgId, owner, member, clientId, b } = yield* scene
      yield* connect(member, clientId)
      yield* connect(owner, clientId)
      for (let i = 0; i < 26; i++) {
        yield* b.submit(page, { action: "mode", mode: "approved" })
        yield* b.submit(page, { action: "mode", mode: "all" })
      }
      const memberLog = yield* b.get(`/organization/audit?what=connection&user=${member.userId}`)
      assert.include(memberLog.text, "connection.created")
      assert.notInclude(memberLog.text, "app_policy.mode_set")
      assert.strictEqual(memberLog.text.match(/<td class="event">/g)?.length, 1)
      assert.match(memberLog.text, /<option value="connection" selected>/)
      const named = yield* b.get("/organization/audit?what=connection&user=joao")
      assert.strictEqual(named.text.match(/<td class="event">/g)?.length, 1)
      assert.include((yield* b.get("/organization/audit?user=x")).text, "No user of the organization")
      const firstPage = yield* b.get("/organization/audit?what=app_policy")
      const older = /href="(\/organization\/audit\?what=app_policy&amp;before=\d+)"/.exec(firstPage.text)![1]!
      const lastPage = yield* b.get(older.replaceAll("&amp;", "&"))
      assert.strictEqual(lastPage.text.match(/<td class="event">/g)?.length, 2)
      assert.notInclude(lastPage.text, "Older entries")
      for (const odd of ["what=x", "what=__proto__", "user=x", "what=person&before=1"])
        assert.strictEqual((yield* b.get(`/organization/audit?${odd}`)).status, 200)

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
