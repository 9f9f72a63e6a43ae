// docs/console.md, the account in real Chromium (developer-api.md 1.7; service.md 3.2; decisions O12, O15): tokens and the API key, connected apps,
// sessions, the organization; each page as axe, three sizes and both themes see it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { EMAIL, PASSWORD, Scene } from "../pages/chromium.ts"
import { codeAt } from "../pages/secondSteps.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, led, typeInto, until } from "../pages/waiting.ts"
import { seedConnections } from "./connectionSeeds.ts"
import { callerOfScene } from "./consoleSeeds.ts"
import {
  complaintsOf,
  fill,
  gone,
  judged,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows,
  signInTo
} from "./consoleTab.ts"

/** Status with which the API answers the credential. */
const statusOf = Effect.fnUntraced(function* (token: string) {
  const { service } = yield* Scene
  return yield* promise(() =>
    fetch(`${service.origin}/v1/user`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)
  )
})

layer(SharedScene, { excludeTestServices: true })("the account", (it) => {
  it.effect("a token is created, shown once and copied, renamed, and revoked after a question", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/account/tokens`, "Harbor Works")
      yield* opened(page, "Access tokens")
      yield* promise(() =>
        page.evaluate(
          `navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve() }`
        )
      )
      yield* fill(page, "Name", "Nightly import")
      yield* press(page, "See your apps, their fields and views apps:read", "checkbox")
      yield* press(page, "Create token")
      yield* shows(page, "This is your new token.")
      yield* press(page, "Copy")
      yield* shows(page, "Copied")
      const secret = String(yield* promise(() => page.evaluate("document.querySelector('.once .secret').textContent")))
      assert.match(secret, /^svc_pat_/)
      assert.strictEqual(yield* promise(() => page.evaluate("copied")), secret)
      assert.strictEqual(yield* statusOf(secret), 200)
      yield* judgedInAllSizes(page, "account-new-token")
      yield* promise(() => page.reload())
      yield* opened(page, "Access tokens")
      assert.notInclude(yield* promise(() => page.content()), secret)
      yield* press(page, "Rename Nightly import")
      yield* fill(page, "Name", "Weekly import", "textbox")
      yield* press(page, "Rename")
      yield* gone(page, "dialog")
      yield* press(page, "Revoke Weekly import")
      yield* shows(page, "It stops working with the next request")
      assert.strictEqual(yield* statusOf(secret), 200)
      yield* press(page, "Revoke token")
      yield* shows(page, "Revoked")
      assert.strictEqual(yield* statusOf(secret), 401)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("the API key is created, shown once, and rotated after a question", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/account`, "Harbor Works")
      yield* opened(page, "Your account")
      yield* shows(page, "owner@harbor.example")
      yield* judgedInAllSizes(page, "account")
      yield* press(page, "Access tokens", "link")
      yield* opened(page, "Access tokens")
      yield* press(page, "Create API key")
      yield* shows(page, "This is your new API key.")
      const key = String(yield* promise(() => page.evaluate("document.querySelector('.once .secret').textContent")))
      assert.match(key, /^user_key_/)
      assert.strictEqual(yield* statusOf(key), 200)
      yield* press(page, "Rotate API key")
      yield* shows(page, "The present key stops working at once")
      yield* press(page, "Rotate key")
      const next = yield* promise(() =>
        until(
          page,
          (former) => {
            const secretText = (globalThis as any).document.querySelector(".once .secret")?.textContent
            return secretText === former ? undefined : secretText
          },
          key
        )
      )
      assert.strictEqual(yield* statusOf(key), 401)
      assert.strictEqual(yield* statusOf(String(next)), 200)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a password is changed, and an authenticator app set up, with its recovery codes, and removed when confirmed",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const sql = yield* SqlClient.SqlClient
        const [former] = yield* sql<{ password_hash: string }>`SELECT password_hash FROM people WHERE email = ${EMAIL}`
        const restored = sql`UPDATE people SET password_hash = ${former!.password_hash} WHERE email = ${EMAIL}`
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        yield* signInTo(tab, `${service.origin}/account/password`, "Harbor Works")
        yield* opened(page, "Sign-in methods")
        yield* fill(page, "Current password", "not this one")
        yield* fill(page, "New password", "nine dry otters")
        yield* fill(page, "New password again", "nine dry otter")
        yield* shows(page, "The two new passwords are not the same.")
        yield* fill(page, "New password again", "nine dry otters")
        yield* press(page, "Change password")
        yield* shows(page, "The current password is wrong.")
        yield* fill(page, "Current password", PASSWORD)
        yield* press(page, "Change password")
        yield* shows(page, "The password is changed.")
        yield* judgedInAllSizes(page, "account-sign-in")

        yield* press(page, "Set up an app")
        yield* shows(page, "1. Scan this with the app")
        yield* judgedInAllSizes(page, "account-app")
        const text = String(
          yield* promise(() => page.evaluate("document.querySelector('dialog details .secret').textContent"))
        )
        const secret = text.replaceAll(" ", "")
        yield* fill(page, "Code", "000000")
        yield* press(page, "Turn on")
        yield* shows(page, "This is not the code that the app shows now.")
        yield* fill(page, "Code", codeAt(secret, Date.now()))
        yield* press(page, "Turn on")
        yield* shows(page, "Your recovery codes")
        const codes = yield* promise(() => page.evaluate("document.querySelectorAll('.codes code').length"))
        assert.strictEqual(codes, 10)
        yield* judgedInAllSizes(page, "account-codes")
        yield* promise(() => page.reload())
        yield* shows(page, "10 left.")
        yield* gone(page, ".codes")
        // Adding is for who has signed in just now; removing asks for the password again, on a page of the sign-in that leads back.
        yield* gone(page, `[aria-label="Remove Authenticator app"]`)
        yield* promise(() => led(page, () => clicked(page, 'a[href^="/account/confirm"]')))
        yield* promise(() => typeInto(page, "#password", "nine dry otters"))
        yield* promise(() => led(page, () => clicked(page, "main button")))
        yield* opened(page, "Sign-in methods")
        yield* press(page, "Make new codes")
        yield* shows(page, "The present ones stop working at once.")
        yield* press(page, "Make new codes")
        yield* shows(page, "Your recovery codes")
        yield* press(page, "Remove Authenticator app")
        yield* shows(page, "It no longer signs you in.")
        yield* press(page, "Remove it")
        yield* shows(page, "It is off: your password alone signs you in.")
        yield* restored
        const complaints = complaintsOf(tab).filter((one) => !/status of 400/.test(one))
        assert.deepStrictEqual(complaints, [])
      }).pipe(Effect.scoped)
  )

  it.effect("a person switches to another of their organizations, and signs out", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/account`, "Harbor Works")
      yield* opened(page, "Your account")
      yield* promise(() => led(page, () => clicked(page, `button[aria-label="Switch to Lighthouse"]`)))
      yield* promise(() => until(page, `document.querySelector(".self-org strong")?.textContent === "Lighthouse"`))
      yield* promise(() => page.goto(`${service.origin}/console/account`))
      yield* opened(page, "Your account")
      yield* shows(page, "You are guest")
      yield* promise(() => led(page, () => clicked(page, "main form button")))
      assert.strictEqual(new URL(page.url()).pathname, "/sign-in")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a person sees where they are signed in, and signs out there", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const other = yield* openConsoleTab(browser)
      yield* signInTo(other, `${service.origin}/console`, "Harbor Works")
      yield* opened(other.page, "Home")
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/account/sessions`
      yield* signInTo(tab, address, "Harbor Works")
      yield* opened(page, "Sessions")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address, heading: "Sessions", name: "account-sessions", cookies })
      yield* press(page, "Sign out everywhere else")
      yield* press(page, "Sign out")
      yield* gone(page, ".person + .person")
      yield* promise(() => other.page.goto(`${service.origin}/console/apps`))
      yield* promise(() => until(other.page, `location.href.includes("/sign-in?")`))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a person disconnects an app of their own", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      // The key of the scene's person was made by hand: the caller makes its own.
      yield* sql`DELETE FROM api_credentials WHERE kind = 'user_api_key'`
      const call = yield* callerOfScene
      yield* seedConnections("gauge", "Rain gauge", 2)
      const tab = yield* openConsoleTab(browser)
      const address = `${service.origin}/console/account/apps`
      yield* signInTo(tab, address, "Harbor Works")
      yield* opened(tab.page, "Connected apps")
      const cookies = yield* promise(() => tab.page.browserContext().cookies())
      yield* judged(browser, { address, heading: "Connected apps", name: "account-apps", cookies })
      yield* press(tab.page, "Disconnect Rain gauge from Harbor Works")
      yield* shows(tab.page, "Disconnect Rain gauge?")
      yield* judgedInAllSizes(tab.page, "disconnect")
      assert.strictEqual((yield* call("GET", "/connection/org?client_id=gauge")).total, 2)
      yield* press(tab.page, "Disconnect")
      yield* shows(tab.page, "No app acts for you")
      assert.strictEqual((yield* call("GET", "/connection/org?client_id=gauge")).total, 1)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
