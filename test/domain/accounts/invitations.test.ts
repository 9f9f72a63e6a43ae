// developer-api.md 11.5: invitations over the API: sent, sent anew, withdrawn, mailed by a worker; what ends them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { CallerShape } from "../../../src/domain/accounts/Caller.ts"
import { Invitations } from "../../../src/domain/accounts/invitations/Invitations.ts"
import { invitationNotices } from "../../../src/domain/accounts/invitations/invitationMails.ts"
import { Mail } from "../../../src/platform/mail/Mail.ts"
import { type NoticeMail, tellNotices } from "../../../src/platform/mail/notices.ts"
import { hashToken } from "../../../src/platform/sealing/Secrets.ts"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"

let counter = 0
const freshEmail = () => `invited-${counter++}@example.net`

/** Invites an address; the answer. */
const invited = Effect.fnUntraced(function* (token: string, more: object = {}) {
  const { call } = yield* App
  return yield* call("POST", "/v1/org/user", {
    token,
    body: { name: "New Person", email: freshEmail(), role: "member", ...more }
  })
})
const invitationPath = (userId: number) => `/v1/org/user/${userId}/invitation`
const tokenIn = (url: string) => /\/invitation\/([\w-]{43})$/.exec(url)![1]!
const storedInvitations = (userId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ hash: string; status: string; row: string }>`
      SELECT encode(token_hash, 'hex') AS hash, status, i::text AS row FROM invitations i WHERE user_id = ${userId}`
  )
const hexOf = (token: string) => Buffer.from(hashToken(token)).toString("hex")

layer(appLayer(), { excludeTestServices: true })("11.5: without a mail server", (it) => {
  it.effect("the answer carries the link, whose token is kept as a hash; a second invitation voids the first", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { owner } = yield* seedOrganization()
      const firstInvitation = yield* invited(owner.key)
      assert.deepInclude(firstInvitation.json, { status: "invited", role: "member" })
      assert.strictEqual(firstInvitation.json.invitation.status, "shown")
      const token = tokenIn(firstInvitation.json.invitation_url)
      const { user_id } = firstInvitation.json
      const [row] = yield* storedInvitations(user_id)
      assert.strictEqual(row!.hash, hexOf(token))
      assert.notInclude(row!.row, token)
      const secondInvitation = yield* call("POST", invitationPath(user_id), { token: owner.key })
      assert.strictEqual(secondInvitation.status, 200, secondInvitation.text)
      assert.strictEqual(
        (yield* storedInvitations(user_id))[0]!.hash,
        hexOf(tokenIn(secondInvitation.json.invitation_url))
      )
      assert.notStrictEqual(tokenIn(secondInvitation.json.invitation_url), token)
      const { json } = yield* call("GET", "/v1/org/user", { token: owner.key })
      const listedUser = json.users.find((user: any) => user.user_id === user_id)
      assert.deepStrictEqual(listedUser.invitation, secondInvitation.json.invitation)
      assert.isUndefined(listedUser.invitation_url)
      assert.isNull(json.users.find((user: any) => user.user_id === owner.userId).invitation)
    })
  )

  it.effect(
    "DELETE withdraws: nothing is left to open, and there is nothing to withdraw again; one may be invited anew",
    () =>
      Effect.gen(function* () {
        const { call } = yield* App
        const { owner } = yield* seedOrganization()
        const { user_id } = (yield* invited(owner.key)).json
        const withdrawn = yield* call("DELETE", invitationPath(user_id), { token: owner.key })
        assert.deepInclude(withdrawn.json, { status: "invited" })
        assert.strictEqual(withdrawn.json.invitation.status, "withdrawn")
        assert.isNull((yield* storedInvitations(user_id))[0]!.hash)
        assert.strictEqual(
          (yield* call("DELETE", invitationPath(user_id), { token: owner.key })).json.error_code,
          "conflict_error"
        )
        assert.isString((yield* call("POST", invitationPath(user_id), { token: owner.key })).json.invitation_url)
      })
  )

  it.effect("only owners and admins send and withdraw them, admins none of an owner, nobody those of others", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const admin = yield* seedUser(orgId, "admin")
      const member = yield* seedUser(orgId, "member")
      const other = yield* seedOrganization()
      const { user_id } = (yield* invited(owner.key)).json
      for (const method of ["POST", "DELETE"]) {
        assert.strictEqual((yield* call(method, invitationPath(user_id), { token: member.key })).status, 403)
        assert.strictEqual((yield* call(method, invitationPath(user_id), { token: other.owner.key })).status, 404)
        assert.strictEqual((yield* call(method, invitationPath(owner.userId), { token: admin.key })).status, 403)
        assert.strictEqual((yield* call(method, invitationPath(owner.userId), { token: owner.key })).status, 409)
      }
      yield* sql`UPDATE users SET role = 'owner' WHERE user_id = ${user_id}`
      assert.strictEqual((yield* call("POST", invitationPath(user_id), { token: admin.key })).status, 403)
      const without = yield* seedToken(owner.userId, ["organization:read"])
      assert.strictEqual((yield* call("POST", invitationPath(user_id), { token: without })).status, 403)
    })
  )

  it.effect("who has a sign-in is invited as well; skip_invitation adds them at once, and others without a link", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const [known, unknown] = [freshEmail(), freshEmail()]
      yield* sql`INSERT INTO people (email, name, password_hash, created_on) VALUES (${known}, 'K', 'x', now())`
      const invitation = yield* invited(owner.key, { email: known.toUpperCase() })
      assert.deepInclude(invitation.json, { status: "invited", email: known })
      const other = yield* seedOrganization()
      const skipped = yield* invited(other.owner.key, { email: known, skip_invitation: true })
      assert.deepInclude(skipped.json, { status: "active", invitation: null })
      const later = yield* invited(owner.key, { email: unknown, skip_invitation: true })
      assert.deepInclude(later.json, { status: "invited", invitation: null })
      assert.isUndefined(later.json.invitation_url)
    })
  )

  it.effect("workspaces that it gives are joined with it: all or nothing, by who may give them", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const admin = yield* seedUser(orgId, "admin")
      const creation = yield* call("POST", "/v1/workspace", {
        token: owner.key,
        body: { name: "Docks", type: "private" }
      })
      const { workspace_id } = creation.json
      const workspaces = [{ workspace_id, role: "member" }]
      const { user_id } = (yield* invited(owner.key, { workspaces })).json
      const members = yield* call("GET", `/v1/workspace/${workspace_id}/member`, { token: owner.key })
      assert.deepInclude(members.json.workspace_members, { workspace_id, user_id, role: "member" })
      const usersBefore = yield* sql`SELECT 1 FROM users WHERE org_id = ${orgId}`
      const guest = yield* invited(owner.key, { role: "guest", workspaces })
      assert.strictEqual(guest.status, 400)
      assert.match(guest.json.error_message, /workspaces\[0\]\.role/)
      const adminAnswer = yield* invited(admin.key, { workspaces })
      assert.strictEqual(adminAnswer.status, 400)
      assert.match(adminAnswer.json.error_message, /workspaces\[0\]\.workspace_id/)
      const token = yield* seedToken(owner.userId, ["organization.members:manage"])
      assert.strictEqual((yield* invited(token, { workspaces })).status, 403)
      assert.strictEqual((yield* sql`SELECT 1 FROM users WHERE org_id = ${orgId}`).length, usersBefore.length)
    })
  )

  it.effect("it goes with a deactivation, with the removal, and with its organization's users", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { owner } = yield* seedOrganization()
      const userId = (yield* invited(owner.key)).json.user_id
      const body = { status: "deactivated" }
      const answer = yield* call("PUT", `/v1/org/user/${userId}`, { token: owner.key, body })
      assert.deepInclude(answer.json, { status: "deactivated", invitation: null })
      assert.deepStrictEqual(yield* storedInvitations(userId), [])
      assert.strictEqual((yield* call("POST", invitationPath(userId), { token: owner.key })).status, 409)
      const two = (yield* invited(owner.key)).json.user_id
      yield* call("DELETE", `/v1/org/user/${two}`, { token: owner.key })
      assert.deepStrictEqual(yield* storedInvitations(two), [])
    })
  )

  it.effect(
    "an automation invites with its owner's rights, and is not told the link, which would stand in its log",
    () =>
      Effect.gen(function* () {
        const invitations = yield* Invitations
        const { orgId, owner } = yield* seedOrganization()
        const { user_id } = (yield* invited(owner.key)).json
        const by: Omit<CallerShape, "credential"> = {
          userId: owner.userId,
          orgId,
          personId: owner.personId,
          role: "owner",
          author: { type: "user", user_id: owner.userId },
          scopes: "all",
          selection: "all"
        }
        const credential = { id: 1, clientId: null, expiresOn: null }
        const sessionAnswer = yield* invitations.send(
          { ...by, credential: { ...credential, type: "session" } },
          user_id
        )
        assert.isString(sessionAnswer.invitation_url)
        const automationAnswer = yield* invitations.send(
          { ...by, credential: { ...credential, type: "automation" } },
          user_id
        )
        assert.deepStrictEqual(
          [automationAnswer.invitation?.status, automationAnswer.invitation_url],
          ["shown", undefined]
        )
      })
  )

  it.effect("what is sent, sent anew and withdrawn stands in the audit log, by whom, without the link", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const { invitation_url, user_id } = (yield* invited(owner.key)).json
      yield* call("POST", invitationPath(user_id), { token: owner.key })
      yield* call("DELETE", invitationPath(user_id), { token: owner.key })
      const rows = yield* sql<{ event: string; user_id: number; admin: number; all: string }>`
        SELECT event, user_id::int, (details->>'admin')::int AS admin, a::text AS all FROM audit_log a
        WHERE org_id = ${orgId} AND starts_with(event, 'user.invitation') ORDER BY audit_id`
      assert.deepStrictEqual(
        rows.map((row) => [row.event, row.user_id, row.admin]),
        ["sent", "resent", "withdrawn"].map((what) => [`user.invitation_${what}`, user_id, owner.userId])
      )
      assert.notInclude(JSON.stringify(rows), tokenIn(invitation_url))
    })
  )
})

layer(appLayer({ SMTP_URL: "smtp://127.0.0.1:1" }), { excludeTestServices: true })("11.5: with a mail server", (it) => {
  const round = (send: (mail: NoticeMail) => Effect.Effect<unknown, { readonly message: string }>) =>
    Effect.flatMap(invitationNotices, (kind) => tellNotices(kind, send))
  const linkIn = ({ text }: NoticeMail) => tokenIn(/http\S+/.exec(text.split("\n\n")[1]!.split("\n")[1]!)![0])

  it.effect("it waits in the database until a round mails it, by the installation's server, without an open link", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization("Harbor Works")
      const { json } = yield* invited(owner.key)
      assert.strictEqual(json.invitation.status, "queued")
      assert.isUndefined(json.invitation_url)
      assert.isNull((yield* storedInvitations(json.user_id))[0]!.hash)
      const mails: Array<NoticeMail> = []
      yield* round((mail) => Effect.sync(() => mails.push(mail)))
      const invitationMails = mails.filter(({ to }) => to[0] === json.email)
      assert.strictEqual(invitationMails.length, 1)
      assert.deepInclude(invitationMails[0], { orgId: null, subject: "Invitation to Harbor Works" })
      assert.include(invitationMails[0]!.text, "as a member")
      const [row] = yield* storedInvitations(json.user_id)
      assert.deepInclude(row, { status: "sent", hash: hexOf(linkIn(invitationMails[0]!)) })
      yield* round((mail) => Effect.sync(() => mails.push(mail)))
      assert.strictEqual(mails.filter(({ to }) => to[0] === json.email).length, 1)
    })
  )

  it.effect("a mail server that is away loses nothing; each try has a link of its own, and the last one works", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const { json } = yield* invited(owner.key)
      const tried: Array<NoticeMail> = []
      yield* round((mail) =>
        Effect.andThen(
          Effect.sync(() => tried.push(mail)),
          Effect.fail({ message: "away" })
        )
      )
      assert.strictEqual((yield* storedInvitations(json.user_id))[0]!.status, "queued")
      yield* round((mail) => Effect.sync(() => tried.push(mail)))
      const invitationMails = tried.filter(({ to }) => to[0] === json.email)
      assert.strictEqual(new Set(invitationMails.map(({ messageId }) => messageId)).size, 2)
      assert.deepInclude((yield* storedInvitations(json.user_id))[0], {
        status: "sent",
        hash: hexOf(linkIn(invitationMails[1]!))
      })
    })
  )

  it.effect("what is withdrawn, expired, or sent by somebody who may no longer invite, is not mailed", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const admin = yield* seedUser(orgId, "admin")
      const withdrawn = (yield* invited(owner.key)).json
      const expired = (yield* invited(owner.key)).json
      const dismissed = (yield* invited(admin.key)).json
      yield* call("DELETE", invitationPath(withdrawn.user_id), { token: owner.key })
      yield* sql`UPDATE invitations SET expires_on = now() - interval '100 years' WHERE user_id = ${expired.user_id}`
      yield* call("PUT", `/v1/org/user/${admin.userId}`, { token: owner.key, body: { role: "member" } })
      const recipients: Array<string> = []
      yield* round((mail) => Effect.sync(() => recipients.push(mail.to[0]!)))
      for (const { email } of [withdrawn, expired, dismissed]) assert.notInclude(recipients, email)
      assert.strictEqual((yield* storedInvitations(dismissed.user_id))[0]!.status, "failed")
    })
  )

  it.effect("an address that the mail server takes never is told as failed, and no link is left in its row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mail = yield* Mail
      const { owner } = yield* seedOrganization()
      const { json } = yield* invited(owner.key)
      const tokens: Array<string> = []
      yield* round((notice) =>
        Effect.andThen(
          Effect.sync(() => tokens.push(linkIn(notice))),
          Effect.andThen(notice.refused!, Effect.ignore(mail.send({ ...notice, system: true })))
        ).pipe(Effect.orDie)
      )
      assert.strictEqual((yield* storedInvitations(json.user_id))[0]!.status, "failed")
      const mails = yield* sql`SELECT m::text AS all FROM mails m WHERE ${json.email} = ANY(recipients)`
      assert.strictEqual(mails.length, 1)
      for (const token of tokens) assert.notInclude(JSON.stringify(mails), token)
    })
  )

  it.effect("an address is mailed five times an hour and no more", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const { owner } = yield* seedOrganization()
      const { user_id } = (yield* invited(owner.key)).json
      for (let i = 0; i < 4; i++)
        assert.strictEqual((yield* call("POST", invitationPath(user_id), { token: owner.key })).status, 200)
      const limitedAnswer = yield* call("POST", invitationPath(user_id), { token: owner.key })
      assert.deepStrictEqual([limitedAnswer.status, limitedAnswer.headers.get("retry-after")], [429, "3600"])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* call("POST", invitationPath(user_id), { token: owner.key })).status, 200)
    }).pipe(Effect.provide(TestClock.layer()))
  )
})
