// decisions O22: the cookie by which a browser is known to be a person's: signed, bounded, silent about whose it is.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { Meant } from "../../../src/domain/accounts/People.ts"
import { makeKnownBrowsers } from "../../../src/interfaces/web/KnownBrowsers.ts"
import type { Visit } from "../../../src/interfaces/web/Visitors.ts"
import { appLayer } from "../../support/app.ts"

const virtual = Effect.provide(TestClock.layer())
const visitWith = (cookies: Record<string, string>, session?: Visit["session"]) =>
  ({ request: { cookies }, session }) as unknown as Visit
const meant = (personId: number, since: Date | null = null): Meant => ({
  key: String(personId),
  person: { person_id: personId, email: "x@harbor.example", name: "X", password_set_on: since, org_id: 1 }
})

const scene = Effect.map(makeKnownBrowsers, ({ find, remember }) => {
  /** The cookies after the person has signed in. */
  const cookieAfter = (cookies: Record<string, string>, personId: number) =>
    Effect.map(remember(HttpServerResponse.empty(), visitWith(cookies), personId), (response) => {
      const [[name, set] = ["", undefined]] = Object.entries(response.cookies.cookies)
      return { cookies: { [name]: set!.value }, name, value: set!.value, options: set!.options }
    })
  return { find, after: cookieAfter }
})

layer(appLayer(), { excludeTestServices: true })("decisions O22: known browsers", (it) => {
  it.effect(
    "known for the person who signed in, for a year, and for nobody else; each sign-in begins a new count",
    () =>
      Effect.gen(function* () {
        const { find, after } = yield* scene
        const firstCookie = yield* after({}, 41)
        assert.deepInclude(firstCookie.options, { httpOnly: true, sameSite: "lax", path: "/", secure: false })
        const visit = visitWith(firstCookie.cookies)
        const count = yield* find(visit, meant(41))
        assert.isString(count)
        assert.isUndefined(yield* find(visit, meant(4)))
        assert.isUndefined(yield* find(visit, meant(42)))
        assert.isUndefined(yield* find(visit, { key: "0", person: undefined }))
        const secondCookie = yield* after(firstCookie.cookies, 41)
        assert.strictEqual(secondCookie.value.split("~").length, 1)
        assert.notStrictEqual(yield* find(visitWith(secondCookie.cookies), meant(41)), count)
        // Whoever holds the former copy has its count still.
        assert.strictEqual(yield* find(visit, meant(41)), count)
        yield* TestClock.adjust("364 days")
        assert.strictEqual(yield* find(visit, meant(41)), count)
        yield* TestClock.adjust("2 days")
        assert.isUndefined(yield* find(visit, meant(41)))
      }).pipe(virtual)
  )

  it.effect("a new password ends what was known before it", () =>
    Effect.gen(function* () {
      const { find, after } = yield* scene
      yield* TestClock.adjust("10 minutes")
      const { cookies } = yield* after({}, 43)
      assert.isString(yield* find(visitWith(cookies), meant(43, new Date(600_000))))
      assert.isUndefined(yield* find(visitWith(cookies), meant(43, new Date(600_001))))
    }).pipe(virtual)
  )

  it.effect(
    "attack: forged, changed, joined and endless cookies are nobody's; ten people are remembered, the latest",
    () =>
      Effect.gen(function* () {
        const { find, after } = yield* scene
        let lastCookie = yield* after({}, 1)
        const { name } = lastCookie
        const [nonce, issued, signature] = lastCookie.value.split(".") as [string, string, string]
        const other = (yield* after({}, 2)).value.split(".") as [string, string, string]
        for (const value of [
          `${nonce}.${issued}.${other[2]}`,
          `${other[0]}.${issued}.${signature}`,
          `${nonce}.${issued}z.${signature}`,
          `${nonce}.zzzzzzzzzz.${signature}`,
          `${nonce}.${issued}.`,
          `${nonce}.${issued}`,
          "",
          "~~~",
          "1",
          "a.b.c",
          `${"a".repeat(22)}.1.${"b".repeat(43)}`,
          "~".repeat(100_000),
          `${"a".repeat(100_000)}.1.1`
        ])
          assert.isUndefined(yield* find(visitWith({ [name]: value }), meant(1)), value.slice(0, 80))
        for (let person = 2; person <= 12; person++) lastCookie = yield* after(lastCookie.cookies, person)
        assert.isAtMost(lastCookie.value.length, 1000)
        const knownFlags = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, i) => i + 1),
          (id) => Effect.map(find(visitWith(lastCookie.cookies), meant(id)), (count) => count !== undefined)
        )
        assert.deepStrictEqual(knownFlags, [false, false, ...Array<boolean>(10).fill(true)])
      })
  )

  it.effect("a session of the person is one of theirs too", () =>
    Effect.gen(function* () {
      const { find } = yield* scene
      const session = { session_id: 9, person_id: 5, pending_person_id: null, token: "t", csrf: "c" }
      assert.strictEqual(yield* find(visitWith({}, session), meant(5)), "session 9")
      assert.isUndefined(yield* find(visitWith({}, session), meant(6)))
      const anonymousSession = { ...session, person_id: null }
      assert.isUndefined(yield* find(visitWith({}, anonymousSession), { key: "x", person: undefined }))
    })
  )
})

layer(appLayer({ BASE_URL: "https://records.example" }), { excludeTestServices: true })(
  "decisions O22: known browsers over https",
  (it) => {
    it.effect("the cookie is __Host- and Secure", () =>
      Effect.gen(function* () {
        const { after } = yield* scene
        const { name, options } = yield* after({}, 1)
        assert.strictEqual(name, "__Host-millrace_known")
        assert.deepInclude(options, { secure: true, httpOnly: true, path: "/" })
      })
    )
  }
)
