// service.md 2.2, 4.1; decisions O8, O11, O12, O15, O19, O24: what the consent screen shows and to whom it opens.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppPolicies } from "../../../src/domain/connections/AppPolicies.ts"
import { appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { authorize, challengeOf, decide, REDIRECT, registerClient, signedIn } from "../../support/oauth.ts"
import { browser, PASSWORD, seedPerson } from "./support.ts"

const request = (clientId: string, more: Record<string, string> = {}) => ({
  response_type: "code",
  client_id: clientId,
  redirect_uri: REDIRECT,
  code_challenge: challengeOf("x"),
  state: "s1",
  ...more
})

/** The person as one more user, of another organization. */
const alsoIn = Effect.fnUntraced(function* (personId: number, orgId: number, role: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ user_id: number }>`
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    VALUES (${orgId}, ${personId}, 'Same person', ${role}, 'active', now()) RETURNING user_id`
  return row!.user_id
})

const begin = Effect.fnUntraced(function* (personId: number, clientId: string, more: Record<string, string> = {}) {
  const cookie = yield* signedIn(personId)
  const started = yield* authorize(request(clientId, more), { cookie })
  const page = started.headers.get("location")!
  const consentPage = yield* browser(cookie).get(page)
  return { cookie, page, shown: consentPage }
})

layer(appLayer(), { excludeTestServices: true })("4.1: the consent screen", (it) => {
  it.effect(
    "4.1, O24: app name, redirect host, one plain line per scope, the organization, the account; nothing is called verified",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization("Harbor Works")
        const clientId = yield* registerClient([REDIRECT], { client_name: "Harbor Board" })
        const { shown } = yield* begin(owner.personId, clientId, { scope: "records:read automations:run" })
        assert.include(shown.text, "Connect <bdi>Harbor Board</bdi>?")
        assert.include(shown.text, "Sends you to <strong>client.example</strong>")
        assert.notMatch(shown.text, /verified|✓/i)
        const lines = [...shown.text.matchAll(/<li>([^<]*)<\/li>/g)].map(([, line]) => line)
        assert.deepStrictEqual(lines, ["Read your records and files", "Start, cancel and retry automations"])
        assert.include(shown.text, "Harbor Works")
        assert.include(shown.text, "Use another account")
        assert.strictEqual(shown.status, 200)
      })
  )

  it.effect("O5: an app's own scheme is Unverified, and said to be an app on this device", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const uri = "com.example.app:/cb"
      const clientId = yield* registerClient([uri])
      const { shown } = yield* begin(owner.personId, clientId, { redirect_uri: uri })
      assert.include(shown.text, "Unverified")
      assert.include(shown.text, "<strong>com.example.app:</strong>, an app on this device")
    })
  )

  it.effect("O8: HTML and bidirectional text in names of apps, organizations and people is text", () =>
    Effect.gen(function* () {
      const evil = '<img src=x onerror=alert(1)>"\u202e\u2066gpj'
      const { owner } = yield* seedOrganization(evil)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE people SET name = ${evil} WHERE person_id = ${owner.personId}`
      const clientId = yield* registerClient([REDIRECT], { client_name: evil })
      const { shown, cookie } = yield* begin(owner.personId, clientId)
      for (const page of [shown, yield* browser(cookie).get("/"), yield* browser(cookie).get("/organization")]) {
        assert.notInclude(page.text, "<img")
        assert.notMatch(page.text, /[\u202a-\u202e\u2066-\u2069]/)
        assert.include(page.text, "&lt;img src=x onerror=alert(1)&gt;")
      }
    })
  )

  it.effect("O12: a person in two organizations chooses; the code is for the chosen one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization("First")
      const second = yield* seedOrganization("Second")
      const userId = yield* alsoIn(owner.personId, second.orgId, "member")
      const clientId = yield* registerClient()
      const { cookie, page, shown } = yield* begin(owner.personId, clientId)
      assert.match(shown.text, new RegExp(`type="radio" name="user_id" id="user-${userId}"`))
      const answer = yield* decide(page, cookie, { decision: "approve", user_id: String(userId) })
      assert.strictEqual(answer.status, 303)
      const [code] = yield* sql<{
        user_id: number
      }>`SELECT user_id FROM authorization_codes WHERE client_id = ${clientId}`
      assert.strictEqual(code!.user_id, userId)
    })
  )

  it.effect("O19: a guest sees why in that organization and may choose another", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization("Own")
      const other = yield* seedOrganization("Visited")
      const guest = yield* alsoIn(owner.personId, other.orgId, "guest")
      const clientId = yield* registerClient()
      const { cookie, page, shown } = yield* begin(owner.personId, clientId)
      assert.include(shown.text, "Guests of an organization cannot connect apps.")
      assert.match(shown.text, new RegExp(`id="user-${guest}" value="${guest}" disabled`))
      const forced = yield* decide(page, cookie, { decision: "approve", user_id: String(guest) })
      assert.strictEqual(forced.status, 400)
      assert.isNull(forced.headers.get("location"))
      assert.match(forced.text, /class="note bad"[\s\S]*?Guests of an organization cannot connect apps\./)
      // The request stays open for the organization that lets them.
      const ownAnswer = yield* decide(page, cookie, { decision: "approve", user_id: String(owner.userId) })
      assert.include(ownAnswer.headers.get("location")!, "code=svc_oac_")
    })
  )

  it.effect("O15, O19: who is kept out everywhere sees why, and Return to app carries AUTHORIZE_USER_REFUSED", () =>
    Effect.gen(function* () {
      const policies = yield* AppPolicies
      const { orgId, owner } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const actor = { orgId, userId: owner.userId }
      const clientId = yield* registerClient()
      const cases = [
        [policies.setAccess(actor, clientId, "blocked"), "This organization has blocked the app."],
        [
          policies.setAccess(actor, clientId, "admins"),
          "Only admins and owners of this organization may connect the app."
        ],
        [
          Effect.andThen(policies.setAccess(actor, clientId, null), policies.setMode(actor, "approved")),
          "This organization allows only apps that its admins have approved."
        ],
        [
          Effect.andThen(policies.setMode(actor, "all"), policies.setUserBlock(actor, clientId, member.userId, true)),
          "An admin of this organization has blocked the app for you."
        ]
      ] as const
      for (const [rule, why] of cases) {
        yield* rule
        const { cookie, page, shown } = yield* begin(member.personId, clientId)
        assert.include(shown.text, why)
        assert.notInclude(shown.text, "Allow")
        const answer = yield* decide(page, cookie, { decision: "return" })
        const callbackParams = new URL(answer.headers.get("location")!).searchParams
        assert.strictEqual(callbackParams.get("error"), "access_denied")
        assert.match(callbackParams.get("error_description")!, /\[AUTHORIZE_USER_REFUSED\]$/)
        assert.strictEqual(callbackParams.get("state"), "s1")
      }
    })
  )

  it.effect("O19: who is kept out while they look at the page is told why on it, and goes back from there", () =>
    Effect.gen(function* () {
      const policies = yield* AppPolicies
      const { orgId, owner } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const clientId = yield* registerClient()
      const { cookie, page, shown } = yield* begin(member.personId, clientId)
      assert.include(shown.text, ">Allow<")
      yield* policies.setAccess({ orgId, userId: owner.userId }, clientId, "blocked")
      const blockedAnswer = yield* decide(page, cookie, { decision: "approve", user_id: String(member.userId) })
      assert.strictEqual(blockedAnswer.status, 403)
      assert.isNull(blockedAnswer.headers.get("location"))
      assert.include(blockedAnswer.text, "This organization has blocked the app.")
      assert.include(blockedAnswer.text, "Return to app")
      const answer = yield* decide(page, cookie, { decision: "return" })
      const callbackParams = new URL(answer.headers.get("location")!).searchParams
      assert.strictEqual(callbackParams.get("error"), "access_denied")
    })
  )

  it.effect("O12: with another account: the request follows the new session, the former one loses it", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const other = yield* seedPerson("Elsewhere")
      const clientId = yield* registerClient()
      const { cookie, page } = yield* begin(owner.personId, clientId)
      const b = browser(cookie)
      const consent = yield* b.submit(`/sign-in?next=${encodeURIComponent(page)}`, {
        email: other.email,
        password: PASSWORD,
        next: page
      })
      assert.strictEqual(consent.path, page)
      assert.include(consent.text, other.email)
      assert.include(consent.text, "Elsewhere")
      assert.strictEqual((yield* browser(cookie).get(page)).status, 400)
    })
  )

  it.effect("O10: an address with a NUL is none, with a session too", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const { get } = browser(yield* signedIn(owner.personId))
      for (const id of ["%00", "a%00b"]) assert.strictEqual((yield* get(`/oauth/consent/${id}`)).status, 400)
    })
  )
})
