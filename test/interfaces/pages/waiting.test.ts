// The waits of tests that look at pages, on a page that moves.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { openBrowser } from "../../../src/platform/pdf/browser.ts"
import { clicked, led } from "./waiting.ts"

/** Its link flees from the pointer twice. */
const FLEEING = `<!doctype html>
  <style>a { position: absolute; left: 0 }</style>
  <a href="/next">Next</a>
  <script>
    let moves = 0
    document.querySelector("a").addEventListener("mousemove", ({ target }) => {
      if (++moves < 3) target.style.left = moves * 200 + "px"
    })
  </script>`
/** A notice covers its link until the pointer has been on it and has left. */
const NOTICED = `<!doctype html>
  <style>div { position: absolute; inset: 4px 0 50% 4px }</style>
  <a href="/next">Next</a>
  <div onmouseleave="this.remove()"></div>`
/** In the time of one call its link moves farther than it is wide; then it stands still. */
const MOVING = `<!doctype html>
  <style>
    @keyframes across { to { margin-left: 600px } }
    a { display: inline-block; animation: across 0.1s linear 10 alternate }
  </style>
  <a href="/next">Next</a>`

const openPages = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer(({ url }, response) => {
          response.setHeader("content-type", "text/html")
          response.end({ "/moving": MOVING, "/noticed": NOTICED }[url ?? ""] ?? FLEEING)
        }).listen(0, "127.0.0.1", () => resolve(server))
      })
  ),
  (server) => Effect.sync(() => server.close())
)

const press = Effect.fnUntraced(function* (path: string, scripts: boolean) {
  const server = yield* openPages
  const { browser } = yield* openBrowser(Option.fromUndefinedOr(process.env["CHROMIUM_PATH"]), [])
  yield* Effect.promise(async () => {
    const page = await browser.newPage()
    await page.setJavaScriptEnabled(scripts)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
    await led(page, () => clicked(page, "a"))
    assert.strictEqual(new URL(page.url()).pathname, "/next")
  })
}, Effect.scoped)

describe("a click", () => {
  it.live("presses once the pointer is on its link", () => press("/fleeing", true))
  it.live("leaves a notice that covers its link", () => press("/noticed", true))
  it.live("waits until its link stands still, in a page without scripts", () => press("/moving", false))
})
