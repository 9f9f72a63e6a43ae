// developer-api.md 11.5: the page that an invitation's link opens, and accepting it: with a first password, or signed in.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { hiddenIn } from "../../support/oauth.ts"
import { browser, PASSWORD, seedPerson } from "./support.ts"

const OWN = "nine dry otters"
const twice = { password: OWN, repeated: OWN }
let counter = 0

/** Invites an address to an organization; the path of its link. */
const invited = Effect.fnUntraced(function* (token: string, more: object = {}) {
  const { call } = yield* App
  const email = `joins-${counter++}@example.net`
  const body = { name: "New Person", email, role: "member", ...more }
  const { json, text } = yield* call("POST", "/v1/org/user", { token, body })
  assert.isString(json.invitation_url, text)
  return { ...json, path: new URL(json.invitation_url).pathname } as {
    readonly user_id: number
    readonly email: string
    readonly path: string
  }
})
const statusOf = (userId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ status: string }>`SELECT status FROM users WHERE user_id = ${userId}`, ([row]) => row!.status)
  )
const works = (path: string) => Effect.map(browser().get(path), ({ status }) => status === 200)

layer(appLayer(), { excludeTestServices: true })("the page of an invitation", (it) => {
  it.effect("says who invites to what as what, and is not used up by being opened, however often", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { orgId, owner } = yield* seedOrganization("Harbor Works")
      const admin = yield* seedUser(orgId, "admin")
      yield* call("PUT", `/v1/org/user/${admin.userId}`, { token: owner.key, body: { name: "Ada <Quay>" } })
      const createReply = yield* call("POST", "/v1/workspace", {
        token: admin.key,
        body: { name: "Docks", type: "closed" }
      })
      const workspaces = [{ workspace_id: createReply.json.workspace_id, role: "member" }]
      const { email, path, user_id } = yield* invited(admin.key, { workspaces })
      for (const method of ["GET", "HEAD", "GET"]) assert.strictEqual((yield* call(method, path)).status, 200)
      const { headers, text } = yield* browser().get(path)
      for (const words of ["Harbor Works", "Ada &lt;Quay&gt;", "a member", "Docks", email]) assert.include(text, words)
      assert.include(headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(yield* statusOf(user_id), "invited")
    })
  )

  it.effect("a first password joins: signed in at once, in the organization, once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization("Harbor Works")
      const { email, path, user_id } = yield* invited(owner.key)
      const b = browser()
      const short = yield* b.submit(path, { password: "short", repeated: "short" })
      assert.deepStrictEqual([short.status, yield* statusOf(user_id)], [400, "invited"])
      const other = yield* b.submit(path, { password: OWN, repeated: `${OWN}!` })
      assert.include(other.text, "The two new passwords are not the same.")
      const form = yield* b.get(path)
      const joined = yield* b.post(path, { csrf: hiddenIn(form.text, "csrf"), ...twice })
      assert.deepStrictEqual([joined.status, joined.headers.get("location")], [303, "/console"])
      assert.strictEqual(yield* statusOf(user_id), "active")
      assert.include((yield* b.get("/")).text, "Harbor Works")
      assert.isFalse(yield* works(path))
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM invitations WHERE user_id = ${user_id}`, [])
      assert.strictEqual((yield* browser().signIn(email, OWN)).path, "/")
      const rows = yield* sql<{
        event: string
      }>`SELECT event FROM audit_log WHERE user_id = ${user_id} ORDER BY audit_id`
      const events = rows.map(({ event }) => event)
      assert.includeMembers(events, ["user.added", "user.invitation_sent", "user.invitation_accepted"])
    })
  )

  it.effect("who has a password signs in first, and joins as themselves alone", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization("Lighthouse")
      const knownPerson = yield* seedPerson()
      const stranger = yield* seedPerson()
      const { path, user_id } = yield* invited(owner.key, { email: knownPerson.email })
      const b = browser()
      const invitationPage = yield* b.get(path)
      assert.include(invitationPage.text, `/sign-in?next=${encodeURIComponent(path)}`)
      assert.notInclude(invitationPage.text, 'name="password"')
      // A form of ours with a password does not set one, nor does somebody else's session join.
      yield* b.get("/sign-in")
      const csrf = hiddenIn((yield* b.get("/sign-in")).text, "csrf")
      assert.strictEqual((yield* b.post(path, { csrf, ...twice })).headers.get("location"), path)
      const other = browser()
      yield* other.signIn(stranger.email)
      assert.include((yield* other.get(path)).text, `You are signed in as ${stranger.email}.`)
      const theirs = hiddenIn((yield* other.get("/")).text, "csrf")
      assert.strictEqual((yield* other.post(path, { csrf: theirs })).headers.get("location"), path)
      assert.strictEqual(yield* statusOf(user_id), "invited")
      const signedIn = yield* b.submit("/sign-in", { email: knownPerson.email, password: PASSWORD, next: path })
      assert.strictEqual(signedIn.path, path)
      // The sign-in alone accepts nothing.
      assert.strictEqual(yield* statusOf(user_id), "invited")
      const joined = yield* b.post(path, { csrf: hiddenIn(signedIn.text, "csrf") })
      assert.strictEqual(joined.headers.get("location"), "/console")
      assert.strictEqual(yield* statusOf(user_id), "active")
      assert.include((yield* b.get("/")).text, "Lighthouse")
      assert.strictEqual((yield* b.post(path, { csrf: hiddenIn(signedIn.text, "csrf") })).status, 400)
    })
  )

  it.effect("it works for seven days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const { owner } = yield* seedOrganization()
      const { path } = yield* invited(owner.key)
      yield* TestClock.adjust(Duration.millis(7 * 86_400_000 - 1))
      assert.isTrue(yield* works(path))
      yield* TestClock.adjust(Duration.millis(1))
      assert.isFalse(yield* works(path))
    }).pipe(Effect.provide(TestClock.layer()))
  )

  it.effect(
    "nothing works but the newest link, and none after DELETE, deactivation, removal; each is told the same",
    () =>
      Effect.gen(function* () {
        const { call } = yield* App
        const { owner } = yield* seedOrganization()
        const user = (id: number) => `/v1/org/user/${id}`
        const endings: ReadonlyArray<(id: number) => Effect.Effect<unknown, never, App>> = [
          (id) => call("POST", `${user(id)}/invitation`, { token: owner.key }),
          (id) => call("DELETE", `${user(id)}/invitation`, { token: owner.key }),
          (id) => call("PUT", user(id), { token: owner.key, body: { status: "deactivated" } }),
          (id) => call("DELETE", user(id), { token: owner.key })
        ]
        const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, "")
        const unknown = withoutNonce((yield* browser().get(`/invitation/${"a".repeat(43)}`)).text)
        for (const end of endings) {
          const { path, user_id } = yield* invited(owner.key)
          const b = browser()
          const csrf = hiddenIn((yield* b.get(path)).text, "csrf")
          yield* end(user_id)
          const answers = [yield* b.get(path), yield* b.post(path, { csrf, ...twice })]
          for (const { status, text } of answers) assert.deepStrictEqual([status, withoutNonce(text)], [400, unknown])
          assert.notStrictEqual(yield* statusOf(user_id), "active")
        }
      })
  )

  it.effect("its sender must still be allowed to invite when it is accepted", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const admin = yield* seedUser(orgId, "admin")
      const { path, user_id } = yield* invited(admin.key)
      const role = (userId: number, to: string) =>
        call("PUT", `/v1/org/user/${userId}`, { token: owner.key, body: { role: to } })
      assert.isTrue(yield* works(path))
      yield* role(user_id, "owner")
      assert.isFalse(yield* works(path), "only owners give the role owner")
      yield* role(user_id, "member")
      assert.isTrue(yield* works(path))
      yield* role(admin.userId, "member")
      assert.isFalse(yield* works(path))
      yield* role(admin.userId, "admin")
      yield* call("DELETE", `/v1/org/user/${admin.userId}`, { token: owner.key })
      assert.isFalse(yield* works(path))
      assert.strictEqual((yield* sql`SELECT 1 FROM invitations WHERE user_id = ${user_id}`).length, 1)
    })
  )
})
