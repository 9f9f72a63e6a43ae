// decisions O12, "The second step": another password ends every sign-in that began with the former one, those under way too.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../../../src/domain/accounts/People.ts"
import { hashPassword } from "../../../src/domain/accounts/passwords.ts"
import { appLayer } from "../../support/app.ts"
import { crossing } from "../../support/locks.ts"
import { hiddenIn } from "../../support/oauth.ts"
import { addApp, codeAt, secretIn, step, toSecondStep } from "./secondSteps.ts"
import { browser, PASSWORD, seedPerson } from "./support.ts"

const OTHER = "nine dry cormorants"

const resetByLink = Effect.fnUntraced(function* (personId: number) {
  const { url } = yield* (yield* People).oneTimeLink(personId)
  const passwordPage = yield* browser().submit(new URL(url).pathname, { password: OTHER, repeated: OTHER })
  assert.strictEqual(passwordPage.path, "/sign-in?done=password", passwordPage.text)
})

const sessionsOf = Effect.fnUntraced(function* (personId: number) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM sessions WHERE ${personId}::bigint IN (person_id, pending_person_id)`).length
})

/** Somebody with a second step, who has given the password in a browser. */
const halfSignedIn = Effect.gen(function* () {
  const { email, owner } = yield* seedPerson()
  const ownBrowser = browser()
  yield* ownBrowser.signIn(email)
  const { codes } = yield* addApp(ownBrowser, yield* Clock.currentTimeMillis)
  const b = browser()
  const { csrf } = yield* toSecondStep(b, email)
  return { b, csrf, owner, recovery: codes[0]! }
})

layer(appLayer(), { excludeTestServices: true })("a sign-in that a new password overtakes", (it) => {
  it.effect("O12: is a wrong password where another one was set while the former one was looked at", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const hash = yield* hashPassword(OTHER)
      // The sign-in has found the password right, and waits for the row of the person.
      const answer = yield* crossing(
        sql`UPDATE people SET password_hash = ${hash}, password_set_on = now() WHERE person_id = ${owner.personId}`,
        browser().signIn(email, PASSWORD)
      )
      assert.deepStrictEqual([answer.status, answer.path], [401, "/sign-in"])
      assert.strictEqual(yield* sessionsOf(owner.personId), 0)
      assert.strictEqual((yield* browser().signIn(email, OTHER)).path, "/")
    })
  )

  it.effect("O12: nor is it overwritten by a change whose former password was being looked at", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const thief = browser()
      yield* thief.signIn(email)
      const csrf = hiddenIn((yield* thief.get("/")).text, "csrf")
      const hash = yield* hashPassword(OTHER)
      const theirs = { password: "eleven sly magpies", repeated: "eleven sly magpies" }
      // The change has found the former password right, and waits for the row of the person.
      const answer = yield* crossing(
        Effect.gen(function* () {
          yield* sql`UPDATE people SET password_hash = ${hash}, password_set_on = now() WHERE person_id = ${owner.personId}`
          yield* sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
        }),
        thief.post("/account/password", { csrf, current: PASSWORD, ...theirs })
      )
      assert.strictEqual(answer.status, 400, answer.text)
      assert.include(answer.text, "The current password is wrong.")
      assert.strictEqual((yield* browser().signIn(email, OTHER)).path, "/")
    })
  )

  it.effect("a sign-in whose second step is open is ended by a reset of the password, and begins anew", () =>
    Effect.gen(function* () {
      const { b, csrf, owner, recovery } = yield* halfSignedIn
      yield* resetByLink(owner.personId)
      assert.strictEqual(yield* sessionsOf(owner.personId), 0)
      const refusal = yield* step(b, csrf, { method: "recovery_code", recovery })
      assert.isFalse(refusal.status === 303 && refusal.headers.get("location") === "/account/password", refusal.text)
      assert.strictEqual((yield* b.get("/organization")).status, 303)
    })
  )

  it.effect("no second step is set up, nor one taken away, by a session that a new password has just ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const endingSessions = Effect.gen(function* () {
        yield* sql`UPDATE people SET password_set_on = now() WHERE person_id = ${owner.personId}`
        yield* sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
      })
      const factorsOf = sql<{ factor_id: number }>`
        SELECT factor_id::int FROM factors WHERE person_id = ${owner.personId}`
      const thief = browser()
      yield* thief.signIn(email)
      const setupPage = yield* thief.get("/account/factors/app")
      const fields = { csrf: hiddenIn(setupPage.text, "csrf"), secret: hiddenIn(setupPage.text, "secret"), next: "/" }
      const code = codeAt(secretIn(setupPage.text), yield* Clock.currentTimeMillis)
      const added = yield* crossing(
        endingSessions,
        thief.post("/account/factors/app", { ...fields, name: "Phone", code })
      )
      assert.include(added.text, "You were signed out meanwhile.")
      assert.lengthOf(yield* factorsOf, 0)

      const b = browser()
      yield* b.signIn(email)
      yield* addApp(b, yield* Clock.currentTimeMillis)
      yield* b.submit("/account/confirm?next=/account/factors", { method: "password", password: PASSWORD })
      const [factor] = yield* factorsOf
      const csrf = hiddenIn((yield* b.get("/account/factors?next=/")).text, "csrf")
      const removeReply = yield* crossing(
        endingSessions,
        b.post("/account/factors", { csrf, next: "/", action: "remove", factor_id: String(factor!.factor_id) })
      )
      assert.include(removeReply.text, "You were signed out meanwhile.")
      assert.lengthOf(yield* factorsOf, 1)
    })
  )

  it.effect("a sign-in by the password alone is refused where a first second step was set up meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const b = browser()
      const csrf = hiddenIn((yield* b.get("/sign-in")).text, "csrf")
      // The sign-in has seen that there is no second step, and is about to begin its session.
      yield* crossing(
        sql`LOCK TABLE sessions IN SHARE ROW EXCLUSIVE MODE`,
        b.post("/sign-in", { csrf, email, password: PASSWORD, next: "/" }),
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM people WHERE person_id = ${owner.personId} FOR UPDATE`
          yield* sql`
            INSERT INTO factors (person_id, kind, name, secret, last_step, created_on)
            VALUES (${owner.personId}, 'totp', 'Phone', ''::bytea, 1, now())`
          yield* sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
        })
      )
      assert.strictEqual(yield* sessionsOf(owner.personId), 0)
      assert.match((yield* b.signIn(email)).path, /^\/sign-in\/second-step/)
    })
  )

  it.effect("a second step that is right is refused where the half-done sign-in was ended meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { b, csrf, owner, recovery } = yield* halfSignedIn
      const answer = yield* crossing(
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM people WHERE person_id = ${owner.personId} FOR NO KEY UPDATE`
          yield* sql`DELETE FROM sessions WHERE pending_person_id = ${owner.personId}`
        }),
        step(b, csrf, { method: "recovery_code", recovery })
      )
      assert.strictEqual(answer.headers.get("location"), "/sign-in?next=%2Faccount%2Fpassword", answer.text)
      assert.strictEqual((yield* b.get("/organization")).status, 303)
    })
  )
})
