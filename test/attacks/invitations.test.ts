// Attacks on invitations (developer-api.md 11.5): guessed, stolen and used links, forms of other sites, and an admin of one organization who
// tries to become somebody of another by inviting them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Invitations } from "../../src/domain/accounts/invitations/Invitations.ts"
import { Organizations } from "../../src/domain/accounts/Organizations.ts"
import { browser, seedPerson } from "../interfaces/pages/support.ts"
import { App, appLayer, seedOrganization } from "../support/app.ts"
import { hiddenIn } from "../support/oauth.ts"

const OWN = "nine dry otters"
const twice = { password: OWN, repeated: OWN }
let counter = 0
const newEmail = () => `target-${counter++}@example.net`

const invited = Effect.fnUntraced(function* (token: string, email = newEmail(), more: object = {}) {
  const { call } = yield* App
  const body = { name: "Target", email, role: "member", ...more }
  const { json } = yield* call("POST", "/v1/org/user", { token, body })
  return { email, user_id: json.user_id as number, path: new URL(json.invitation_url).pathname }
})
const statusOf = (userId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ status: string }>`SELECT status FROM users WHERE user_id = ${userId}`, ([row]) => row!.status)
  )
const joins = Effect.fnUntraced(function* (path: string) {
  const b = browser()
  const csrf = hiddenIn((yield* b.get(path)).text, "csrf")
  return yield* b.post(path, { csrf, ...twice })
})

layer(appLayer(), { excludeTestServices: true })("attack: invitations", (it) => {
  it.effect("attack: tokens that are nearly right, too long, hashed or of other links open nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const { path, user_id } = yield* invited(owner.key)
      const token = path.split("/").at(-1)!
      const [row] = yield* sql<{ hash: string }>`
        SELECT encode(token_hash, 'hex') AS hash FROM invitations WHERE user_id = ${user_id}`
      const lastCharacter = token.endsWith("A") ? "B" : "A"
      const guesses = [token.slice(0, -1), `${token.slice(0, -1)}${lastCharacter}`, token.toUpperCase(), row!.hash]
      for (const guess of [...guesses, "a".repeat(5_000), "%00", "..%2f", "' OR true --"]) {
        const { status } = yield* browser().get(
          `/invitation/${guess.includes("%") ? guess : encodeURIComponent(guess)}`
        )
        assert.isTrue(status >= 400 && status < 500, `${guess.slice(0, 60)}: ${status}`)
      }
      assert.strictEqual((yield* browser().get(`/account/password/${token}`)).status, 400)
      assert.strictEqual((yield* browser().get(path)).status, 200)
    })
  )

  it.effect("attack: of many who use one link at once, one joins; afterwards it is worth nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const { path, user_id } = yield* invited(owner.key)
      const replies = yield* Effect.all(
        Array.from({ length: 4 }, () => joins(path)),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(replies.map(({ status }) => status).toSorted(), [303, 400, 400, 400])
      assert.strictEqual((yield* joins(path)).status, 403)
      const accepted = yield* sql`
        SELECT 1 FROM audit_log WHERE user_id = ${user_id} AND event = 'user.invitation_accepted'`
      assert.strictEqual(accepted.length, 1)
    })
  )

  it.effect("attack: a form of another site, without the token of the browser's session, joins nobody", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const knownPerson = yield* seedPerson()
      const { path, user_id } = yield* invited(owner.key, knownPerson.email)
      const b = browser()
      yield* b.signIn(knownPerson.email)
      yield* b.get(path)
      for (const csrf of ["", "x", "a".repeat(43)]) yield* b.post(path, { csrf })
      assert.strictEqual(yield* statusOf(user_id), "invited")
    })
  )

  it.effect("attack: a link that was replaced or withdrawn while its form was open is replayed in vain", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { owner } = yield* seedOrganization()
      const { path, user_id } = yield* invited(owner.key)
      const b = browser()
      const csrf = hiddenIn((yield* b.get(path)).text, "csrf")
      const second = yield* call("POST", `/v1/org/user/${user_id}/invitation`, { token: owner.key })
      assert.strictEqual((yield* b.post(path, { csrf, ...twice })).status, 400)
      const newer = new URL(second.json.invitation_url).pathname
      assert.strictEqual((yield* browser().get(newer)).status, 200)
      yield* call("DELETE", `/v1/org/user/${user_id}/invitation`, { token: owner.key })
      for (const oldPath of [path, newer]) assert.strictEqual((yield* b.post(oldPath, { csrf, ...twice })).status, 400)
      assert.strictEqual(yield* statusOf(user_id), "invited")
    })
  )

  it.effect(
    "attack: an admin who reads the link of their own invitation gets no password for somebody of another organization",
    () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const invitations = yield* Invitations
        const thief = yield* seedOrganization()
        const victim = yield* seedOrganization("Bank")
        const ownInvitation = yield* invited(victim.owner.key)
        const stolen = yield* invited(thief.owner.key, ownInvitation.email)
        const { text } = yield* browser().get(stolen.path)
        assert.notInclude(text, 'name="password"')
        assert.include(text, "Ask the people who run this service for a link to set one")
        const b = browser()
        const csrf = hiddenIn((yield* b.get("/sign-in")).text, "csrf")
        assert.strictEqual((yield* b.post(stolen.path, { csrf, ...twice })).status, 400)
        // Nor for who was added there by the operator, and would join with the first sign-in.
        const added = yield* invited(victim.owner.key, newEmail(), { skip_invitation: false })
        const other = yield* seedOrganization()
        const firstUser = yield* organizations.addUser(other.orgId, added.email, "admin")
        assert.strictEqual((yield* joins(added.path)).status, 403)
        // Whoever runs the service vouches for whom they give a link.
        const { invitation_url } = yield* invitations.sendByOperator(added.user_id)
        assert.strictEqual((yield* joins(new URL(invitation_url!).pathname)).status, 303)
        assert.deepStrictEqual(
          [yield* statusOf(added.user_id), yield* statusOf(firstUser.user_id), yield* statusOf(ownInvitation.user_id)],
          ["active", "invited", "invited"]
        )
      })
  )

  it.effect("attack: a password that was set by one organization's link accepts no other one's invitation", () =>
    Effect.gen(function* () {
      const thief = yield* seedOrganization()
      const victim = yield* seedOrganization("Bank")
      const { email, path } = yield* invited(thief.owner.key)
      assert.strictEqual((yield* joins(path)).status, 303)
      const ownInvitation = yield* invited(victim.owner.key, email)
      const b = browser()
      assert.strictEqual((yield* b.signIn(email, OWN)).path, "/")
      assert.notInclude((yield* b.get("/")).text, "Bank")
      assert.strictEqual(yield* statusOf(ownInvitation.user_id), "invited")
    })
  )
})
