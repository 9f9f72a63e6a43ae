// decisions O15: the organization's app policy and its connections; the audit log for its admins.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization, seedUser } from "../support/app.ts"
import { connect, hiddenIn, registerClient, signedIn } from "../support/oauth.ts"
import { browser } from "./support.ts"

const alive = Effect.fnUntraced(function* (held: { readonly access_token: string }) {
  const app = yield* App
  return (yield* app.call("GET", "/v1/user", { token: held.access_token })).status === 200
})

const page = "/organization/apps"

const scene = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization("Harbor Works")
  const member = yield* seedUser(orgId, "member", "Joao")
  const clientId = yield* registerClient(undefined, { client_name: "Harbor Board" })
  const b = browser(yield* signedIn(owner.personId))
  return { orgId, owner, member, clientId, b }
})

layer(appLayer(), { excludeTestServices: true })("O15: the app policy page", (it) => {
  it.effect("O15: owners and admins only; members and guests are told so, their forms refused", () =>
    Effect.gen(function* () {
      const { orgId, clientId, b } = yield* scene
      const admin = yield* seedUser(orgId, "admin")
      assert.strictEqual((yield* browser(yield* signedIn(admin.personId)).get(page)).status, 200)
      for (const role of ["member", "guest"] as const) {
        const user = yield* seedUser(orgId, role)
        const m = browser(yield* signedIn(user.personId))
        for (const path of [page, "/organization/audit"]) assert.strictEqual((yield* m.get(path)).status, 403)
        const csrf = hiddenIn((yield* m.get("/account/connections")).text, "csrf")
        assert.strictEqual((yield* m.post(page, { csrf, action: "mode", mode: "approved" })).status, 403)
        assert.strictEqual(
          (yield* m.post(page, { csrf, action: "access", client_id: clientId, access: "blocked" })).status,
          403
        )
      }
      assert.match((yield* b.get(page)).text, /value="all" checked/)
    })
  )

  it.effect(
    "O15: only approved apps: new approvals are kept out, earlier connections go on; approving lets the app in",
    () =>
      Effect.gen(function* () {
        const { member, clientId, b } = yield* scene
        const held = yield* connect(member, clientId)
        assert.include((yield* b.submit(page, { action: "mode", mode: "approved" })).text, "Saved.")
        assert.isTrue(yield* alive(held))
        assert.isUndefined((yield* connect(member, clientId)).access_token)
        yield* b.submit(page, { action: "access", client_id: clientId, access: "everyone" })
        assert.isTrue(yield* alive(yield* connect(member, clientId)))
        assert.strictEqual((yield* b.submit(page, { action: "mode", mode: "none" })).status, 403)
      })
  )

  it.effect("O15: admins only and blocked end the connections of everyone they shut out; lifting revives nothing", () =>
    Effect.gen(function* () {
      const { owner, member, clientId, b } = yield* scene
      const own = yield* connect(owner, clientId)
      const theirs = yield* connect(member, clientId)
      const limited = yield* b.submit(page, { action: "access", client_id: clientId, access: "admins" })
      assert.include(limited.text, "1 connection ended.")
      assert.deepStrictEqual([yield* alive(own), yield* alive(theirs)], [true, false])
      yield* b.submit(page, { action: "access", client_id: clientId, access: "blocked" })
      assert.isFalse(yield* alive(own))
      yield* b.submit(page, { action: "access", client_id: clientId, access: "" })
      assert.deepStrictEqual([yield* alive(own), yield* alive(theirs)], [false, false])
      assert.isTrue(yield* alive(yield* connect(member, clientId)))
    })
  )

  it.effect("O15: blocked for a single user, and unblocked", () =>
    Effect.gen(function* () {
      const { owner, member, clientId, b } = yield* scene
      const [own, theirs] = [yield* connect(owner, clientId), yield* connect(member, clientId)]
      const blocked = yield* b.submit(page, { action: "block", client_id: clientId, user_id: String(member.userId) })
      assert.include(blocked.text, "Blocked for")
      assert.deepStrictEqual([yield* alive(own), yield* alive(theirs)], [true, false])
      const free = yield* b.submit(page, { action: "unblock", client_id: clientId, user_id: String(member.userId) })
      assert.notInclude(free.text, "Blocked for")
      assert.isFalse(yield* alive(theirs))
      assert.isTrue(yield* alive(yield* connect(member, clientId)))
    })
  )

  it.effect("O15: the organization's connections are listed and one is ended; another organization's cannot be", () =>
    Effect.gen(function* () {
      const { member, clientId, b } = yield* scene
      const held = yield* connect(member, clientId)
      const list = yield* b.get(page)
      assert.include(list.text, "Joao")
      const connection_id = hiddenIn(list.text, "connection_id")
      const other = yield* seedOrganization()
      const stranger = browser(yield* signedIn(other.owner.personId))
      assert.include((yield* stranger.submit(page, { action: "end", connection_id })).text, "had ended already")
      const block = { action: "block", client_id: clientId, user_id: String(member.userId) }
      yield* stranger.submit(page, block)
      assert.isTrue(yield* alive(held))
      assert.include((yield* b.submit(page, { action: "end", connection_id })).text, "The connection was ended.")
      assert.isFalse(yield* alive(held))
    })
  )

  it.effect(
    "O15: a rule may come before the app: an unknown client ID is said to be unknown, a document's URL is taken",
    () =>
      Effect.gen(function* () {
        const { b } = yield* scene
        const unknown = yield* b.submit(page, { action: "access", client_id: "svc_oc_none", access: "blocked" })
        assert.strictEqual(unknown.status, 400)
        assert.include(unknown.text, "There is no app with this client ID.")
        const url = "https://app.example/client.json"
        assert.include((yield* b.submit(page, { action: "access", client_id: url, access: "blocked" })).text, url)
      })
  )

  it.effect("the audit log shows the organization's own entries, newest first, page by page, and no credential", () =>
    Effect.gen(function* () {
      const { member, clientId, b } = yield* scene
      const held = yield* connect(member, clientId)
      yield* b.submit(page, { action: "access", client_id: clientId, access: "blocked" })
      const log = yield* b.get("/organization/audit")
      for (const event of ["authorize.approved", "connection.created", "app_policy.access_set", "connection.ended"])
        assert.include(log.text, event)
      assert.isBelow(log.text.indexOf("connection.ended"), log.text.indexOf("connection.created"))
      assert.include(log.text, "Joao")
      assert.include(log.text, "Harbor Board")
      assert.notInclude(log.text, held.access_token)
      const other = yield* seedOrganization()
      assert.include(
        (yield* browser(yield* signedIn(other.owner.personId)).get("/organization/audit")).text,
        "Nothing has been recorded yet."
      )
      for (let i = 0; i < 26; i++) {
        yield* b.submit(page, { action: "mode", mode: "approved" })
        yield* b.submit(page, { action: "mode", mode: "all" })
      }
      const first = yield* b.get("/organization/audit")
      const older = /href="(\/organization\/audit\?before=\d+)"/.exec(first.text)![1]!
      assert.include((yield* b.get(older)).text, "connection.created")
      assert.strictEqual((yield* b.get("/organization/audit?before=x")).status, 200)
    })
  )
})
