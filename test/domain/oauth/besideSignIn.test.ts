// service.md 3.2, 4.1; decisions O10, O12, O19: an authorization request belongs to the browser's session, whatever sign-in or sign-out comes beside it,
// and lasts ten minutes however old that session is.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { hashToken } from "../../../src/platform/sealing/Secrets.ts"
import { type Browser, browser, seedPerson } from "../../interfaces/pages/support.ts"
import { appLayer } from "../../support/app.ts"
import { crossing } from "../../support/locks.ts"
import { authorizeUrl, challengeOf, REDIRECT, registerClient } from "../../support/oauth.ts"

const virtual = Effect.provide(TestClock.layer())

const requestUrl = Effect.map(registerClient(), (clientId) =>
  authorizeUrl({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challengeOf("x"),
    state: "a b"
  })
)
const sessionOf = Effect.fnUntraced(function* (b: Browser) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ session_id: number }>`
    SELECT session_id::int FROM sessions WHERE token_hash = ${hashToken(b.cookies.get("millrace_session")!)}`
  return row!.session_id
})
const isAsked = Effect.fnUntraced(function* (b: Browser, page: string) {
  const consentPage = yield* b.get(page)
  assert.strictEqual(consentPage.status, 200, consentPage.text)
  assert.include(consentPage.text, "Use another account")
})

layer(appLayer(), { excludeTestServices: true })("an authorization request beside a sign-in", (it) => {
  it.effect("O10: whose session ends while it is looked at comes again, with the session that there is then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const url = yield* requestUrl
      const b = browser()
      yield* b.get("/sign-in")
      const session = yield* sessionOf(b)
      const answer = yield* crossing(
        sql`SELECT 1 FROM sessions WHERE session_id = ${session} FOR UPDATE`,
        b.get(url),
        sql`DELETE FROM sessions WHERE session_id = ${session}`
      )
      assert.deepStrictEqual([answer.status, answer.headers.get("location")], [303, url])
      const { email } = yield* seedPerson()
      yield* b.signIn(email)
      yield* isAsked(b, (yield* b.get(url)).headers.get("location")!)
    })
  )

  it.effect("4.1: one that arrives while a sign-in replaces its session moves to the new one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email } = yield* seedPerson()
      const b = browser()
      const page = (yield* b.get(yield* requestUrl)).headers.get("location")!
      const id = page.split("/").at(-1)!
      const arriving = sql`
        INSERT INTO authorization_requests (request_id, session_id, client_id, redirect_uri, state, scopes, code_challenge, created_on, expires_on)
        SELECT 'arriving', session_id, client_id, redirect_uri, state, scopes, code_challenge, created_on, expires_on
        FROM authorization_requests WHERE request_id = ${id}`
      yield* crossing(arriving, b.signIn(email))
      yield* isAsked(b, page)
      yield* isAsked(b, "/oauth/consent/arriving")
    })
  )

  it.effect("O19: the ten minutes run from its arrival, in an older session too", () =>
    Effect.gen(function* () {
      const { email } = yield* seedPerson()
      const url = yield* requestUrl
      const b = browser()
      yield* b.get("/sign-in")
      const firstSession = b.cookies.get("millrace_session")
      yield* TestClock.adjust(Duration.minutes(15))
      const page = (yield* b.get(url)).headers.get("location")!
      assert.strictEqual(b.cookies.get("millrace_session"), firstSession)
      yield* TestClock.adjust(Duration.minutes(9))
      yield* b.signIn(email)
      yield* isAsked(b, page)
    }).pipe(virtual)
  )
})
