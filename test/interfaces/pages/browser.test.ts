// Issue "OAuth", pages: the whole flow in real Chromium over a real server, for https, loopback and custom-scheme clients; by
// keyboard alone; readable, on a phone and a desktop, light and dark (decisions O11).
import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "puppeteer-core"
import { challengeOf, verifier } from "../../support/oauth.ts"
import { EMAIL, openTab, PASSWORD, Scene, SceneLive, type Tab } from "./chromium.ts"
import { faultsOf } from "./readable.ts"
import { clicked, led, typeInto } from "./waiting.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

const register = (origin: string, redirectUris: ReadonlyArray<string>, name: string, more: object = {}) =>
  promise(async () => {
    const response = await fetch(`${origin}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: redirectUris, client_name: name, ...more })
    })
    return ((await response.json()) as { client_id: string }).client_id
  })

const authorizeUrl = (origin: string, clientId: string, redirectUri: string, secret: string, scope?: string) =>
  `${origin}/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challengeOf(secret),
    state: "s 1",
    ...(scope === undefined ? {} : { scope })
  })}`

const redeem = (origin: string, members: Record<string, string>) =>
  promise(async () => {
    const body = new URLSearchParams({ grant_type: "authorization_code", ...members })
    const response = await fetch(`${origin}/oauth/token`, { method: "POST", body })
    return (await response.json()) as { access_token?: string; svc_organization_id?: number }
  })

/** Chooses the organization, presses Allow and waits for the redirect to the app: an app's own scheme is no page that could load here. */
const approve = ({ page, redirects, complaints }: Tab, target: string) =>
  promise(async () => {
    await clicked(page, "input[name=user_id]:not([disabled])")
    await clicked(page, 'button[value="approve"]')
    for (let i = 0; i < 1_200; i++) {
      const matchingUrl = redirects.findLast((to) => to.startsWith(target))
      if (matchingUrl !== undefined) return matchingUrl
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`no redirect to ${target}: ${complaints.join(" ")} after ${redirects.join(" ")}`)
  })

const until = (what: string, holds: () => boolean) =>
  promise(async () => {
    for (let i = 0; i < 1_200; i++) {
      if (holds()) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`not within a minute: ${what}`)
  })

const click = (page: Page, selector: string) =>
  promise(() => Promise.all([page.waitForNavigation().catch(() => null), clicked(page, selector)]))

const signIn = ({ page }: Tab) =>
  Effect.gen(function* () {
    yield* promise(() => typeInto(page, "#email", EMAIL))
    yield* promise(() => typeInto(page, "#password", PASSWORD))
    yield* click(page, "main button")
  })

/** What has the keyboard: a field by its name, a button or link by its words. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const e = (globalThis as any).document.activeElement
    return (e?.name && e.tagName === "INPUT" ? e.name : (e?.textContent ?? "")).trim() as string
  })

const tabTo = (page: Page, what: string) =>
  promise(async () => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab")
      if ((await focused(page)) === what) return
    }
    throw new Error(`the keyboard does not reach ${what}`)
  })

layer(SceneLive, { excludeTestServices: true })("the pages in Chromium", (it) => {
  const targets = ["https", "loopback", "custom scheme"] as const
  for (const kind of targets) {
    it.effect(`4.1, O11: sign in, consent, back to the app: ${kind}`, () =>
      Effect.gen(function* () {
        const { service, browser, website, loopback, orgId } = yield* Scene
        const [registered, requested] = {
          https: ["https://client.example/callback", "https://client.example/callback"],
          loopback: ["http://127.0.0.1/callback", `http://127.0.0.1:${loopback.port}/callback`],
          "custom scheme": ["com.example.app:/callback", "com.example.app:/callback"]
        }[kind] as [string, string]
        const clientId = yield* register(service.origin, [registered], "Harbor Board")
        const tab = yield* openTab(browser)
        const { page } = tab
        const secret = verifier()
        yield* promise(() => page.goto(authorizeUrl(service.origin, clientId, requested, secret)))
        yield* signIn(tab)
        const consent = yield* promise(() => page.content())
        if (kind === "https") {
          // Nothing is chosen yet: the browser asks for a choice, without a script.
          yield* promise(() => clicked(page, 'button[value="approve"]'))
          assert.isTrue(
            yield* promise(() => page.evaluate("document.querySelector('input[name=user_id]:invalid') !== null"))
          )
          assert.match(page.url(), /\/oauth\/consent\//)
        }
        assert.include(consent, "Harbor Board")
        assert.strictEqual(consent.includes("Unverified"), kind !== "https")
        assert.deepStrictEqual(tab.complaints, [])
        const callback = new URL(yield* approve(tab, requested))
        if (kind === "custom scheme") {
          // Chromium hands it to the operating system, where no app is waiting for it here.
          assert.isFalse(
            tab.complaints.some((c) => /content security policy|form-action|csp/i.test(c)),
            tab.complaints.join()
          )
        } else {
          const { arrived } = kind === "https" ? website : loopback
          yield* until("arrived", () => arrived.some((url) => url.search === callback.search))
          assert.deepStrictEqual(tab.complaints, [])
        }
        assert.strictEqual(callback.searchParams.get("iss"), service.origin)
        assert.strictEqual(callback.searchParams.get("state"), "s 1")
        const code = callback.searchParams.get("code")!
        const tokens = yield* redeem(service.origin, {
          client_id: clientId,
          code,
          code_verifier: secret,
          redirect_uri: requested
        })
        assert.match(tokens.access_token ?? "", /^svc_oat_/)
        assert.strictEqual(tokens.svc_organization_id, orgId)
      }).pipe(Effect.scoped)
    )
  }

  it.effect(
    "O11: the callback may send the browser on, to a program of the same computer or a scheme that nobody registered",
    () =>
      Effect.gen(function* () {
        const { service, browser, website, loopback } = yield* Scene
        const uri = "https://client.example/callback"
        const clientId = yield* register(service.origin, [uri], "Harbor Board")
        const tab = yield* openTab(browser)
        for (const onward of ["com.example.app:/done", `http://127.0.0.1:${loopback.port}/callback?onward`]) {
          yield* promise(() => tab.page.goto(authorizeUrl(service.origin, clientId, uri, verifier())))
          if (tab.page.url().includes("/sign-in")) yield* signIn(tab)
          website.onward = onward
          yield* Effect.ensuring(
            approve(tab, onward),
            Effect.sync(() => {
              website.onward = undefined
            })
          )
          assert.isFalse(
            tab.complaints.some((c) => /content security policy|form-action|csp/i.test(c)),
            tab.complaints.join()
          )
        }
      }).pipe(Effect.scoped)
  )

  it.effect("attack: no other site can frame a page", () =>
    Effect.gen(function* () {
      const { service, browser } = yield* Scene
      const tab = yield* openTab(browser)
      for (const path of ["/sign-in", "/account/connections", "/oauth/authorize?client_id=x"]) {
        yield* promise(() => tab.page.setContent(`<iframe src="${service.origin}${path}"></iframe>`))
        yield* until(`${path} is refused`, () => tab.complaints.some((c) => /frame-ancestors|X-Frame-Options/.test(c)))
        const framed = yield* promise(() =>
          Promise.all(tab.page.frames().map((frame) => frame.content().catch(() => "")))
        )
        assert.isFalse(
          framed.some((html) => html.includes("Millrace")),
          path
        )
        tab.complaints.length = 0
      }
    }).pipe(Effect.scoped)
  )

  it.effect("O11: sign in and consent by keyboard alone, without a script", () =>
    Effect.gen(function* () {
      const { service, browser, website } = yield* Scene
      const uri = "https://client.example/callback"
      const clientId = yield* register(service.origin, [uri], "Harbor Board")
      const tab = yield* openTab(browser)
      const { page } = tab
      const arrivedBefore = website.arrived.length
      yield* promise(() => page.goto(authorizeUrl(service.origin, clientId, uri, verifier())))
      yield* promise(() => page.keyboard.press("Tab"))
      assert.strictEqual(yield* promise(() => focused(page)), "Skip to content")
      yield* tabTo(page, "email")
      yield* promise(() => page.keyboard.type(EMAIL))
      yield* tabTo(page, "password")
      yield* promise(() => page.keyboard.type(PASSWORD))
      yield* tabTo(page, "Sign in")
      yield* promise(() => led(page, () => page.keyboard.press("Enter")))
      yield* tabTo(page, "user_id")
      yield* promise(() => page.keyboard.press("Space"))
      yield* tabTo(page, "Allow")
      yield* promise(() => led(page, () => page.keyboard.press("Enter")))
      assert.strictEqual(website.arrived.length, arrivedBefore + 1)
      assert.isNotNull(website.arrived.at(-1)!.searchParams.get("code"))
      assert.deepStrictEqual(tab.complaints, [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "O11: every page reads well: contrast of WCAG AA, named controls, no sideways scrolling, phone and desktop, light and dark",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { service, browser, orgId, userId } = yield* Scene
        const { origin } = service
        const clientId = yield* register(origin, ["http://127.0.0.1/callback"], "Harbor Board")
        const consent = () =>
          authorizeUrl(
            origin,
            clientId,
            "http://127.0.0.1:9/callback",
            "x",
            "records:read records:edit records.comments:edit automations:run email:send"
          )
        const siteId = yield* register(origin, ["https://client.example/callback"], "Harbor Board")
        const verified = authorizeUrl(
          origin,
          siteId,
          "https://client.example/callback",
          "x",
          "apps:read records:read records:edit"
        )
        const tab = yield* openTab(browser)
        yield* promise(() => tab.page.goto(`${origin}/sign-in`))
        yield* signIn(tab)
        yield* sql`UPDATE sessions SET user_id = ${userId} WHERE person_id IS NOT NULL`
        yield* sql`
        INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on, last_used_on, expires_on)
        SELECT ${clientId}, ${userId}, ${orgId}, '{records:read,records:edit}', now(), now(), now(), now(), now() + interval '1 year'`
        const cookies = yield* promise(() => tab.page.cookies(origin))
        yield* promise(() => tab.page.goto(consent()))
        const asking = `/sign-in?next=${encodeURIComponent(new URL(tab.page.url()).pathname)}`
        const pages = {
          start: "/",
          consent: verified,
          unverified: consent(),
          fault: `${consent()}&resource=https://x.example`,
          untrusted: "/oauth/authorize?client_id=svc_oc_none",
          connections: "/account/connections",
          tokens: "/account/tokens",
          key: "/account/api-key",
          organization: "/organization",
          missing: "/record/999999999",
          asking,
          signin: "/sign-in"
        }
        const bad =
          "<meta name=viewport content='width=device-width'><p style='color:#888'>Faint</p><input><p style='width:2000px'>Wide"
        yield* promise(() => tab.page.goto(`data:text/html,${encodeURIComponent(bad)}`))
        const faults = yield* promise(() => tab.page.evaluate(faultsOf))
        for (const fault of [/^contrast 3\.\d+: Faint/, /^no name/, /^scrolls sideways/, /^no main/])
          assert.isTrue(
            faults.some((f) => fault.test(f)),
            `${fault} in ${faults.join("; ")}`
          )
        const out = process.env["SCREENSHOTS"]
        if (out !== undefined) mkdirSync(out, { recursive: true })
        for (const dark of [false, true]) {
          for (const [device, width, height] of [
            ["phone", 360, 740],
            ["desktop", 1100, 760]
          ] as const) {
            const { page, complaints } = yield* openTab(browser, width, height, dark)
            yield* promise(() => page.setCookie(...cookies))
            for (const [what, path] of Object.entries(pages)) {
              yield* promise(() => page.goto(path.startsWith("/") ? origin + path : path))
              const where = `${what}, ${device}, ${dark ? "dark" : "light"}`
              assert.deepStrictEqual(yield* promise(() => page.evaluate(faultsOf)), [], where)
              if (out !== undefined) {
                const file = `${out}/${what}-${device}-${dark ? "dark" : "light"}.png` as const
                yield* promise(() => page.screenshot({ path: file, fullPage: true }))
              }
            }
            const unexpected = complaints.filter((c) => !/status of 4\d\d/.test(c))
            assert.deepStrictEqual(unexpected, [])
          }
        }
      }).pipe(Effect.scoped)
  )
})
