// decisions O11, O12: the account pages and the choice of the organization.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { signedIn } from "../../support/oauth.ts"
import { browser } from "./support.ts"

const status = Effect.fnUntraced(function* (token: string) {
  const app = yield* App
  return (yield* app.call("GET", "/v1/user", { token })).status
})

layer(appLayer(), { excludeTestServices: true })("the account pages", (it) => {
  it.effect("no page opens without a sign-in, in a frame, with a script, or to a cache", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const b = browser(yield* signedIn(owner.personId))
      const paths = ["/organization", "/organization/apps", "/organization/audit"]
      for (const path of paths) {
        const closed = yield* browser().get(path)
        assert.strictEqual(closed.status, 303, path)
        assert.strictEqual(closed.headers.get("location"), `/sign-in?next=${encodeURIComponent(path)}`)
        const page = yield* b.get(path)
        assert.strictEqual(page.status, 200, path)
        const policy = page.headers.get("content-security-policy") ?? ""
        assert.match(
          policy,
          /^default-src 'none'; style-src 'nonce-[^']+'; img-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/
        )
        assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.notMatch(page.text, /<script| style=| on\w+=/)
        assert.strictEqual(
          (yield* b.post(path, { csrf: "x" })).status,
          path === "/organization/audit" ? 405 : 403,
          path
        )
      }
    })
  )

  it.effect("the console has pages of the account: their former addresses lead there, after the sign-in", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const b = browser(yield* signedIn(owner.personId))
      for (const [path, target] of [
        ["/account/connections", "/console/account/apps"],
        ["/account/tokens", "/console/account/tokens"],
        ["/account/api-key", "/console/account/tokens"],
        ["/account/password", "/console/account/sign-in"],
        ["/account/factors", "/console/account/sign-in"]
      ] as const) {
        const closed = yield* browser().get(path)
        assert.deepStrictEqual(
          [closed.status, closed.headers.get("location")],
          [303, `/sign-in?next=${encodeURIComponent(path)}`]
        )
        const opened = yield* b.get(path)
        assert.deepStrictEqual([opened.status, opened.headers.get("location")], [303, target])
        assert.strictEqual(opened.headers.get("cache-control"), "no-store")
        assert.strictEqual(
          (yield* b.post(path, { csrf: "x" })).status,
          /password$|factors$/.test(path) ? 403 : 405,
          path
        )
      }
    })
  )

  it.effect("the start page says who is signed in and links to everything; the stylesheet may be kept for good", () =>
    Effect.gen(function* () {
      const { owner, orgId } = yield* seedOrganization("Harbor Works")
      const member = yield* seedUser(orgId, "member")
      const anonymous = yield* browser().get("/")
      for (const to of ["/sign-in", "/docs"]) assert.include(anonymous.text, `href="${to}"`)
      const start = yield* browser(yield* signedIn(owner.personId)).get("/")
      for (const to of [
        "/account/connections",
        "/account/tokens",
        "/account/api-key",
        "/account/password",
        "/organization/apps",
        "/organization/audit",
        "/docs",
        "/openapi.json"
      ])
        assert.include(start.text, `href="${to}"`)
      assert.include(start.text, "Harbor Works")
      const memberPage = yield* browser(yield* signedIn(member.personId)).get("/")
      assert.notInclude(memberPage.text, "/organization/apps")
      const css = /rel="stylesheet" href="([^"]+)"/.exec(start.text)![1]!
      const sheet = yield* browser().get(css)
      assert.match(sheet.headers.get("content-type")!, /^text\/css/)
      assert.include(sheet.headers.get("cache-control")!, "immutable")
      const fontPaths = [...sheet.text.matchAll(/url\("([^"]+)"\)/g)].map(([, path]) => path!)
      assert.strictEqual(fontPaths.length, 2)
      for (const path of fontPaths) {
        const font = yield* browser().get(path)
        assert.deepStrictEqual([font.status, font.headers.get("content-type")], [200, "font/woff2"])
      }
    })
  )

  it.effect("O12: who is a user of two organizations chooses one; a form acts for the one it was shown for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization("First")
      const second = yield* seedOrganization("Second")
      const stranger = yield* seedOrganization("Third")
      const [row] = yield* sql<{ user_id: number }>`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${second.orgId}, ${owner.personId}, 'Same', 'member', 'active', now()) RETURNING user_id`
      const member = row!.user_id
      const b = browser(yield* signedIn(owner.personId))
      const redirect = yield* b.get("/account/api-key")
      assert.strictEqual(redirect.headers.get("location"), "/organization?next=%2Faccount%2Fapi-key")
      const choice = "/organization?next=%2Faccount%2Fapi-key"
      assert.strictEqual((yield* b.submit(choice, { user_id: String(stranger.owner.userId) })).status, 403)
      const choicePage = yield* b.submit(choice, { user_id: String(owner.userId), next: "/account/api-key" })
      assert.strictEqual(choicePage.path, "/account/api-key")
      assert.strictEqual(choicePage.headers.get("location"), "/console/account/tokens")
      assert.include((yield* b.get("/")).text, "in <strong><bdi>First</bdi></strong>")
      // Another tab chooses the second organization: the page of the first still rotates the first one's key.
      yield* b.submit("/organization", { user_id: String(member) })
      const rotate = (as: number) => b.ask("/console/account/credentials/rotate-key", { as })
      assert.strictEqual((yield* rotate(owner.userId)).status, 200)
      assert.strictEqual(yield* status(owner.key), 401)
      assert.strictEqual((yield* rotate(stranger.owner.userId)).status, 403)
      assert.strictEqual(yield* status(stranger.owner.key), 200)
      // A member of the second organization is no admin there.
      assert.strictEqual((yield* b.get("/organization/apps")).status, 403)
      yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${member}`
      assert.include((yield* b.get("/")).text, "in <strong><bdi>First</bdi></strong>")
    })
  )
})
