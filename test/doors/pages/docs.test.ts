// decisions P10: `/docs` in Chromium: it draws, breaks no rule of its policy, and asks nobody but this origin.
import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openTab, Scene, SceneLive } from "./chromium.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

layer(SceneLive, { excludeTestServices: true })("P10: the documentation page", (it) => {
  it.effect("P10: /docs draws the API with scripts and fonts of its own, and asks no other origin for anything", () =>
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
          const asked: Array<string> = []
          page.on("request", (request) => asked.push(request.url()))
          yield* promise(() => page.setJavaScriptEnabled(true))
          yield* promise(() => page.goto(`${service.origin}/docs`))
          yield* promise(() => page.waitForFunction("document.body.innerText.includes('Records')", { timeout: 60_000 }))
          yield* promise(() => page.waitForNetworkIdle({ idleTime: 1_000 }))
          const where = `${device}, ${dark ? "dark" : "light"}`
          if (out !== undefined)
            yield* promise(() => page.screenshot({ path: `${out}/docs-${device}-${dark ? "dark" : "light"}.png` }))
          assert.deepStrictEqual(
            asked.filter((url) => !url.startsWith(`${service.origin}/`) && !url.startsWith("data:")),
            [],
            where
          )
          assert.include(asked, `${service.origin}/openapi.json`)
          assert.deepStrictEqual(complaints, [], where)
          const sideways = yield* promise(() => page.evaluate("document.documentElement.scrollWidth > innerWidth"))
          assert.isFalse(sideways, `${where} scrolls sideways`)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.effect("P10: no other site can frame /docs", () =>
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
