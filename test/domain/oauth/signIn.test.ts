// decisions O11, O12: sign-in keeps its session on the server and does not tell who has an account.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../../../src/domain/accounts/People.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { hiddenIn, post } from "../../support/oauth.ts"

const PASSWORD = "a long enough password"

const emailOf = Effect.fnUntraced(function* (personId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ email: string }>`SELECT email FROM people WHERE person_id = ${personId}`
  return row!.email
})

const opened = Effect.gen(function* () {
  const app = yield* App
  const page = yield* app.call("GET", "/sign-in?next=%2Foauth%2Fconsent%2Fx")
  const cookie = page.headers.get("set-cookie")!.split(";")[0]!
  const send = (email: string, password: string) =>
    post("/sign-in", { csrf: hiddenIn(page.text, "csrf"), next: "/oauth/consent/x", email, password }, { cookie })
  return { page, send, cookie }
})

layer(appLayer(), { excludeTestServices: true })("decisions O12: sign-in", (it) => {
  it.effect(
    "a session is a new HttpOnly, SameSite=Lax cookie; a wrong password and an unknown address look alike",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        yield* People.use((people) => people.setPassword(owner.personId, PASSWORD))
        const { page, send, cookie } = yield* opened
        for (const name of ["cache-control", "content-security-policy", "referrer-policy"]) {
          assert.isNotNull(page.headers.get(name), name)
        }
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
        const email = yield* emailOf(owner.personId)
        const wrong = yield* send(email, "something else")
        const unknown = yield* send("nobody@example.com", "something else")
        const blank = (text: string) => text.replaceAll(/nonce-[\w-]+|nonce="[^"]*"|value="[^"]*"/g, "")
        assert.strictEqual(wrong.status, unknown.status)
        assert.strictEqual(blank(wrong.text), blank(unknown.text))
        const right = yield* send(email.toUpperCase(), PASSWORD)
        assert.strictEqual(right.status, 303)
        assert.strictEqual(right.headers.get("location"), "/oauth/consent/x")
        const set = right.headers.get("set-cookie") ?? ""
        assert.match(set, /HttpOnly/i)
        assert.match(set, /SameSite=Lax/i)
        assert.match(set, /Path=\//i)
        assert.match(set, /Max-Age=2592000/i)
        assert.notStrictEqual(set.split(";")[0], cookie)
      })
  )
})

layer(appLayer({ BASE_URL: "https://records.example" }), { excludeTestServices: true })(
  "decisions O12: over https",
  (it) => {
    it.effect("the cookie is __Host- and Secure", () =>
      Effect.gen(function* () {
        const { page } = yield* opened
        assert.match(page.headers.get("set-cookie") ?? "", /^__Host-millrace_session=.*;\s*Secure/i)
      })
    )
  }
)
