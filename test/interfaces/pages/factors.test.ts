// decisions, "The second step": setting one up, taking it away, who may; organizations that ask for it; the reset for who has lost theirs.
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { People } from "../../../src/domain/accounts/People.ts"
import { App, appLayer } from "../../support/app.ts"
import { authenticator } from "../../support/authenticator.ts"
import { authorize, challengeOf, hiddenIn, REDIRECT, registerClient } from "../../support/oauth.ts"
import { addApp, addPasskey, askedIn, codeAt, mailed, secretIn, step, toSecondStep } from "./secondSteps.ts"
import { type Browser, browser, PASSWORD, seedPerson } from "./support.ts"

const ORIGIN = "http://localhost:8080"
const virtual = Effect.provide(TestClock.layer())
const nowMillis = Clock.currentTimeMillis

const signedIn = Effect.fnUntraced(function* () {
  const person = yield* seedPerson()
  const b = browser()
  yield* b.signIn(person.email)
  return { b, ...person }
})
const confirm = (b: Browser) =>
  b.submit("/account/confirm?next=/account/factors", {
    method: "password",
    password: PASSWORD,
    next: "/account/factors?next=/"
  })
const eventsOf = Effect.fnUntraced(function* (personId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    event: string
  }>`SELECT event FROM audit_log WHERE person_id = ${personId} ORDER BY audit_id`
  return rows.map(({ event }) => event)
})
const factorIn = (page: string) => hiddenIn(page, "factor_id")

/** Another person of the organization, with a password. */
const colleague = Effect.fnUntraced(function* (orgId: number, role: "admin" | "member") {
  const sql = yield* SqlClient.SqlClient
  const { email, owner } = yield* seedPerson()
  yield* sql`UPDATE users SET status = 'removed' WHERE user_id = ${owner.userId}`
  const [row] = yield* sql<{ user_id: number }>`
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    VALUES (${orgId}, ${owner.personId}, 'Colleague', ${role}, 'active', now()) RETURNING user_id`
  const b = browser()
  yield* b.signIn(email)
  return { b, email, personId: owner.personId, userId: row!.user_id }
})

layer(appLayer({ BASE_URL: ORIGIN }), { excludeTestServices: true })("second steps of a person", (it) => {
  it.effect("an app counts when it has shown a code; the first brings ten recovery codes and ends other sessions", () =>
    Effect.gen(function* () {
      const { b, email, owner } = yield* signedIn()
      const elsewhere = browser()
      yield* elsewhere.signIn(email)
      const setup = yield* b.get("/account/factors/app")
      assert.include(setup.text, "<svg")
      const fields = { csrf: hiddenIn(setup.text, "csrf"), secret: hiddenIn(setup.text, "secret"), next: "/" }
      const wrong = yield* b.post("/account/factors/app", { ...fields, name: "Phone", code: "000000" })
      assert.strictEqual(wrong.status, 400)
      assert.strictEqual(secretIn(wrong.text), secretIn(setup.text))
      assert.include((yield* b.get("/account/factors?next=/")).text, "It is off")
      const code = codeAt(secretIn(setup.text), yield* nowMillis)
      const added = yield* b.post("/account/factors/app", { ...fields, name: "My <phone>", code })
      assert.strictEqual(added.headers.get("location"), "/account/factors/codes")
      const codes = yield* b.get("/account/factors/codes")
      assert.lengthOf(codes.text.match(/<li><code>/g) ?? [], 10)
      // Shown once.
      assert.strictEqual((yield* b.get("/account/factors/codes")).status, 303)
      assert.include((yield* b.get("/account/factors?next=/")).text, "<bdi>My &lt;phone&gt;</bdi>")
      assert.strictEqual((yield* elsewhere.get("/organization")).status, 303)
      // What turned it on signs nobody in.
      const other = browser()
      const { csrf } = yield* toSecondStep(other, email)
      assert.strictEqual((yield* step(other, csrf, { method: "totp", code })).status, 401)
      assert.includeMembers(yield* eventsOf(owner.personId), ["person.factor_added", "person.recovery_codes_made"])
    }).pipe(virtual)
  )

  it.effect("recovery codes fit into the cookie that carries them, however long the address behind them is", () =>
    Effect.gen(function* () {
      const { b } = yield* signedIn()
      const setup = yield* b.get(`/account/factors/app?next=/console/${"a".repeat(6_000)}`)
      const code = codeAt(secretIn(setup.text), yield* nowMillis)
      const fields = ["csrf", "secret", "next"].map((name) => [name, hiddenIn(setup.text, name)] as const)
      const added = yield* b.post("/account/factors/app", { ...Object.fromEntries(fields), name: "Phone", code })
      // What browsers keep of one (RFC 6265 6.1).
      for (const setCookie of added.headers.getSetCookie()) assert.isAtMost(setCookie.length, 4096)
      const codes = yield* b.get("/account/factors/codes")
      assert.lengthOf(codes.text.match(/<li><code>/g) ?? [], 10)
      assert.match(codes.text, /href="\/account\/factors">I have kept them/)
    })
  )

  it.effect("a form that is sent twice sets the app up once, and its code is taken once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { b, owner } = yield* signedIn()
      const { text } = yield* b.get("/account/factors/app")
      const code = codeAt(secretIn(text), yield* nowMillis)
      const fields = { csrf: hiddenIn(text, "csrf"), secret: hiddenIn(text, "secret"), next: "/", name: "Phone", code }
      const send = b.post("/account/factors/app", fields)
      const answers = yield* Effect.all([send, send], { concurrency: 2 })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 400])
      assert.include(answers.find(({ status }) => status === 400)!.text, "This app is set up already.")
      assert.lengthOf(yield* sql`SELECT 1 FROM factors WHERE person_id = ${owner.personId}`, 1)
      assert.lengthOf((yield* b.get("/account/factors/codes")).text.match(/<li><code>/g) ?? [], 10)
    }).pipe(virtual)
  )

  it.effect("what a form carries of a secret is of its session, and of ten minutes", () =>
    Effect.gen(function* () {
      const { b } = yield* signedIn()
      const mallory = yield* signedIn()
      const setup = yield* b.get("/account/factors/app")
      const theirs = yield* mallory.b.get("/account/factors/app")
      const code = codeAt(secretIn(setup.text), yield* nowMillis)
      const foreign = { csrf: hiddenIn(theirs.text, "csrf"), secret: hiddenIn(setup.text, "secret"), next: "/", code }
      assert.strictEqual((yield* mallory.b.post("/account/factors/app", foreign)).status, 200)
      assert.include((yield* mallory.b.get("/account/factors?next=/")).text, "It is off")
      yield* TestClock.adjust(Duration.minutes(9))
      yield* confirm(b)
      yield* TestClock.adjust(Duration.minutes(2))
      const lateForm = {
        csrf: hiddenIn(setup.text, "csrf"),
        secret: hiddenIn(setup.text, "secret"),
        next: "/",
        code: codeAt(secretIn(setup.text), yield* nowMillis)
      }
      const secondSetup = yield* b.post("/account/factors/app", lateForm)
      assert.notStrictEqual(secretIn(secondSetup.text), secretIn(setup.text))
    }).pipe(virtual)
  )

  it.effect(
    "a session that is older than ten minutes adds nothing, and none takes away, until its person shows anew who they are",
    () =>
      Effect.gen(function* () {
        const { b } = yield* signedIn()
        const { codes } = yield* addApp(b, yield* nowMillis)
        assert.lengthOf(codes, 10)
        const factorsPage = yield* b.get("/account/factors?next=/")
        const csrf = hiddenIn(factorsPage.text, "csrf")
        // The sign-in is fresh: what is there still stays.
        for (const action of ["remove", "codes"]) {
          const refusal = yield* b.post("/account/factors", { csrf, action, factor_id: "1" })
          assert.match(refusal.headers.get("location")!, /^\/account\/confirm\?/)
        }
        yield* TestClock.adjust(Duration.minutes(11))
        assert.match((yield* b.get("/account/factors/app")).headers.get("location")!, /^\/account\/confirm\?/)
        const added = yield* b.post("/account/factors", { csrf, action: "passkey", answer: "{}" })
        assert.match(added.headers.get("location")!, /^\/account\/confirm\?/)
        const wrong = yield* b.submit("/account/confirm", { method: "password", password: "wrong", next: "/" })
        assert.strictEqual(wrong.status, 400)
        assert.strictEqual((yield* confirm(b)).path, "/account/factors?next=/")
        assert.strictEqual((yield* b.get("/account/factors/app")).status, 200)
        yield* TestClock.adjust(Duration.minutes(11))
        assert.match((yield* b.get("/account/factors/app")).headers.get("location")!, /^\/account\/confirm\?/)
      }).pipe(virtual)
  )

  it.effect("a code or a passkey confirms as well; a recovery code does not", () =>
    Effect.gen(function* () {
      const { b } = yield* signedIn()
      const key = authenticator(ORIGIN)
      const { codes, secret } = yield* addApp(b, yield* nowMillis)
      yield* addPasskey(b, key)
      yield* TestClock.adjust(Duration.minutes(11))
      const confirmPage = yield* b.get("/account/confirm")
      const csrf = hiddenIn(confirmPage.text, "csrf")
      const tried = (members: Record<string, string>) =>
        b.post("/account/confirm", { csrf, next: "/account/factors", ...members })
      assert.strictEqual((yield* tried({ method: "recovery_code", recovery: codes[0]! })).status, 403)
      const answer = key.answer(askedIn(confirmPage.text))
      assert.strictEqual((yield* tried({ method: "passkey", answer })).status, 303)
      assert.strictEqual((yield* tried({ method: "passkey", answer })).status, 400)
      const code = codeAt(secret, yield* nowMillis)
      assert.strictEqual((yield* tried({ method: "totp", code })).status, 303)
      assert.strictEqual((yield* tried({ method: "totp", code })).status, 400)
    }).pipe(virtual)
  )

  it.effect(
    "new codes end the former ones; who removes the last second step signs in by the password; each is mailed",
    () =>
      Effect.gen(function* () {
        const { b, email, owner } = yield* signedIn()
        const { codes } = yield* addApp(b, yield* nowMillis)
        const { added } = yield* addPasskey(b, authenticator(ORIGIN))
        assert.strictEqual(added.headers.get("location"), "/account/factors?done=added")
        const confirmation = yield* confirm(b)
        const csrf = hiddenIn(confirmation.text, "csrf")
        yield* b.post("/account/factors", { csrf, action: "codes" })
        assert.lengthOf((yield* b.get("/account/factors/codes")).text.match(/<li><code>/g) ?? [], 10)
        const other = browser()
        const stepPage = yield* toSecondStep(other, email)
        assert.strictEqual(
          (yield* step(other, stepPage.csrf, { method: "recovery_code", recovery: codes[0]! })).status,
          401
        )
        for (let i = 0; i < 2; i++) {
          const id = factorIn((yield* b.get("/account/factors?next=/")).text)
          const removeReply = yield* b.post("/account/factors", { csrf, action: "remove", factor_id: id })
          assert.strictEqual(removeReply.headers.get("location"), "/account/factors?done=removed")
        }
        assert.strictEqual((yield* browser().signIn(email)).path, "/")
        const sql = yield* SqlClient.SqlClient
        assert.lengthOf(yield* sql`SELECT 1 FROM recovery_codes WHERE person_id = ${owner.personId}`, 0)
        assert.includeMembers(yield* eventsOf(owner.personId), ["person.factor_removed", "person.recovery_codes_made"])
        yield* mailed(email, [
          "A second step was added to your sign-in",
          "A second step was removed from your sign-in",
          "New recovery codes were made",
          "Two-step sign-in is off",
          "Two-step sign-in is on"
        ])
      }).pipe(virtual)
  )

  it.effect("attack: one removes what is one's own alone", () =>
    Effect.gen(function* () {
      const { b, owner } = yield* signedIn()
      yield* addApp(b, yield* nowMillis)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ factor_id: number }>`SELECT factor_id FROM factors WHERE person_id = ${owner.personId}`
      const mallory = yield* signedIn()
      yield* addApp(mallory.b, yield* nowMillis)
      const csrf = hiddenIn((yield* confirm(mallory.b)).text, "csrf")
      const tried = yield* mallory.b.post("/account/factors", {
        csrf,
        action: "remove",
        factor_id: String(row!.factor_id)
      })
      assert.strictEqual(tried.status, 400)
      assert.lengthOf(yield* sql`SELECT 1 FROM factors WHERE person_id = ${owner.personId}`, 1)
    }).pipe(virtual)
  )

  it.effect("secrets are sealed in the database", () =>
    Effect.gen(function* () {
      const { b, owner } = yield* signedIn()
      const { secret } = yield* addApp(b, yield* nowMillis)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ secret: Uint8Array }>`SELECT secret FROM factors WHERE person_id = ${owner.personId}`
      assert.notInclude(Buffer.from(row!.secret).toString("latin1"), secret)
    }).pipe(virtual)
  )
})

/** What the console asks and changes of the organization's sign-in policy, opened for this user. */
const policyOf =
  ({ b, userId }: { readonly b: Browser; readonly userId: number }) =>
  (below = "", input: object = {}) =>
    b.ask(`/console/organization/sign-in${below}`, { as: userId, ...input }, ORIGIN)

layer(appLayer({ BASE_URL: ORIGIN }), { excludeTestServices: true })("second steps in an organization", (it) => {
  const asks = Effect.fnUntraced(function* (days: number) {
    const admin = yield* signedIn()
    yield* addApp(admin.b, yield* nowMillis)
    const csrf = hiddenIn((yield* confirm(admin.b)).text, "csrf")
    const policy = policyOf({ b: admin.b, userId: admin.owner.userId })
    assert.strictEqual((yield* policy("/require", { days })).status, 200)
    return { ...admin, csrf, policy }
  })

  it.effect(
    "that asks for one keeps out who has none: pages, console and consent lead to setting one up, and then on",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { orgId } = yield* asks(0)
        const { b } = yield* colleague(orgId, "member")
        const tokens = yield* b.get("/account/tokens")
        assert.strictEqual(tokens.headers.get("location"), "/account/factors?next=%2Faccount%2Ftokens")
        assert.strictEqual((yield* b.get("/console")).headers.get("location"), "/account/factors?next=%2Fconsole")
        assert.include((yield* b.get("/")).text, "asks for a second step")
        const cookie = () => [...b.cookies].map(([k, v]) => `${k}=${v}`).join("; ")
        const token = () => app.call("POST", "/console/token", { headers: { cookie: cookie(), origin: ORIGIN } })
        assert.deepInclude(yield* token(), { status: 403 })
        const clientId = yield* registerClient()
        const request = {
          response_type: "code",
          client_id: clientId,
          redirect_uri: REDIRECT,
          code_challenge: challengeOf("a".repeat(43)),
          state: "s"
        }
        const authorization = yield* authorize(request, { cookie: cookie() })
        const consent = yield* b.get(authorization.headers.get("location")!)
        assert.include(consent.text, "asks for a second step at sign-in")
        assert.notInclude(consent.text, 'value="approve"')
        // A form that was forged to approve is refused.
        const users = yield* SqlClient.SqlClient
        const [user] = yield* users<{
          user_id: number
        }>`SELECT user_id FROM users WHERE org_id = ${orgId} AND role = 'member'`
        const csrf = hiddenIn(consent.text, "csrf")
        const forced = yield* b.post(authorization.headers.get("location")!, {
          csrf,
          decision: "approve",
          user_id: String(user!.user_id)
        })
        assert.strictEqual(forced.status, 403)
        assert.isNull(forced.headers.get("location"))
        assert.include(forced.text, "asks for a second step at sign-in")
        yield* addApp(b, yield* nowMillis)
        assert.strictEqual((yield* b.get("/account/tokens")).status, 200)
        assert.strictEqual((yield* token()).status, 200)
      }).pipe(virtual)
  )

  it.effect("with days of grace it keeps nobody out until they are over; apps, keys and tokens go on", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* asks(7)
      const member = yield* colleague(orgId, "member")
      assert.strictEqual((yield* member.b.get("/account/tokens")).status, 200)
      assert.include((yield* member.b.get("/account/factors?next=/")).text, "asks for a second step from")
      yield* TestClock.adjust(Duration.days(8))
      assert.match((yield* member.b.get("/account/tokens")).headers.get("location")!, /^\/account\/factors/)
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: owner.key })).status, 200)
    }).pipe(virtual)
  )

  it.effect("who asks for it has one; nobody of it removes their last; members see neither page nor switch", () =>
    Effect.gen(function* () {
      const bare = yield* signedIn()
      yield* confirm(bare.b)
      const barePolicy = policyOf({ b: bare.b, userId: bare.owner.userId })
      assert.isFalse((yield* barePolicy()).json.has_own)
      const refusal = yield* barePolicy("/require", { days: 0 })
      assert.deepStrictEqual(
        [refusal.status, refusal.json.error_message],
        [409, "Set up a second step for yourself first."]
      )
      const { b, csrf, orgId, owner, policy } = yield* asks(14)
      assert.deepInclude((yield* policy()).json, { has_own: true, may_change: true, members: 1, with_second_step: 1 })
      assert.strictEqual((yield* policy("/require", { days: 3 })).status, 400)
      const id = factorIn((yield* b.get("/account/factors?next=/")).text)
      const kept = yield* b.post("/account/factors", { csrf, action: "remove", factor_id: id })
      assert.include(kept.text, "asks for a second step. Add another one first.")
      const member = yield* colleague(orgId, "member")
      yield* confirm(member.b)
      for (const [below, input] of [
        ["", {}],
        ["/members", { text: "", without: false, offset: 0 }],
        ["/require", { days: 0 }],
        ["/release", {}],
        ["/reset", { user_id: owner.userId }]
      ] as const) {
        const tried = yield* policyOf(member)(below, input)
        assert.deepStrictEqual([tried.status, tried.json.error_code], [403, "restricted_resource"], below)
      }
      assert.isNotNull((yield* policy()).json.required_from)
      assert.strictEqual((yield* policy("/release")).status, 200)
      assert.isNull((yield* policy()).json.required_from)
      assert.strictEqual((yield* policy("/release")).status, 200)
      const changes = (yield* eventsOf(owner.personId)).length
      assert.isAbove(changes, 0)
      const sql = yield* SqlClient.SqlClient
      const log =
        yield* sql`SELECT details FROM audit_log WHERE org_id = ${orgId} AND event = 'organization.factor_policy_changed'`
      // What changes nothing is no entry.
      assert.lengthOf(log, 2)
    }).pipe(virtual)
  )

  it.effect("an admin resets who has lost theirs: signed out everywhere, told by mail, in the log", () =>
    Effect.gen(function* () {
      const { orgId, owner, policy } = yield* asks(14)
      const member = yield* colleague(orgId, "member")
      yield* addApp(member.b, yield* nowMillis)
      const { members } = (yield* policy("/members", { text: "", without: false, offset: 0 })).json
      assert.deepInclude(
        members.find(({ user_id }: any) => user_id === member.userId),
        { name: "Colleague", email: member.email, has_second_step: true, refusal: null }
      )
      assert.strictEqual((yield* policy("/reset", { user_id: member.userId })).status, 200)
      assert.strictEqual((yield* member.b.get("/organization")).status, 303)
      assert.strictEqual((yield* browser().signIn(member.email)).path, "/")
      yield* mailed(member.email, ["Two-step sign-in is on", "Your second step was reset"])
      const sql = yield* SqlClient.SqlClient
      const [entry] = yield* sql<{ org_id: number; details: any }>`
        SELECT org_id, details FROM audit_log WHERE event = 'person.factors_reset' AND person_id = ${member.personId}`
      assert.deepStrictEqual(entry, { org_id: orgId, details: { by: "admin", admin: owner.userId, factors: 1 } })
    }).pipe(virtual)
  )

  it.effect("of five thousand people an admin finds who has none by a part of the name or address, page by page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, policy } = yield* asks(14)
      const member = yield* colleague(orgId, "member")
      yield* addApp(member.b, yield* nowMillis)
      yield* sql`
        WITH p AS (
          INSERT INTO people (email, name, created_on)
          SELECT 'a' || n || ${`-${orgId}@example.com`}, 'A', now() FROM generate_series(1, 5000) AS n RETURNING person_id
        )
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        SELECT ${orgId}, person_id, 'A', 'member', 'active', now() FROM p`
      assert.deepInclude((yield* policy()).json, { members: 5002, with_second_step: 2 })
      const found = Effect.fnUntraced(function* (text: string, without: boolean, offset = 0) {
        const { json } = yield* policy("/members", { text, without, offset })
        return { names: json.members.map(({ name }: any) => name), next: json.next_offset }
      })
      const firstPage = yield* found("", false)
      assert.deepStrictEqual([firstPage.names.length, firstPage.next], [50, 50])
      assert.deepStrictEqual((yield* found("COLLEAG", false)).names, ["Colleague"])
      assert.deepStrictEqual((yield* found(member.email.slice(0, -1), false)).names, ["Colleague"])
      assert.deepStrictEqual((yield* found("colleague", true)).names, [])
      assert.deepStrictEqual((yield* found("%", false)).names, [])
      assert.deepStrictEqual((yield* found("", true, 4_990)).names.length, 10)
      assert.isNull((yield* found("", true, 4_990)).next)
      const withNul = yield* policy("/members", { text: "\u0000", without: false, offset: 0 })
      assert.deepStrictEqual([withNul.status, withNul.json.error_message], [400, "The body contains a NUL character."])
      for (const offset of [-1, 1.5, 1_000_001])
        assert.strictEqual((yield* policy("/members", { text: "", without: false, offset })).status, 400)
      assert.strictEqual((yield* policy("/reset", { user_id: member.userId })).status, 200)
      assert.lengthOf(yield* sql`SELECT 1 FROM factors WHERE person_id = ${member.personId}`, 0)
    }).pipe(virtual)
  )

  it.effect(
    "attack: an admin resets neither an owner, nor themselves, nor who is in another organization, nor without showing who they are",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { orgId, owner } = yield* asks(14)
        const admin = yield* colleague(orgId, "admin")
        yield* addApp(admin.b, yield* nowMillis)
        const policy = policyOf(admin)
        const member = yield* colleague(orgId, "member")
        yield* addApp(member.b, yield* nowMillis)
        assert.isFalse((yield* policy()).json.may_change)
        for (const [below, input] of [
          ["/reset", { user_id: member.userId }],
          ["/require", { days: 0 }],
          ["/release", {}]
        ] as const) {
          const early = yield* policy(below, input)
          assert.deepStrictEqual([early.status, early.json.error_code], [403, "confirmation_required"], below)
        }
        yield* confirm(admin.b)
        const other = yield* seedPerson()
        yield* sql`INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${other.orgId}, ${member.personId}, 'Elsewhere', 'member', 'active', now())`
        const { members } = (yield* policy("/members", { text: "", without: false, offset: 0 })).json
        for (const [userId, status, says] of [
          [owner.userId, 403, "Only owners change an owner."],
          [admin.userId, 403, "Your own second steps"],
          [member.userId, 409, "another organization as well"],
          [other.owner.userId, 404, "No active user"]
        ] as const) {
          const tried = yield* policy("/reset", { user_id: userId })
          assert.strictEqual(tried.status, status)
          assert.include(tried.json.error_message, says)
          // The page says it before anybody tries.
          if (status !== 404) assert.include(members.find(({ user_id }: any) => user_id === userId).refusal, says)
        }
        // Who is deactivated there may be activated again, and would sign in without a second step.
        yield* sql`UPDATE users SET status = 'deactivated' WHERE org_id = ${other.orgId} AND person_id = ${member.personId}`
        assert.strictEqual((yield* policy("/reset", { user_id: member.userId })).status, 409)
        assert.lengthOf(
          yield* sql`SELECT 1 FROM factors WHERE person_id IN (${owner.personId}, ${admin.personId}, ${member.personId})`,
          3
        )
        const stepless = yield* colleague(orgId, "member")
        const needless = yield* policy("/reset", { user_id: stepless.userId })
        assert.deepStrictEqual(
          [needless.status, needless.json.error_message],
          [409, "They have no second step to reset."]
        )
      }).pipe(virtual)
  )

  it.effect("a link for a forgotten password does not pass the second step", () =>
    Effect.gen(function* () {
      const people = yield* People
      const { b, email, owner } = yield* signedIn()
      yield* addApp(b, yield* nowMillis)
      const { url } = yield* people.oneTimeLink(owner.personId)
      const password = "nine dry otters"
      const visitor = browser()
      yield* visitor.submit(new URL(url).pathname, { password, repeated: password })
      assert.match((yield* visitor.signIn(email, password)).path, /^\/sign-in\/second-step/)
      // Nor does it give a count of guesses at it.
      assert.isFalse(visitor.cookies.has("millrace_known"))
    }).pipe(virtual)
  )
})
