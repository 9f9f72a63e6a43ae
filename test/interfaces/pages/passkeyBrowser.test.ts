// decisions, "The second step": in a real Chromium with its own authenticator; an app by hand; what the pages look like on a phone and a desktop.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "puppeteer-core"
import { freePort } from "../../../bin/parts/os.js"
import { complaintsOf, judged, openConsoleTab, opened, shows, signInTo } from "../console/consoleTab.ts"
import { EMAIL, PASSWORD, Scene, sceneWith } from "./chromium.ts"
import { codeAt } from "./secondSteps.ts"
import { clicked, led, typeInto, until } from "./waiting.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

class Address extends Context.Service<Address, string>()("test/Address") {}

// Passkeys are of a name, so the service is reached by one.
const SceneByName = Layer.unwrap(
  Effect.map(promise(freePort), (port) =>
    sceneWith({ PORT: String(port), BASE_URL: `http://localhost:${port}` }).pipe(
      Layer.provideMerge(Layer.succeed(Address, `http://localhost:${port}`))
    )
  )
)

const pages = [
  ["/account/factors?next=/", "Two-step sign-in"],
  ["/account/factors/app", "Set up an authenticator app"],
  ["/account/confirm", "Confirm that it is you"]
] as const

const press = (page: Page, text: string) =>
  clicked(page, `::-p-xpath(//main//*[self::button or self::a or self::summary][normalize-space()="${text}"])`)
const pressed = (page: Page, text: string) => promise(() => press(page, text))
const pressAndFollow = (page: Page, text: string) => promise(() => led(page, () => press(page, text)))
const typed = (page: Page, selector: string, text: string) =>
  promise(async () => {
    await page.$eval(selector, (input: any) => {
      input.value = ""
    })
    await typeInto(page, selector, text)
  })
const textOf = (page: Page, selector: string) =>
  promise(() => page.$eval(selector, (one: any) => one.textContent as string))
const toSignIn = (page: Page, origin: string) =>
  Effect.gen(function* () {
    yield* promise(() => page.goto(`${origin}/sign-in?next=%2Faccount%2Ffactors%3Fnext%3D%2F`))
    yield* typed(page, "#email", EMAIL)
    yield* typed(page, "#password", PASSWORD)
    yield* pressAndFollow(page, "Sign in")
  })

/** Gives the page's browser an authenticator of its own. */
const withAuthenticator = (page: Page) =>
  promise(async () => {
    const cdp = await page.createCDPSession()
    await cdp.send("WebAuthn.enable")
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true
      }
    })
    return { authenticatorId, cdp }
  })

layer(SceneByName, { excludeTestServices: true })("passkeys in a browser", (it) => {
  it.effect("one is made in the console, and removed there by who confirmed that it is them", () =>
    Effect.gen(function* () {
      const origin = yield* Address
      const { browser } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* withAuthenticator(page)
      yield* signInTo(tab, `${origin}/console/account/sign-in`, "Harbor Works")
      yield* opened(page, "Sign-in methods")
      yield* pressed(page, "Add a passkey")
      yield* typed(page, "dialog input", "Phone of the pier")
      yield* promise(() => clicked(page, "dialog form button"))
      yield* shows(page, "Your recovery codes")
      assert.lengthOf(yield* promise(() => page.$$(".codes li")), 10)
      yield* shows(page, "Phone of the pier")
      // Signing in asks for it now; removing it asks who it is.
      yield* pressAndFollow(page, "Confirm that it is you")
      yield* pressAndFollow(page, "Use your passkey")
      yield* opened(page, "Sign-in methods")
      yield* promise(() => clicked(page, '[aria-label="Remove Phone of the pier"]'))
      yield* promise(() => clicked(page, "dialog .danger"))
      yield* shows(page, "It is off: your password alone signs you in.")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("one is made, signs in, and is refused when it is a copy; an app's code is the other way in", () =>
    Effect.gen(function* () {
      const origin = yield* Address
      const { browser } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const { authenticatorId, cdp } = yield* withAuthenticator(page)
      const judgePage = (address: string, heading: string) =>
        Effect.flatMap(
          promise(() => page.cookies(origin)),
          (cookies) =>
            judged(browser, {
              address: `${origin}${address}`,
              heading,
              name: heading.replaceAll(" ", "-").toLowerCase(),
              cookies
            })
        )
      yield* toSignIn(page, origin)
      yield* typed(page, "#name", "My laptop")
      yield* pressAndFollow(page, "Add passkey")
      assert.strictEqual(yield* textOf(page, "h1"), "Recovery codes")
      assert.lengthOf(yield* promise(() => page.$$(".codes li")), 10)
      yield* pressAndFollow(page, "I have kept them")
      yield* promise(() => page.goto(`${origin}/account/factors?next=/`))

      yield* pressAndFollow(page, "Set up an app")
      yield* pressed(page, "Or type this secret in")
      const secret = (yield* textOf(page, ".secret")).replaceAll(" ", "")
      yield* typed(page, "#code", codeAt(secret, Date.now()))
      yield* pressAndFollow(page, "Turn on")
      assert.deepStrictEqual(
        yield* promise(() => page.$$eval("main h2 bdi", (all: any) => all.map((one: any) => one.textContent))),
        ["My laptop", "Authenticator app"]
      )

      yield* promise(() => page.goto(`${origin}/organization`))
      yield* promise(() => led(page, () => clicked(page, 'button[aria-label="Go on in Harbor Works"]')))
      for (const [address, heading] of pages) yield* judgePage(address, heading)

      // Somebody at another browser has neither.
      yield* promise(() => page.deleteCookie({ name: "millrace_session", url: origin }))
      yield* toSignIn(page, origin)
      assert.strictEqual(yield* textOf(page, "h1"), "Second step")
      yield* promise(() => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true }))
      yield* pressAndFollow(page, "Use your passkey")
      assert.strictEqual(yield* textOf(page, "h1"), "Two-step sign-in")

      // A copy of the key whose counter stands where it was copied.
      const { credentials } = yield* promise(() => cdp.send("WebAuthn.getCredentials", { authenticatorId }))
      const [key] = credentials
      yield* promise(async () => {
        await cdp.send("WebAuthn.clearCredentials", { authenticatorId })
        await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...key!, signCount: 0 } })
        await page.deleteCookie({ name: "millrace_session", url: origin })
      })
      yield* toSignIn(page, origin)
      yield* pressAndFollow(page, "Use your passkey")
      assert.strictEqual(yield* textOf(page, "h1"), "Second step")
      assert.include(yield* textOf(page, ".note.bad"), "That was not right")

      // Without its authenticator the browser says so, and the page goes on.
      yield* promise(() => cdp.send("WebAuthn.clearCredentials", { authenticatorId }))
      yield* pressed(page, "Use your passkey")
      yield* promise(() => until(page, "document.querySelector('.problem').textContent !== ''"))
      assert.deepStrictEqual(
        tab.complaints.filter((one) => !/status of 401|ERR_ABORTED/.test(one)),
        []
      )

      yield* judgePage("/sign-in/second-step", "Second step")
    }).pipe(Effect.scoped)
  )
})
