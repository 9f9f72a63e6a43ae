// decisions, "The second step": codes of an app, recovery codes, passkeys; what an attacker tries with each; a session whose second step is open.
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { App, appLayer } from "../../support/app.ts"
import { authenticator } from "../../support/authenticator.ts"
import { authorize, challengeOf, REDIRECT, registerClient } from "../../support/oauth.ts"
import { addApp, addPasskey, askedIn, codeAt, mailed, step, toSecondStep } from "./secondSteps.ts"
import { browser, PASSWORD, seedPerson } from "./support.ts"

const ORIGIN = "http://localhost:8080"
// Only the test and its requests live in virtual time.
const virtual = Effect.provide(TestClock.layer())
const nowMillis = Clock.currentTimeMillis

const signedIn = Effect.fnUntraced(function* () {
  const { email, orgId, owner } = yield* seedPerson()
  const b = browser()
  yield* b.signIn(email)
  return { b, email, orgId, owner }
})
const withApp = Effect.gen(function* () {
  const person = yield* signedIn()
  return { ...person, ...(yield* addApp(person.b, yield* nowMillis)) }
})
const withPasskey = Effect.gen(function* () {
  const person = yield* signedIn()
  const key = authenticator(ORIGIN)
  return { ...person, key, ...(yield* addPasskey(person.b, key)) }
})
const isIn = (b: ReturnType<typeof browser>) => Effect.map(b.get("/organization"), ({ status }) => status === 200)
const events = Effect.fnUntraced(function* (personId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ event: string; details: any }>`
    SELECT event, details FROM audit_log WHERE person_id = ${personId} ORDER BY audit_id`
})

layer(appLayer({ BASE_URL: ORIGIN }), { excludeTestServices: true })("the second step", (it) => {
  it.effect("a code of the app signs in, once: the same code, and one before it, are refused", () =>
    Effect.gen(function* () {
      const { email, owner, secret } = yield* withApp
      yield* TestClock.adjust(Duration.seconds(60))
      const code = codeAt(secret, yield* nowMillis)
      const b = browser()
      const { csrf, page } = yield* toSecondStep(b, email)
      assert.strictEqual(page.path, "/sign-in/second-step?next=%2Faccount%2Fpassword")
      const sessionBefore = b.cookies.get("millrace_session")
      const stepReply = yield* step(b, csrf, { method: "totp", code: `${code.slice(0, 3)} ${code.slice(3)}` })
      assert.deepStrictEqual([stepReply.status, stepReply.headers.get("location")], [303, "/account/password"])
      assert.notStrictEqual(b.cookies.get("millrace_session"), sessionBefore)
      assert.isTrue(yield* isIn(b))
      for (const used of [code, codeAt(secret, (yield* nowMillis) - 30_000)]) {
        const other = browser()
        const stepPage = yield* toSecondStep(other, email)
        assert.strictEqual((yield* step(other, stepPage.csrf, { method: "totp", code: used })).status, 401)
        assert.isFalse(yield* isIn(other))
      }
      const log = yield* events(owner.personId)
      assert.deepStrictEqual(log.findLast(({ event }) => event === "person.signed_in")?.details, {
        amr: ["pwd", "otp", "mfa"]
      })
      assert.deepInclude(log.at(-1), { event: "person.second_step_failed" })
      assert.deepStrictEqual(
        log.filter(({ event }) => event === "person.second_step_failed").map(({ details }) => details.why),
        ["replayed", "replayed"]
      )
    }).pipe(virtual)
  )

  it.effect("of two that send a right code at once, one is signed in", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* withApp
      yield* TestClock.adjust(Duration.seconds(60))
      const code = codeAt(secret, yield* nowMillis)
      const two = [browser(), browser()]
      const answers = yield* Effect.forEach(two, (b) =>
        Effect.map(toSecondStep(b, email), ({ csrf }) => ({ b, csrf }))
      ).pipe(
        Effect.flatMap((sent) =>
          Effect.forEach(sent, ({ b, csrf }) => step(b, csrf, { method: "totp", code }), { concurrency: 2 })
        )
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 401])
    }).pipe(virtual)
  )

  it.effect("a code of an app that stands there twice, as it could before, is good once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner, secret } = yield* withApp
      yield* sql`
        INSERT INTO factors (person_id, kind, name, secret, last_step, created_on)
        SELECT person_id, kind, 'Again', secret, last_step, created_on FROM factors WHERE person_id = ${owner.personId}`
      yield* TestClock.adjust(Duration.seconds(60))
      const code = codeAt(secret, yield* nowMillis)
      const answer = Effect.gen(function* () {
        const b = browser()
        const { csrf } = yield* toSecondStep(b, email)
        return (yield* step(b, csrf, { method: "totp", code })).status
      })
      assert.deepStrictEqual([yield* answer, yield* answer], [303, 401])
      for (const used of ["Again", "Phone"]) {
        yield* sql`
          UPDATE factors SET last_step = CASE name WHEN ${used} THEN ${Math.floor((yield* nowMillis) / 30_000)} END
          WHERE person_id = ${owner.personId}`
        assert.strictEqual(yield* answer, 401, used)
      }
    }).pipe(virtual)
  )

  it.effect("until then the session is nobody's: every page, the console's token and a consent ask for a sign-in", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { email } = yield* withApp
      const b = browser()
      yield* toSecondStep(b, email)
      const cookie = [...b.cookies].map(([k, v]) => `${k}=${v}`).join("; ")
      for (const path of [
        "/account/password",
        "/account/factors",
        "/account/factors/app",
        "/account/confirm",
        "/account/tokens",
        "/organization",
        "/organization/audit",
        "/organization/sign-in",
        "/console"
      ]) {
        const answer = yield* b.get(path)
        assert.strictEqual(answer.status, 303, path)
        assert.match(answer.headers.get("location")!, /^\/sign-in\?next=/, path)
      }
      const token = yield* app.call("POST", "/console/token", { headers: { cookie, origin: ORIGIN } })
      assert.strictEqual(token.status, 401)
      const clientId = yield* registerClient()
      const challenge = challengeOf("a".repeat(43))
      const members = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: REDIRECT,
        code_challenge: challenge,
        state: "s"
      }
      const authorization = yield* authorize(members, { cookie })
      const consent = yield* b.get(authorization.headers.get("location")!)
      assert.match(consent.headers.get("location")!, /^\/sign-in\?next=/)
      const start = yield* b.get("/")
      assert.notInclude(start.text, email)
    }).pipe(virtual)
  )

  it.effect("guesses are few: ten in a quarter of an hour, thirty a day, from wherever they come; others go on", () =>
    Effect.gen(function* () {
      const { b: known, email, owner, secret } = yield* withApp
      const stranger = browser()
      const wrong = (csrf: string) =>
        Effect.map(step(stranger, csrf, { method: "totp", code: "000000" }), ({ status }) => status)
      for (let round = 0; round < 3; round++) {
        const { csrf } = yield* toSecondStep(stranger, email)
        for (let i = 0; i < 10; i++) assert.strictEqual(yield* wrong(csrf), 401)
        assert.strictEqual(yield* wrong(csrf), 429)
        yield* TestClock.adjust(Duration.minutes(16))
      }
      // The day's are used up: the right code is not looked at.
      const { csrf } = yield* toSecondStep(stranger, email)
      const right = { method: "totp", code: codeAt(secret, yield* nowMillis) }
      const refusal = yield* step(stranger, csrf, right)
      assert.deepStrictEqual([refusal.status, refusal.headers.get("retry-after")], [429, "900"])
      // The person's own browser has a count of its own.
      const ownStep = yield* toSecondStep(known, email)
      assert.strictEqual((yield* step(known, ownStep.csrf, right)).status, 303)
      yield* TestClock.adjust(Duration.hours(24))
      const later = yield* toSecondStep(stranger, email)
      assert.strictEqual(yield* wrong(later.csrf), 401)
      const log = yield* events(owner.personId)
      assert.isAtLeast(log.filter(({ event }) => event === "person.second_step_failed").length, 31)
    }).pipe(virtual)
  )

  it.effect("guesses are counted for their source as well, whoever they are at", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, secret } = yield* withApp
      yield* TestClock.adjust(Duration.seconds(60))
      const b = browser()
      const { csrf } = yield* toSecondStep(b, email)
      const windowStart = new Date(yield* nowMillis)
      yield* sql`INSERT INTO oauth_rate_windows (key, window_start, leased) VALUES ('address unknown', ${windowStart}, 100)
        ON CONFLICT (key) DO UPDATE SET leased = 100, window_start = ${windowStart}`
      const answer = { method: "totp", code: codeAt(secret, yield* nowMillis) }
      assert.strictEqual((yield* step(b, csrf, answer)).status, 429)
      yield* sql`DELETE FROM oauth_rate_windows WHERE key = 'address unknown'`
      assert.strictEqual((yield* step(b, csrf, answer)).status, 303)
    }).pipe(virtual)
  )

  it.effect(
    "a recovery code signs in once, however it is typed, and its person is told; they are stored as hashes",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { codes, email, owner } = yield* withApp
        assert.strictEqual(new Set(codes).size, 10)
        const [code] = codes
        const b = browser()
        const { csrf } = yield* toSecondStep(b, email)
        const typed = ` ${code!.toUpperCase().replaceAll("-", " ")}`
        assert.strictEqual((yield* step(b, csrf, { method: "recovery_code", recovery: typed })).status, 303)
        const secondBrowser = browser()
        const second = yield* toSecondStep(secondBrowser, email)
        assert.strictEqual(
          (yield* step(secondBrowser, second.csrf, { method: "recovery_code", recovery: code! })).status,
          401
        )
        const rows = yield* sql<{
          all: string
        }>`SELECT t::text AS all FROM recovery_codes t WHERE person_id = ${owner.personId}`
        assert.isFalse(rows.some(({ all }) => codes.some((one) => all.includes(one.replaceAll("-", "")))))
        const log = yield* events(owner.personId)
        assert.deepInclude(log, { event: "person.recovery_code_used", details: { left: 9 } })
        yield* mailed(email, ["A recovery code was used to sign in", "Two-step sign-in is on"])
      }).pipe(virtual)
  )

  it.effect("a passkey signs in; its answer is good for one question, of this session", () =>
    Effect.gen(function* () {
      const { email, key } = yield* withPasskey
      const b = browser()
      const { csrf, page } = yield* toSecondStep(b, email)
      const answer = key.answer(askedIn(page.text))
      const other = browser()
      const elsewhere = yield* toSecondStep(other, email)
      assert.strictEqual((yield* step(other, elsewhere.csrf, { method: "passkey", answer })).status, 401)
      const stepReply = yield* step(b, csrf, { method: "passkey", answer })
      assert.deepStrictEqual([stepReply.status, stepReply.headers.get("location")], [303, "/account/password"])
      assert.isTrue(yield* isIn(b))
      const lateBrowser = browser()
      const stepPage = yield* toSecondStep(lateBrowser, email)
      yield* TestClock.adjust(Duration.minutes(6))
      const lapsed = key.answer(askedIn(stepPage.page.text))
      assert.strictEqual((yield* step(lateBrowser, stepPage.csrf, { method: "passkey", answer: lapsed })).status, 401)
    }).pipe(virtual)
  )

  it.effect(
    "attack: answers for another origin or site, of another's key, of a copy of the key, and no answer at all",
    () =>
      Effect.gen(function* () {
        const { email, key, owner } = yield* withPasskey
        const mallory = yield* withPasskey
        const tries: ReadonlyArray<[string, (challenge: string) => string]> = [
          ["other origin", (challenge) => key.answer({ challenge, origin: "http://localhost.example:8080" })],
          ["other site", (challenge) => key.answer({ challenge, rpId: "example.com" })],
          ["another question", () => key.answer({ challenge: Buffer.from("x".repeat(32)).toString("base64url") })],
          ["another's key", (challenge) => mallory.key.answer({ challenge })],
          [
            "another's key under this name",
            (challenge) => mallory.key.answer({ challenge }).replaceAll(mallory.key.id, key.id)
          ],
          ["no JSON", () => "{"],
          ["nothing in it", () => JSON.stringify({ id: key.id, rawId: key.id, type: "public-key", response: {} })],
          ["too long", () => "x".repeat(40_000)],
          ["nothing", () => ""]
        ]
        for (const [what, answerTo] of tries) {
          const b = browser()
          const { csrf, page } = yield* toSecondStep(b, email)
          const answer = answerTo(askedIn(page.text).challenge)
          assert.strictEqual((yield* step(b, csrf, { method: "passkey", answer })).status, 401, what)
          assert.isFalse(yield* isIn(b), what)
        }
        // The key has answered with counters up to 20; a copy of it begins where it was made.
        const b = browser()
        const firstStep = yield* toSecondStep(b, email)
        const right = key.answer({ ...askedIn(firstStep.page.text), counter: 20 })
        assert.strictEqual((yield* step(b, firstStep.csrf, { method: "passkey", answer: right })).status, 303)
        for (const counter of [20, 19, 0]) {
          const copy = browser()
          const { csrf, page } = yield* toSecondStep(copy, email)
          const answer = key.answer({ ...askedIn(page.text), counter })
          assert.strictEqual((yield* step(copy, csrf, { method: "passkey", answer })).status, 401)
        }
        const log = yield* events(owner.personId)
        assert.strictEqual(log.filter(({ details }) => details.why === "cloned").length, 3)
      }).pipe(virtual)
  )

  it.effect("a key that tells no counter goes on; a passkey of somebody else cannot be added", () =>
    Effect.gen(function* () {
      const { email, key } = yield* withPasskey
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE factors SET counter = 0 WHERE credential_id = ${key.id}`
      for (let i = 0; i < 2; i++) {
        const b = browser()
        const { csrf, page } = yield* toSecondStep(b, email)
        const answer = key.answer({ ...askedIn(page.text), counter: 0 })
        assert.strictEqual((yield* step(b, csrf, { method: "passkey", answer })).status, 303)
      }
      const other = yield* signedIn()
      const { added } = yield* addPasskey(other.b, key)
      assert.strictEqual(added.status, 400)
      assert.include(added.text, "in use already")
    }).pipe(virtual)
  )

  it.effect("the second step of a sign-in that was begun lapses; the password alone goes on for who has none", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* withApp
      const b = browser()
      const { csrf } = yield* toSecondStep(b, email)
      yield* TestClock.adjust(Duration.minutes(21))
      const answer = yield* step(b, csrf, { method: "totp", code: codeAt(secret, yield* nowMillis) })
      // To the sign-in, from its beginning (O25).
      assert.strictEqual(answer.status, 303)
      assert.match(answer.headers.get("location") ?? "", /\/sign-in(?:\?|$)/)
      const plainPerson = yield* seedPerson()
      assert.strictEqual((yield* browser().signIn(plainPerson.email, PASSWORD)).path, "/")
    }).pipe(virtual)
  )
})
