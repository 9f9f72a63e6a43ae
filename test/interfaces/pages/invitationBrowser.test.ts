// developer-api.md 11.5 and docs/console.md, in a real Chromium: invited in the console, joined by the link on a page without scripts; the page
// as axe, a phone and both themes see it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { callerOfScene } from "../console/consoleSeeds.ts"
import {
  complaintsOf,
  gone,
  judged,
  openConsoleTab,
  opened,
  press,
  promise,
  shows,
  signInTo
} from "../console/consoleTab.ts"
import { counting } from "../console/tasks/clicks.ts"
import { EMAIL, openTab, PASSWORD, Scene } from "./chromium.ts"
import { SharedScene } from "./sharedScene.ts"
import { clicked, found, led, typeInto, until } from "./waiting.ts"

const OWN = "nine dry otters"

layer(SharedScene, { excludeTestServices: true })("invitations in a browser", (it) => {
  it.effect(
    "a person is invited in the console, and joins by the link with a password of their own, in 4 and 3 clicks",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const sql = yield* SqlClient.SqlClient
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        yield* signInTo(tab, `${service.origin}/console/admin/members`, "Harbor Works")
        yield* opened(page, "Members")
        const inviter = counting(page)
        yield* inviter.press("Invite a person")
        yield* inviter.fill("Name", "Mira Okafor")
        yield* inviter.fill("Email", "mira@harbor.example")
        yield* inviter.press("Send invitation")
        yield* shows(page, "This service sends no mail.")
        assert.strictEqual(inviter.clicks(), 4)
        const readLink = promise(async () => {
          const element = await found(page, "dialog .secret")
          return await element.evaluate((one: any) => one.textContent as string)
        })
        const firstLink = yield* readLink
        yield* press(page, "Close")
        yield* gone(page, "dialog")
        yield* press(page, "Resend invitation of Mira Okafor")
        yield* shows(page, "This service sends no mail.")
        const link = yield* readLink
        assert.notStrictEqual(link, firstLink)
        yield* press(page, "Close")
        yield* judged(browser, { address: link, heading: "Join Harbor Works", name: "invitation", cookies: [] })

        const ownTab = yield* openTab(browser)
        const dead = yield* promise(() => ownTab.page.goto(firstLink))
        assert.strictEqual(dead!.status(), 400)
        yield* promise(() => ownTab.page.goto(link))
        assert.deepStrictEqual(
          ownTab.complaints.filter((one) => !/status of 400/.test(one)),
          []
        )
        const guest = counting(ownTab.page)
        for (const field of ["#password", "#repeated"]) {
          yield* guest.byMouse(promise(() => clicked(ownTab.page, field)))
          yield* guest.type(OWN)
        }
        yield* guest.byMouse(promise(() => led(ownTab.page, () => clicked(ownTab.page, "main button"))))
        assert.strictEqual(guest.clicks(), 3)
        assert.strictEqual(new URL(ownTab.page.url()).pathname, "/console")
        const [row] = yield* sql<{ status: string }>`
        SELECT u.status FROM users u JOIN people p USING (person_id) WHERE p.email = 'mira@harbor.example'`
        assert.strictEqual(row!.status, "active")
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )

  it.effect("an invitation is withdrawn in the console, and the list says so", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const body = { name: "Ada Pier", email: "ada@pier.example", role: "guest" }
      const { invitation_url } = yield* call("POST", "/org/user", body)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/admin/members`, "Harbor Works")
      yield* opened(page, "Members")
      yield* shows(page, "Invited")
      yield* press(page, "Withdraw invitation of Ada Pier")
      yield* shows(page, "Its link no longer works.")
      yield* press(page, "Withdraw invitation")
      yield* shows(page, "Invitation withdrawn")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, {
        address: `${service.origin}/console/admin/members`,
        heading: "Members",
        name: "members-invited",
        cookies
      })
      assert.strictEqual(yield* promise(async () => (await fetch(invitation_url)).status), 400)
    }).pipe(Effect.scoped)
  )

  it.effect("who has a sign-in here is led through it, back to the invitation, and accepts by one press", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      const key = randomToken("user_key_")
      yield* sql`
        WITH o AS (INSERT INTO organizations (name, slug, created_on) VALUES ('Quay', 'quay', now()) RETURNING org_id),
          p AS (INSERT INTO people (email, name, created_on) VALUES ('keeper@quay.example', 'Keeper', now()) RETURNING person_id),
          u AS (
            INSERT INTO users (org_id, person_id, name, role, status, created_on)
            SELECT org_id, person_id, 'Keeper', 'owner', 'active', now() FROM o, p RETURNING user_id)
        INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
        SELECT user_id, 'user_api_key', ${hashToken(key)}, '', now() FROM u`
      const { invitation_url, user_id } = yield* promise(async () => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
        const body = JSON.stringify({ name: "Harbor Owner", email: EMAIL, role: "admin" })
        const response = await fetch(`${service.origin}/v1/org/user`, { method: "POST", headers, body })
        return (await response.json()) as { invitation_url: string; user_id: number }
      })
      const { page } = yield* openTab(browser)
      yield* promise(() => page.goto(invitation_url))
      yield* promise(() => led(page, () => clicked(page, "main .button")))
      yield* promise(async () => {
        await typeInto(page, "#email", EMAIL)
        await typeInto(page, "#password", PASSWORD)
        await led(page, () => clicked(page, "main button"))
      })
      assert.strictEqual(page.url(), invitation_url)
      yield* promise(() => until(page, "document.querySelector('h1').textContent === 'Join Quay'"))
      yield* promise(() => led(page, () => clicked(page, "main button")))
      assert.strictEqual(new URL(page.url()).pathname, "/console")
      const [row] = yield* sql<{ status: string }>`SELECT status FROM users WHERE user_id = ${user_id}`
      assert.strictEqual(row!.status, "active")
    }).pipe(Effect.scoped)
  )
})
