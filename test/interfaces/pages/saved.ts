// What a page saves as a file. Chromium lays an empty file under the name before the whole one takes its place: only the browser itself tells
// when it is there.
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { polled } from "./polled.ts"

/** Does what lets the page save a file under this name; the whole file's text. */
export const saved = (page: Page, name: string, act: Effect.Effect<unknown>): Effect.Effect<string> =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "saved-"))
    let state: string | undefined
    const cdp = yield* Effect.promise(async () => {
      const session = await page.createCDPSession()
      session.on("Browser.downloadProgress", (progress) => {
        if (progress.state !== "inProgress") state = progress.state
      })
      const browserContextId = page.browserContext().id
      await session.send("Browser.setDownloadBehavior", {
        behavior: "allow",
        downloadPath: folder,
        eventsEnabled: true,
        ...(browserContextId === undefined ? {} : { browserContextId })
      })
      return session
    })
    yield* act
    yield* Effect.promise(() => polled(page, `the file ${name}`, async () => state))
    yield* Effect.promise(() => cdp.detach())
    if (state !== "completed") return yield* Effect.die(new Error(`the file ${name} is ${state}`))
    return readFileSync(join(folder, name), "utf8")
  })
