// docs/console.md in real Chromium over a real service: the way in, the policy, what the first load weighs, and every page as axe, a
// phone and both themes see it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, judged, openConsoleTab, opened, promise, signInTo } from "./consoleTab.ts"

/** Scripts, styles and fonts that the page has loaded, as they came over the wire. */
const assetsLoaded = `performance.getEntriesByType("resource").filter(({ name }) => /\\.(js|css|woff2)$/.test(name))
  .map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))` as unknown as () => ReadonlyArray<{
  name: string
  encodedBodySize: number
}>

layer(SharedScene, { excludeTestServices: true })("the console in Chromium", (it) => {
  it.effect("leads through the sign-in and the choice of an organization back to the address, and shows its apps", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      yield* seedApps
      const tab = yield* openConsoleTab(browser)
      yield* signInTo(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(tab.page, "Apps")
      assert.strictEqual(tab.page.url(), `${service.origin}/console/apps`)
      const names = yield* promise(() => tab.page.$$eval("main h3", (all) => all.map((one) => one.textContent)))
      assert.deepStrictEqual(names, ["Ships", "Berths"])
      const kept = yield* promise(() => tab.page.evaluate("[localStorage.length, sessionStorage.length]"))
      assert.deepStrictEqual(kept, [0, 0])
      assert.deepStrictEqual(complaintsOf(tab), [])
      const cookies = yield* promise(() => tab.page.browserContext().cookies())
      yield* judged(browser, { address: `${service.origin}/console/apps`, heading: "Apps", name: "apps", cookies })
    }).pipe(Effect.scoped)
  )

  it.effect("has a policy without anything inline; its assets are kept for good and compressed, and weigh little", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      yield* signInTo(tab, `${service.origin}/console`, "Harbor Works")
      const page = yield* promise(() => tab.page.goto(`${service.origin}/console`))
      const policy = page!.headers()["content-security-policy"]!
      assert.include(policy, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
      assert.notMatch(policy, /unsafe/)
      assert.strictEqual(page!.headers()["cache-control"], "no-store")
      yield* opened(tab.page, "Home")
      const loaded = yield* promise(() => tab.page.evaluate(assetsLoaded))
      for (const { encodedBodySize, name } of loaded) {
        const { headers } = yield* promise(() => fetch(name, { headers: { "accept-encoding": "br" } }))
        // Below a KiB nothing is won.
        if (encodedBodySize < 1024 && headers.get("content-encoding") === null) continue
        assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
        // A woff2 font is compressed already.
        assert.strictEqual(headers.get("content-encoding"), name.endsWith(".woff2") ? null : "br")
      }
      const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
      console.log(`the console's first load: ${bytes} bytes compressed, ${loaded.length} files`)
      assert.isAbove(bytes, 50_000)
      assert.isBelow(bytes, 300_000)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("is given to nobody who is not signed in; what is no page of it says so", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const answer = yield* promise(() => fetch(`${service.origin}/console/apps?x=1`, { redirect: "manual" }))
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.headers.get("location"), "/sign-in?next=%2Fconsole%2Fapps%3Fx%3D1")
      const posted = yield* promise(() => fetch(`${service.origin}/console/apps`, { method: "POST" }))
      assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET"])
      for (const method of ["GET", "HEAD"])
        assert.strictEqual(
          (yield* promise(() => fetch(`${service.origin}/console/assets/none.js`, { method }))).status,
          404
        )
      const tab = yield* openConsoleTab(browser)
      yield* signInTo(tab, `${service.origin}/console/nowhere`, "Harbor Works")
      yield* opened(tab.page, "There is no such page")
    }).pipe(Effect.scoped)
  )
})
