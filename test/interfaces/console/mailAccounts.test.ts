// docs/console.md, the administration in real Chromium: mail accounts and authentication providers, added, tried, changed and deleted; what is
// secret is on no page and in no answer.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "puppeteer-core"
import { startSmtp } from "../../platform/mail/smtp.ts"
import { answers, receiver } from "../../support/receiver.ts"
import { Scene, sceneWith } from "../pages/chromium.ts"
import { callerOfScene } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  fill,
  gone,
  judged,
  judgedAsItIs,
  openConsoleTab,
  opened,
  press,
  promise,
  shows
} from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

/** A mail server and a token endpoint on loopback that the operator has excepted. */
class Outside extends Context.Service<
  Outside,
  {
    readonly smtp: Effect.Success<ReturnType<typeof startSmtp>>
    readonly tokens: Effect.Success<ReturnType<typeof receiver>>
  }
>()("test/interfaces/console/Outside") {}

const outside = Layer.effect(Outside, Effect.all({ smtp: startSmtp({ closeTimeout: 10 }), tokens: receiver() }))
const scene = Layer.unwrap(
  Effect.map(Outside, ({ smtp, tokens }) =>
    sceneWith({ RATE_BUDGET: "1000000", OUTBOUND_ALLOW: `127.0.0.1:${smtp.port},${tokens.hostPort}` })
  )
)

/** All that the page was answered. */
const heard = (page: Page) => {
  const texts: Array<Promise<string>> = []
  page.on("response", (response) => {
    if (/\/v1\/(?:smtp-account|authentication-provider)/.test(response.url()))
      texts.push(
        response.text().then(
          (text) => text,
          () => ""
        )
      )
  })
  return promise(async () => [...(await Promise.all(texts)), await page.content()])
}

layer(scene.pipe(Layer.provideMerge(outside)), { excludeTestServices: true })("accounts elsewhere", (it) => {
  it.effect("a mail account is added, tried, changed and deleted; what uses it is said first", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { smtp } = yield* Outside
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const texts = heard(page)
      const address = `${service.origin}/console/admin/mail`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Mail accounts")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* press(page, "New mail account")
      yield* fill(page, "Name", "Harbor mail")
      yield* fill(page, "Server", "10.0.0.5")
      yield* fill(page, "Username", "harbor")
      yield* fill(page, "Password", "secret")
      yield* fill(page, "Sender's address", "harbor@example.com")
      yield* press(page, "Add the account")
      yield* shows(page, "The address is refused: private.")
      yield* judgedAsItIs(page, "admin-mail-form-refused")
      yield* fill(page, "Server", "127.0.0.1")
      yield* fill(page, "Port", String(smtp.port))
      yield* choose(page, "Encryption", "None: mail and password can be read on the way")
      yield* press(page, "Add the account")
      yield* gone(page, "dialog")
      yield* press(page, "Try Harbor mail")
      yield* shows(page, "A mail to you was sent: it works.")
      assert.lengthOf(smtp.about("The mail account Harbor mail works"), 1)

      yield* press(page, "Change Harbor mail")
      yield* fill(page, "Username", "pier")
      yield* shows(page, "Type it again: it would be sent to another server or as another user.")
      yield* fill(page, "Password", "not-the-right-one")
      yield* promise(() => page.setViewport({ width: 360, height: 740 }))
      yield* judgedAsItIs(page, "admin-mail-form-phone")
      yield* promise(() => page.setViewport({ width: 1280, height: 800 }))
      yield* press(page, "Keep the changes")
      yield* gone(page, "dialog")
      yield* press(page, "Try Harbor mail")
      yield* shows(page, "The mail server refused the sign-in")
      yield* judgedAsItIs(page, "admin-mail-tried")

      const { smtp_accounts } = yield* call("GET", "/smtp-account")
      const { workspaces } = yield* call("GET", "/workspace/org")
      const { app_id } = yield* call("POST", "/app", {
        workspace_id: workspaces[0].workspace_id,
        name: "Tides",
        fields: []
      })
      const { automation } = yield* call("POST", `/automation/app/${app_id}`, {
        name: "Writes to the pier",
        trigger: { type: "record_created", config: {} },
        actions: [
          {
            id: "mail",
            type: "send_email",
            config: {
              to_address: ["a@example.com"],
              subject: ["Tide"],
              smtp_account_id: smtp_accounts[0].smtp_account_id
            }
          }
        ]
      })
      assert.isNumber(automation.id)
      yield* press(page, "Delete Harbor mail")
      yield* shows(page, "Writes to the pier")
      yield* shows(page, "Mail that names no account goes by the installation's server from then on.")
      yield* judgedAsItIs(page, "admin-mail-delete")
      yield* press(page, "Close")
      yield* judged(browser, { address, heading: "Mail accounts", name: "admin-mail", cookies })
      yield* press(page, "Delete Harbor mail")
      yield* press(page, "Delete the account")
      yield* shows(page, "No mail account")
      assert.strictEqual((yield* call("GET", "/smtp-account")).total, 0)
      for (const text of yield* texts)
        for (const secretText of ["not-the-right-one", '"secret"']) assert.notInclude(text, secretText)
      assert.deepStrictEqual(
        complaintsOf(tab).filter((one) => !/status of 400/.test(one)),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a provider is added, tried, changed and deleted", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { tokens } = yield* Outside
      const call = yield* callerOfScene
      tokens.on("/token", answers.status(401, {}, '{"error":"invalid_client"}'))
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const texts = heard(page)
      const address = `${service.origin}/console/admin/providers`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Providers")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* press(page, "New provider")
      yield* fill(page, "Name", "Port authority")
      yield* fill(page, "Address that gives tokens", `${tokens.origin}/token`)
      yield* fill(page, "Client ID", "harbor")
      yield* fill(page, "Client secret", "kept-from-everybody")
      yield* judgedAsItIs(page, "admin-provider-form")
      yield* press(page, "Add the provider")
      yield* gone(page, "dialog")
      yield* press(page, "Try Port authority")
      yield* shows(page, "The token endpoint answered invalid_client (status 401).")
      tokens.on("/token", answers.status(200, {}, '{"access_token":"of-nobody","expires_in":3600}'))
      yield* press(page, "Change Port authority")
      yield* choose(page, "How tokens are got", "With a refresh token of an account")
      yield* fill(page, "Client secret", "kept-from-everybody")
      yield* fill(page, "Refresh token", "kept-from-everybody-too")
      yield* press(page, "Keep the changes")
      yield* gone(page, "dialog")
      yield* press(page, "Try Port authority")
      yield* shows(page, "It has a token: it works.")
      yield* judged(browser, { address, heading: "Providers", name: "admin-providers", cookies })
      yield* press(page, "Delete Port authority")
      yield* shows(page, "No automation and no webhook names it.")
      yield* press(page, "Delete the provider")
      yield* shows(page, "No provider")
      assert.strictEqual((yield* call("GET", "/authentication-provider")).total, 0)
      for (const text of yield* texts)
        for (const secretText of ["kept-from-everybody", "of-nobody"]) assert.notInclude(text, secretText)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
