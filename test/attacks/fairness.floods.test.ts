// Issue "Safe among strangers" 4.1 to 4.3, decisions O22, O23, A22: a running service under guesses and floods from many
// addresses. A trusted proxy on the loopback address names the sender, so that each request may come from elsewhere.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"
import { PASSWORD, seedPerson } from "../interfaces/pages/support.ts"
import { freshDatabaseUrl, layerOn } from "../support/database.ts"
import { eventually } from "../support/eventually.ts"
import { hiddenIn } from "../support/oauth.ts"
import { operate, startService } from "../support/processes.ts"

const form = "application/x-www-form-urlencoded"

/** A browser somewhere: its cookies and the address that the proxy saw. */
const browserAt = (origin: string, source: string | (() => string), cookies = new Map<string, string>()) => {
  const send = async (path: string, init: RequestInit = {}) => {
    const from = typeof source === "string" ? source : source()
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { ...(init.headers as Record<string, string>), cookie, "x-forwarded-for": from }
    const response = await fetch(`${origin}${path}`, { ...init, headers, redirect: "manual" })
    for (const setCookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
      if (/max-age=0/i.test(setCookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = async (path: string, fields: Record<string, string>) => {
    const csrf = hiddenIn((await send("/sign-in")).text, "csrf")
    const body = new URLSearchParams({ csrf, ...fields }).toString()
    return send(path, { method: "POST", headers: { "content-type": form }, body })
  }
  return {
    cookies,
    send,
    post,
    signIn: (email: string, password: string = PASSWORD) => post("/sign-in", { email, password, next: "/" })
  }
}

let hosts = 0
/** An address that nobody had before. */
const elsewhere = () => `198.51.${Math.floor(++hosts / 250)}.${(hosts % 250) + 1}`

const promise = <A>(run: () => Promise<A>) => Effect.promise(run)

const serving = Effect.fnUntraced(function* (env: Record<string, string> = {}) {
  const url = yield* freshDatabaseUrl
  const { origin } = yield* startService(url, { TRUSTED_PROXIES: "127.0.0.1/32", LOG_LEVEL: "info", ...env })
  return { url, origin, pool: layerOn(url, 4) }
})

describe("O22: guesses of passwords", () => {
  it.live("O22: ten guesses at a person in all, however the address is spelled", () =>
    Effect.gen(function* () {
      const { origin, pool } = yield* serving()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedPerson()
        yield* sql`UPDATE people SET email = 'tim@harbor.example' WHERE person_id = ${owner.personId}`
        const spellings = ["tim@harbor.example", "tİm@harbor.example", "TİM@HARBOR.EXAMPLE", "TIM@harbor.example"]
        for (const [whose, names] of [
          ["somebody's", spellings],
          ["nobody's", spellings.map((name) => name.replace(/harbor/i, "nowhere"))]
        ] as const) {
          const answers: Array<number> = []
          for (let i = 0; i < 14; i++) {
            const guess = () => browserAt(origin, elsewhere()).signIn(names[i % names.length]!, `guess number ${i}`)
            answers.push((yield* promise(guess)).status)
          }
          assert.deepStrictEqual(answers, [...Array(10).fill(401), ...Array(4).fill(429)], whose)
        }
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped)
  )

  it.live("O22: guesses from elsewhere keep nobody out of a browser in which they have signed in before", () =>
    Effect.gen(function* () {
      const { origin, pool } = yield* serving()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { email, owner } = yield* seedPerson()
        const home = browserAt(origin, elsewhere())
        assert.strictEqual((yield* promise(() => home.signIn(email))).status, 303)
        home.cookies.delete("millrace_session")
        for (let i = 0; i < 12; i++)
          yield* promise(() => browserAt(origin, elsewhere()).signIn(email, `guess number ${i}`))
        // As is every other browser.
        assert.strictEqual((yield* promise(() => browserAt(origin, elsewhere()).signIn(email))).status, 429)
        const copied = new Map(home.cookies)
        // Nor do guesses from its own address, at this person or at others.
        yield* sql`INSERT INTO oauth_rate_windows (key, window_start, leased) VALUES ('address 203.0.113.9', now(), 1000)`
        const moved = browserAt(origin, "203.0.113.9", home.cookies)
        assert.strictEqual((yield* promise(() => moved.signIn(email))).status, 303)
        assert.notInclude([...home.cookies.values()].map(decodeURIComponent).join(" "), email)

        // Who took a copy of the cookie has the count of the copy, and no password with it.
        const thief = browserAt(origin, elsewhere, copied)
        const stolen: Array<number> = []
        for (let i = 0; i < 11; i++) stolen.push((yield* promise(() => thief.signIn(email, `stolen ${i}`))).status)
        assert.deepStrictEqual(stolen, [...Array(10).fill(401), 429])
        home.cookies.delete("millrace_session")
        assert.strictEqual((yield* promise(() => home.signIn(email))).status, 303)

        // Nor may guesses keep a signed-in person from changing the password.
        const session = randomToken("")
        yield* sql`
          INSERT INTO sessions (token_hash, person_id, created_on, last_seen_on, expires_on)
          VALUES (${hashToken(session)}, ${owner.personId}, now(), now(), now() + interval '1 day')`
        const inside = browserAt(origin, elsewhere(), new Map([["millrace_session", session]]))
        const csrf = hiddenIn((yield* promise(() => inside.send("/"))).text, "csrf")
        const changed = yield* promise(() =>
          inside.post("/account/password", {
            csrf,
            current: PASSWORD,
            password: "nine dry otters",
            repeated: "nine dry otters"
          })
        )
        assert.strictEqual(changed.status, 303)
        // A new password ends what the former one gave: the thief of old cookies counts as a stranger.
        assert.strictEqual((yield* promise(() => home.signIn(email, "nine dry otters"))).status, 429)
        const laterSignIn = yield* promise(() => inside.signIn(email, "nine dry otters"))
        assert.strictEqual(laterSignIn.status, 303)
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped)
  )

  it.live("O22: addresses of one /64 are one source, for sign-ins, forgotten passwords and registrations", () =>
    Effect.gen(function* () {
      const { origin, pool } = yield* serving({ OAUTH_REGISTER_PER_HOUR: "3" })
      let host = 0
      const near = () => `2001:db8:7:9:${(++host).toString(16)}::${host.toString(16)}`
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const registered: Array<number> = []
        for (let i = 0; i < 4; i++) {
          const body = JSON.stringify({ redirect_uris: ["https://client.example/cb"] })
          const init = { method: "POST", headers: { "content-type": "application/json" }, body }
          registered.push((yield* promise(() => browserAt(origin, near).send("/oauth/register", init))).status)
        }
        assert.deepStrictEqual(registered, [201, 201, 201, 429])

        const statuses: Array<number> = []
        for (let i = 0; i < 31; i++) {
          const ask = () => browserAt(origin, near).post("/account/forgot-password", { email: `p${i}@nowhere.example` })
          const { status, headers } = yield* promise(ask)
          statuses.push(status)
          assert.strictEqual(headers.get("retry-after"), status === 429 ? "3600" : null)
        }
        assert.deepStrictEqual(statuses, [...Array(30).fill(200), 429])

        // A hundred guesses are slow on purpose: they are written as if they had been made.
        assert.strictEqual((yield* promise(() => browserAt(origin, near).signIn("a@nowhere.example"))).status, 401)
        yield* sql`UPDATE oauth_rate_windows SET leased = 100 WHERE key LIKE 'address 2001:db8:7:9:%'`
        assert.strictEqual((yield* promise(() => browserAt(origin, near).signIn("b@nowhere.example"))).status, 429)
        const far = browserAt(origin, "2001:db8:7:a::1")
        assert.strictEqual((yield* promise(() => far.signIn("c@nowhere.example"))).status, 401)
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped)
  )
})

describe("A22: password hashing is shared", () => {
  it.live("A22: twenty wrong sign-ins at once hold nobody else up; what finds no place is told so at once", () =>
    Effect.gen(function* () {
      const { origin, pool } = yield* serving()
      yield* Effect.gen(function* () {
        const { email } = yield* seedPerson()
        const flood = elsewhere()
        const guessers = Array.from({ length: 48 }, () => browserAt(origin, flood))
        const honest = browserAt(origin, elsewhere())
        // The pages are opened beforehand, so that what follows is the hashing alone.
        for (const visitor of [...guessers, honest]) yield* promise(() => visitor.send("/sign-in"))
        const outcomes: Array<{ status: number; after: string | null }> = []
        const wrong = guessers.map(async (one, i) => {
          const { status, headers } = await one.signIn(`p${i}@nowhere.example`, "not the password")
          outcomes.push({ status, after: headers.get("retry-after") })
        })
        yield* eventually(
          "the first guess is being answered",
          Effect.sync(() => outcomes.length),
          (n) => n > 0
        )
        const refusedBefore = outcomes.filter(({ status }) => status === 401).length
        const right = yield* promise(() => honest.signIn(email))
        const meanwhile = outcomes.filter(({ status }) => status === 401).length - refusedBefore
        assert.strictEqual(right.status, 303)
        // In turn: two or three of theirs, not all of them.
        assert.isBelow(meanwhile, 8)
        yield* promise(() => Promise.all(wrong))
        const throttledOutcomes = outcomes.filter(({ status }) => status === 429)
        assert.isAbove(throttledOutcomes.length, 0)
        for (const { after } of throttledOutcomes) assert.match(after ?? "", /^[1-9]$/)
        assert.deepStrictEqual([...new Set(outcomes.map(({ status }) => status))].sort(), [401, 429])
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped)
  )
})

describe("O23: floods of refusals", () => {
  it.live("O23: thousands of refused requests are a handful of rows that say how many they were", () =>
    Effect.gen(function* () {
      const limits = { OAUTH_AUTHORIZE_PER_MINUTE: "10", OAUTH_TOKEN_PER_MINUTE: "10" }
      const { url, origin, pool } = yield* serving(limits)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const began = Date.now()
        const tokenInit = (i: number) => ({
          method: "POST",
          headers: { "content-type": form, accept: "application/json", "x-forwarded-for": `2001:db8:1:2::${i % 9999}` },
          body: `grant_type=refresh_token&client_id=svc_oc_${i}&refresh_token=svc_ort_${i}`
        })
        const askInit = { headers: { accept: "application/json", "x-forwarded-for": "203.0.113.7" } }
        const total = 3000
        yield* Effect.forEach(
          Array.from({ length: total }, (_, i) => i),
          (i) =>
            promise(async () => {
              const response =
                i % 2 === 0
                  ? await fetch(`${origin}/oauth/token`, tokenInit(i))
                  : await fetch(`${origin}/oauth/authorize?client_id=svc_oc_${i}`, askInit)
              assert.isAtLeast(response.status, 400)
              await response.text()
            }),
          { concurrency: 24, discard: true }
        )
        const minutes = Math.floor(Date.now() / 60_000) - Math.floor(began / 60_000) + 1
        const [grown] = yield* eventually(
          "all of them are counted",
          sql<{ rows: number; total: number }>`
            SELECT count(*)::int AS rows, coalesce(sum(count), 0)::int AS total FROM audit_log WHERE event LIKE '%.refused'`,
          ([row]) => row!.total === total
        )
        const sources = yield* sql<{ source_address: string; reason_id: string }>`
          SELECT DISTINCT source_address, reason_id FROM audit_log WHERE event LIKE '%.refused' ORDER BY 1, 2`
        // At each endpoint a client that nobody knows, then too many requests.
        assert.isAtMost(grown!.rows, 4 * minutes)
        assert.deepStrictEqual(sources, [
          { source_address: "2001:db8:1:2::/64", reason_id: "CLIENT_AUTH_FAILED" },
          { source_address: "2001:db8:1:2::/64", reason_id: "RATE_LIMITED" },
          { source_address: "203.0.113.7", reason_id: "AUTHORIZE_CLIENT_INVALID" },
          { source_address: "203.0.113.7", reason_id: "RATE_LIMITED" }
        ])
        const auditRows = yield* operate(url, origin, "audit", "read", "--reason", "AUTHORIZE_CLIENT_INVALID")
        assert.isAtLeast(auditRows[0].count, 1)
        assert.match(auditRows[0].happened_on, /:00\.000Z$/)
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped)
  )

  it.live("O23: a person who is guessed at without end has a handful of rows in the log of their organization", () =>
    Effect.gen(function* () {
      const { origin, pool } = yield* serving()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { email, orgId } = yield* seedPerson()
        yield* sql`INSERT INTO oauth_rate_windows (key, window_start, leased)
          SELECT kind || person_id, now(), 11 FROM people, unnest(ARRAY['person ', 'account ']) kind WHERE email = ${email}
          UNION SELECT 'account ' || email, now(), 11 FROM people WHERE email = ${email}`
        const b = browserAt(origin, "203.0.113.8")
        const began = Date.now()
        for (let i = 0; i < 40; i++) assert.strictEqual((yield* promise(() => b.signIn(email, `x${i}`))).status, 429)
        const minutes = Math.floor(Date.now() / 60_000) - Math.floor(began / 60_000) + 1
        const [grown] = yield* eventually(
          "all of them are counted",
          sql<{ rows: number; total: number }>`
            SELECT count(*)::int AS rows, coalesce(sum(count), 0)::int AS total FROM audit_log
            WHERE event = 'person.sign_in_throttled' AND org_id = ${orgId}`,
          ([row]) => row!.total === 40
        )
        assert.isAtMost(grown!.rows, minutes)
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped)
  )
})
