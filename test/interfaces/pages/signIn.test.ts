// decisions O11, O12: sign in and out, sessions, throttling, passwords; service.md 3.2: a password change ends no connection.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../../../src/domain/accounts/People.ts"
import { App, appLayer } from "../../support/app.ts"
import { connect, hiddenIn, registerClient } from "../../support/oauth.ts"
import { browser, PASSWORD, seedPerson } from "./support.ts"

const session = (b: ReturnType<typeof browser>) => b.cookies.get("millrace_session")
const newPassword = { password: "nine dry otters", repeated: "nine dry otters" }

layer(appLayer(), { excludeTestServices: true })("O12: sign-in", (it) => {
  it.effect("O12: email and password sign in, with a new session id (no fixation), and 303 to the page asked for", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const b = browser()
      const redirect = yield* b.get("/account/connections")
      assert.strictEqual(redirect.status, 303)
      assert.strictEqual(redirect.headers.get("location"), "/sign-in?next=%2Faccount%2Fconnections")
      const signInPage = yield* b.get("/sign-in?next=%2Faccount%2Fconnections")
      const sessionBefore = session(b)
      const fields = {
        csrf: hiddenIn(signInPage.text, "csrf"),
        next: hiddenIn(signInPage.text, "next"),
        email,
        password: PASSWORD
      }
      const answer = yield* b.post("/sign-in", fields)
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.headers.get("location"), "/account/connections")
      assert.notStrictEqual(session(b), sessionBefore)
      assert.match(
        answer.headers.getSetCookie().find((line) => line.startsWith("millrace_session"))!,
        /^millrace_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/
      )
      // The former session is gone, its cookie and its token worthless.
      const stale = browser(`millrace_session=${sessionBefore}`)
      const refusal = yield* stale.post("/sign-in", fields)
      assert.deepStrictEqual(
        [refusal.status, refusal.headers.get("location")],
        [303, "/sign-in?next=%2Faccount%2Fconnections"]
      )
      assert.strictEqual((yield* b.get("/organization")).status, 200)
    })
  )

  it.effect("O12: a wrong password and an unknown address get the same answer", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const wrong = yield* browser().signIn(email, "not the password")
      const unknown = yield* browser().signIn("nobody@example.com", "not the password")
      assert.strictEqual(wrong.status, 401)
      const withoutVariables = (text: string) => text.replaceAll(/value="[^"]*"|nonce="[^"]*"/g, "")
      assert.strictEqual(unknown.status, 401)
      assert.strictEqual(withoutVariables(unknown.text), withoutVariables(wrong.text))
      assert.include(wrong.text, 'role="alert"')
    })
  )

  it.effect("O12: throttled per account: ten failures, then 429 for the right password too; others go on", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const other = yield* seedPerson()
      const b = browser()
      for (let i = 0; i < 10; i++) assert.strictEqual((yield* b.signIn(email.toUpperCase(), "wrong")).status, 401)
      const refusal = yield* b.signIn(email)
      assert.strictEqual(refusal.status, 429)
      assert.strictEqual(refusal.headers.get("retry-after"), "900")
      assert.strictEqual((yield* browser().signIn(other.email)).path, "/")
    })
  )

  it.effect("O12: throttled per address, whatever the accounts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email } = yield* seedPerson()
      yield* sql`
        INSERT INTO oauth_rate_windows (key, window_start, leased) VALUES ('address unknown', now(), 100)
        ON CONFLICT (key) DO UPDATE SET leased = 100, window_start = now()`
      assert.strictEqual((yield* browser().signIn(email)).status, 429)
      yield* sql`DELETE FROM oauth_rate_windows WHERE key = 'address unknown'`
      assert.strictEqual((yield* browser().signIn(email)).path, "/")
    })
  )

  it.effect("O11: without, with a forged, or with another session's CSRF token nothing happens", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const b = browser()
      const other = browser()
      const foreign = hiddenIn((yield* other.get("/sign-in")).text, "csrf")
      yield* b.get("/sign-in")
      const sessionBefore = session(b)
      for (const csrf of [undefined, "", "x"]) {
        const fields = { email, password: PASSWORD, ...(csrf === undefined ? {} : { csrf }) }
        assert.strictEqual((yield* b.post("/sign-in", fields)).status, 403)
      }
      // Of a session that was: it leads on, and nothing else happens (decisions O25).
      const stale = { email, password: PASSWORD, csrf: foreign }
      assert.strictEqual((yield* b.post("/sign-in", stale)).headers.get("location"), "/sign-in?next=%2F")
      assert.strictEqual(session(b), sessionBefore)
      const lost = browser()
      assert.strictEqual((yield* lost.post("/sign-in", stale)).headers.get("location"), "/sign-in?next=%2F")
      assert.isUndefined(session(lost))
      const app = yield* App
      const json = yield* app.call("POST", "/sign-in", { body: { email, password: PASSWORD } })
      assert.strictEqual(json.status, 403)
    })
  )

  it.effect("O25: a form of another tab leads on: to its next page where somebody is signed in by now", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const b = browser()
      const firstForm = yield* b.get("/sign-in?next=%2Faccount%2Fconnections")
      const two = yield* b.get("/sign-in?next=%2Faccount%2Fpassword")
      const fill = (shown: typeof firstForm) =>
        b.post("/sign-in", {
          csrf: hiddenIn(shown.text, "csrf"),
          next: hiddenIn(shown.text, "next"),
          email,
          password: PASSWORD
        })
      assert.strictEqual((yield* fill(firstForm)).headers.get("location"), "/account/connections")
      const second = yield* fill(two)
      assert.deepStrictEqual([second.status, second.headers.get("location")], [303, "/account/password"])
      // Signed out in another tab: the sign-in, and back to the page of the form.
      const form = yield* b.get("/")
      const csrf = hiddenIn(form.text, "csrf")
      yield* b.post("/sign-out", { csrf })
      const out = yield* b.post("/account/password", { csrf, current: PASSWORD, ...newPassword })
      assert.deepStrictEqual([out.status, out.headers.get("location")], [303, "/sign-in?next=%2Faccount%2Fpassword"])
      const secondReply = yield* b.post("/sign-out", { csrf })
      assert.deepStrictEqual([secondReply.status, secondReply.headers.get("location")], [303, "/sign-in?next=%2F"])
      // Forms that anybody may fill in are shown anew.
      const forgot = yield* b.post("/account/forgot-password", { csrf, email })
      assert.deepStrictEqual([forgot.status, forgot.headers.get("location")], [303, "/account/forgot-password"])
      // Never to another host.
      for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
        const reply = yield* b.post("/sign-in", { csrf, next, email, password: PASSWORD })
        assert.strictEqual(reply.headers.get("location"), "/sign-in?next=%2F", next)
      }
    })
  )

  it.effect("attack: a sign-in leads to pages of this service only", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const targets = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "/%5Cevil.example",
        "/..//evil.example"
      ]
      for (const next of targets) {
        const b = browser()
        const signInPage = yield* b.get(`/sign-in?next=${encodeURIComponent(next)}`)
        const answer = yield* b.post("/sign-in", {
          csrf: hiddenIn(signInPage.text, "csrf"),
          next,
          email,
          password: PASSWORD
        })
        const to = new URL(answer.headers.get("location")!, "https://millrace.example")
        assert.strictEqual(to.host, "millrace.example", next)
      }
    })
  )

  it.effect("O12: sign out ends the session on the server; GET does not", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const b = browser()
      yield* b.signIn(email)
      const stolen = browser(`millrace_session=${session(b)}`)
      assert.strictEqual((yield* b.get("/sign-out")).status, 405)
      assert.strictEqual((yield* b.post("/sign-out", { csrf: "x" })).status, 403)
      const out = yield* b.submit("/", {}, "/sign-out")
      assert.include(out.text, "You are signed out.")
      assert.strictEqual((yield* stolen.get("/organization")).status, 303)
    })
  )

  it.effect("O12: a session lasts 30 idle days and moves on with use, its cookie too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const b = browser()
      yield* b.signIn(email)
      const age = (seen: string, expires: string) => sql`
        UPDATE sessions SET last_seen_on = now() - ${seen}::interval, expires_on = now() + ${expires}::interval
        WHERE person_id = ${owner.personId}`
      yield* age("29 days", "1 day")
      const organizationPage = yield* b.get("/organization")
      assert.strictEqual(organizationPage.status, 200)
      assert.match(organizationPage.headers.get("set-cookie") ?? "", /Max-Age=2592000/)
      const [row] = yield* sql<{ fresh: boolean }>`
        SELECT expires_on > now() + interval '29 days 23 hours' AS fresh FROM sessions WHERE person_id = ${owner.personId}`
      assert.isTrue(row!.fresh)
      yield* age("30 days", "-1 second")
      assert.strictEqual((yield* b.get("/organization")).status, 303)
    })
  )

  it.effect(
    "O12: a one-time link sets a password once, signs every browser out, and activates at the next sign-in",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const people = yield* People
        const { email, owner } = yield* seedPerson()
        const elsewhere = browser()
        yield* elsewhere.signIn(email)
        const { pathname } = new URL((yield* people.oneTimeLink(owner.personId)).url)
        const spare = new URL((yield* people.oneTimeLink(owner.personId)).url).pathname
        const b = browser()
        const linkPage = yield* b.get(pathname)
        assert.include(linkPage.text, email)
        assert.strictEqual(linkPage.headers.get("referrer-policy"), "no-referrer")
        const short = yield* b.submit(pathname, { password: "short", repeated: "short" })
        assert.strictEqual(short.status, 400)
        const differing = yield* b.submit(pathname, { ...newPassword, repeated: "else" })
        assert.include(differing.text, "not the same")
        const csrf = hiddenIn(linkPage.text, "csrf")
        assert.strictEqual((yield* b.post(pathname, { ...newPassword, csrf: "x" })).status, 403)
        const [one, two] = yield* Effect.all(
          [b.post(pathname, { ...newPassword, csrf }), b.post(pathname, { ...newPassword, csrf })],
          { concurrency: 2 }
        )
        assert.deepStrictEqual([one.status, two.status].sort(), [303, 400])
        for (const used of [pathname, spare, "/account/password/none"])
          assert.strictEqual((yield* browser().get(used)).status, 400, used)
        assert.strictEqual((yield* elsewhere.get("/organization")).status, 303)
        yield* sql`UPDATE users SET status = 'invited' WHERE user_id = ${owner.userId}`
        assert.strictEqual((yield* b.signIn(email, newPassword.password)).path, "/")
        const [user] = yield* sql<{ status: string }>`SELECT status FROM users WHERE user_id = ${owner.userId}`
        assert.strictEqual(user!.status, "active")
      })
  )

  it.effect("3.2: changing the password needs the present one, ends sessions elsewhere, and no connection", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { email, owner } = yield* seedPerson()
      const connection = yield* connect(owner, yield* registerClient())
      const b = browser()
      const elsewhere = browser()
      yield* b.signIn(email)
      yield* elsewhere.signIn(email)
      const wrong = yield* b.submit("/account/password", { current: "nope", ...newPassword })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "The current password is wrong.")
      const passwordPage = yield* b.submit("/account/password", { current: PASSWORD, ...newPassword })
      assert.strictEqual(passwordPage.path, "/account/password?done=changed")
      assert.strictEqual((yield* b.get("/organization")).status, 200)
      assert.strictEqual((yield* elsewhere.get("/organization")).status, 303)
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: connection.access_token })).status, 200)
      assert.strictEqual((yield* browser().signIn(email)).status, 401)
    })
  )

  it.effect("O12: without mail, Forgot password says whom to ask, the same for everybody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.include((yield* browser().get("/account/forgot-password")).text, "sends no mail")
      const b = browser()
      yield* b.get("/sign-in")
      const { email } = yield* seedPerson()
      yield* b.submit("/sign-in", { email }, "/account/forgot-password")
      const [{ n } = { n: -1 }] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM mails`
      assert.strictEqual(n, 0)
    })
  )
})
