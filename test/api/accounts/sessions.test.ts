// docs/decisions.md, "The console": a person sees where they are signed in, and ends it (decisions O12).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { browser, seedPerson } from "../../interfaces/pages/support.ts"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { signedIn } from "../../support/oauth.ts"

const headers = (cookie: string) => ({ cookie, origin: "http://127.0.0.1:8080" })
const tokenOf = Effect.fnUntraced(function* (cookie: string) {
  const app = yield* App
  return (yield* app.call("POST", "/console/token", { headers: headers(cookie) })).json.access_token as string
})
const jar = (one: ReturnType<typeof browser>) => [...one.cookies].map(([k, v]) => `${k}=${v}`).join("; ")

layer(appLayer(), { excludeTestServices: true })("own sessions", (it) => {
  it.effect("are listed, the last used first; one is ended, its token with it; then all others", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const ownBrowser = browser()
      yield* ownBrowser.signIn(email)
      const token = yield* tokenOf(jar(ownBrowser))
      const elsewhere = yield* signedIn(owner.personId)
      const other = yield* tokenOf(elsewhere)
      yield* sql`UPDATE sessions SET agent = 'Boat/1', source_address = '192.0.2.7', last_seen_on = now() - interval '1 day'
        WHERE person_id = ${owner.personId} AND agent IS NULL AND created_on = last_seen_on
          AND session_id = (SELECT max(session_id) FROM sessions WHERE person_id = ${owner.personId})`
      const list = (by: string) => Effect.map(app.call("GET", "/v1/user/session", { token: by }), ({ json }) => json)
      const { sessions, total } = yield* list(token)
      assert.strictEqual(total, 2)
      assert.deepStrictEqual(
        sessions.map(({ agent, current, source_address }: any) => [current, agent, source_address]),
        [
          [true, null, null],
          [false, "Boat/1", "192.0.2.7"]
        ]
      )
      assert.match(sessions[0].created_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      const endReply = yield* app.call("DELETE", `/v1/user/session/${sessions[1].session_id}`, { token })
      assert.deepStrictEqual([endReply.status, endReply.json.session_id], [200, sessions[1].session_id])
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: other })).status, 401)
      assert.strictEqual(
        (yield* app.call("DELETE", `/v1/user/session/${sessions[1].session_id}`, { token })).status,
        404
      )
      for (let n = 0; n < 3; n++) yield* signedIn(owner.personId)
      const endAllReply = yield* app.call("DELETE", "/v1/user/session", { token })
      assert.strictEqual(endAllReply.json.total, 3)
      assert.strictEqual((yield* list(token)).total, 1)
      const audited =
        yield* sql`SELECT 1 FROM audit_log WHERE event = 'person.signed_out' AND person_id = ${owner.personId}`
      assert.strictEqual(audited.length, 4)
      // The one that asks, too: it is a sign-out.
      yield* app.call("DELETE", `/v1/user/session/${sessions[0].session_id}`, { token })
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token })).status, 401)
    })
  )

  it.effect("keep what the browser called itself when it was signed in, cut to a length", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { email } = yield* seedPerson()
      const b = browser()
      const page = yield* b.get("/sign-in")
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)![1]!
      const answer = yield* app.call("POST", "/sign-in", {
        headers: {
          cookie: jar(b),
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": `Gull/1 ${"x".repeat(1000)}`
        },
        body: new URLSearchParams({ csrf, email, password: "seven wet herons", next: "/" }).toString()
      })
      const cookie = answer.headers
        .getSetCookie()
        .map((line) => line.split(";")[0]!)
        .find((line) => line.includes("session"))!
      const { sessions } = (yield* app.call("GET", "/v1/user/session", { token: yield* tokenOf(cookie) })).json
      assert.match(sessions[0].agent, /^Gull\/1 x+/)
      assert.isAtMost(sessions[0].agent.length, 301)
    })
  )

  it.effect("attack: another person's session is unknown; keys and tokens see none", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedPerson()
      const stranger = yield* seedPerson()
      const theirs = yield* signedIn(stranger.owner.personId)
      const token = yield* tokenOf(yield* signedIn(owner.personId))
      const [{ session_id } = { session_id: 0 }] = yield* sql<{ session_id: number }>`
        SELECT session_id::int FROM sessions WHERE person_id = ${stranger.owner.personId}`
      assert.strictEqual((yield* app.call("DELETE", `/v1/user/session/${session_id}`, { token })).status, 404)
      assert.isString(yield* tokenOf(theirs))
      const pat = yield* seedToken(owner.userId, ["organization:read"])
      for (const by of [owner.key, pat])
        for (const [method, path] of [
          ["GET", "/v1/user/session"],
          ["DELETE", "/v1/user/session"],
          ["DELETE", `/v1/user/session/${session_id}`]
        ] as const) {
          const refusal = yield* app.call(method, path, { token: by })
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [403, "restricted_resource"])
        }
    })
  )
})
