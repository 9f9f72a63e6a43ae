// decisions P10: `/docs` in Chromium: readable, wide and on a phone, light and dark; it breaks no rule of its policy, asks nobody but this
// origin, finds what is looked for, and sends a request for whoever has a token.
import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { openTab, Scene, SceneLive } from "../pages/chromium.ts"
import { faultsOf } from "../pages/readable.ts"
import { clicked, found, led, typeInto } from "../pages/waiting.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

const PAGES = [
  "/docs",
  "/docs/records",
  "/docs/guides/oauth",
  "/docs/manual",
  "/docs/manual/console",
  "/docs/manual/troubleshooting",
  "/docs/manual/actions",
  "/docs/errors",
  "/docs/scopes",
  "/docs/limits",
  "/docs/types/AppRecord"
]

layer(SceneLive, { excludeTestServices: true })("P10: the documentation", (it) => {
  it.effect("is readable on a phone and a desktop, light and dark, and asks no other origin for anything", () =>
    Effect.gen(function* () {
      const { service, browser } = yield* Scene
      const out = process.env["SCREENSHOTS"]
      if (out !== undefined) mkdirSync(out, { recursive: true })
      for (const dark of [false, true]) {
        for (const [device, width, height] of [
          ["phone", 360, 740],
          ["desktop", 1280, 800]
        ] as const) {
          const { page, complaints } = yield* openTab(browser, width, height, dark)
          const requestedUrls: Array<string> = []
          page.on("request", (request) => requestedUrls.push(request.url()))
          yield* promise(() => page.setJavaScriptEnabled(true))
          for (const path of PAGES) {
            const where = `${path}, ${device}, ${dark ? "dark" : "light"}`
            yield* promise(() => page.goto(service.origin + path, { waitUntil: "load" }))
            if (out !== undefined) {
              const name = `docs${path.slice(5).replaceAll("/", "-")}-${device}-${dark ? "dark" : "light"}.png`
              yield* promise(() => page.screenshot({ path: `${out}/${name}` }))
            }
            // Unlike all other pages these have a script.
            const faults = (yield* promise(() => page.evaluate(faultsOf))).filter(
              (fault) => !fault.startsWith("script")
            )
            assert.deepStrictEqual(faults, [], where)
            const sideways = yield* promise(() => page.evaluate("document.documentElement.scrollWidth > innerWidth"))
            assert.isFalse(sideways, `${where} scrolls sideways`)
          }
          const elsewhere = requestedUrls.filter((url) => !url.startsWith(`${service.origin}/`))
          // What a page asks for is given up when it is left.
          const remainingComplaints = complaints.filter((one) => !one.startsWith("net::ERR_ABORTED"))
          assert.deepStrictEqual([elsewhere, remainingComplaints], [[], []])
        }
      }
    }).pipe(Effect.scoped)
  )

  it.effect("finds operations, errors and types by their names, and leads there by keyboard", () =>
    Effect.gen(function* () {
      const { service, browser } = yield* Scene
      const { page } = yield* openTab(browser)
      yield* promise(async () => {
        await page.setJavaScriptEnabled(true)
        await page.goto(`${service.origin}/docs`)
        await page.keyboard.press("/")
        await page.keyboard.type("replay deliv")
        await found(page, "#found a")
        await page.keyboard.press("Tab")
        await led(page, () => page.keyboard.press("Enter"))
      })
      assert.match(page.url(), /\/docs\/webhook[a-z-]*#/)
      const targetText = yield* promise(() => page.evaluate("document.querySelector(':target').innerText"))
      assert.match(String(targetText), /replay/i)
    }).pipe(Effect.scoped)
  )

  it.effect("finds a section of the manual by a word in its text", () =>
    Effect.gen(function* () {
      const { service, browser } = yield* Scene
      const { page } = yield* openTab(browser)
      yield* promise(async () => {
        await page.setJavaScriptEnabled(true)
        await page.goto(`${service.origin}/docs`)
        await page.keyboard.press("/")
        await page.keyboard.type("pgbouncer transaction")
        await found(page, "#found a[href='/docs/manual/operations#behind-pgbouncer']")
        await led(page, () => clicked(page, "#found a[href='/docs/manual/operations#behind-pgbouncer']"))
      })
      const targetText = yield* promise(() => page.evaluate("document.querySelector(':target').innerText"))
      assert.match(String(targetText), /PgBouncer/)
    }).pipe(Effect.scoped)
  )

  it.effect("sends a request with the reader's token, and shows the answer", () =>
    Effect.gen(function* () {
      const { browser, service, userId } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      const key = randomToken("user_key_")
      yield* sql`
        INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
        VALUES (${userId}, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now())`
      const { page } = yield* openTab(browser)
      const answer = yield* promise(async () => {
        await page.setJavaScriptEnabled(true)
        await page.goto(`${service.origin}/docs/organization-and-users`)
        await typeInto(page, "#token", key)
        await clicked(page, "[id='accounts.me'] summary")
        await clicked(page, "[id='accounts.me'] .try form button")
        await found(page, "[id='accounts.me'] output pre")
        return page.evaluate("document.querySelector(\"[id='accounts.me'] output\").innerText")
      })
      assert.match(String(answer), /^200/)
      assert.include(String(answer), `"user_id": ${userId}`)
    }).pipe(Effect.scoped)
  )

  it.effect("a page that is none is a 404, and nobody who is not signed in is given ids", () =>
    Effect.gen(function* () {
      const { origin } = (yield* Scene).service
      yield* promise(async () => {
        const firstPage = await fetch(`${origin}/docs/records`)
        assert.strictEqual(firstPage.status, 200)
        assert.include(await firstPage.text(), "Create a record")
        for (const path of ["nothing", "types/constructor", "records/more", "guides/../records/x"])
          assert.strictEqual((await fetch(`${origin}/docs/${path}`)).status, 404, path)
        assert.deepStrictEqual(await (await fetch(`${origin}/docs/mine.json`)).json(), {})
      })
    })
  )

  it.effect("no other site can frame it", () =>
    Effect.gen(function* () {
      const { service, browser } = yield* Scene
      const { page, complaints } = yield* openTab(browser)
      yield* promise(() => page.setContent(`<iframe src="${service.origin}/docs"></iframe>`))
      yield* promise(() => page.waitForNetworkIdle({ idleTime: 500 }))
      assert.isTrue(
        complaints.some((c) => /frame-ancestors|X-Frame-Options/.test(c)),
        complaints.join("; ")
      )
    }).pipe(Effect.scoped)
  )
})
