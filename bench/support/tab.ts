// A tab in Chromium, the one that the tests use, of somebody who is signed in: what is measured where people are.
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Browser, Page } from "puppeteer-core"
import { openBrowser } from "../../src/platform/pdf/browser.ts"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"
import { benchFailed } from "./Row.ts"

interface Tab {
  readonly browser: Browser
  readonly page: Page
}

export const inTab = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: benchFailed })

/** Creates a session for the organization's first user. */
export const sessionOf = Effect.fnUntraced(
  function* (orgId: number) {
    const sql = yield* SqlClient.SqlClient
    const session = randomToken("")
    yield* sql`
      INSERT INTO sessions (token_hash, person_id, created_on, last_seen_on, expires_on)
      SELECT ${hashToken(session)}, person_id, now(), now(), now() + interval '1 day'
      FROM users WHERE org_id = ${orgId} ORDER BY user_id LIMIT 1`
    return session
  },
  Effect.catchTag("SqlError", Effect.die)
)

const openPage = async (browser: Browser) => {
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  await page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 1 })
  return page
}

/** Reaches this machine alone; ends with the scope. */
export const openTab = Effect.fnUntraced(function* (baseUrl: string, session: string) {
  const { browser } = yield* Effect.mapError(
    openBrowser(Option.fromUndefinedOr(process.env["CHROMIUM_PATH"]), [
      "--no-first-run",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    ]),
    benchFailed
  )
  const page = yield* inTab(async () => {
    const opened = await openPage(browser)
    await opened.setCookie({ name: "millrace_session", value: session, url: baseUrl, httpOnly: true })
    return opened
  })
  return { browser, page } satisfies Tab as Tab
})

/** Milliseconds since the page's address was asked for, once what is said of it holds and it has drawn that and answers. */
export const sinceNavigation = (page: Page, holds: string) =>
  inTab(async () => {
    const handle = await page.waitForFunction(`(${holds}) && performance.now()`, { polling: "raf" })
    return Number(await handle.jsonValue())
  })

/** The page shows this heading and waits for nothing. */
export const opened = (heading: string) =>
  `document.querySelector("h1")?.textContent === ${JSON.stringify(heading)} && document.querySelector(".loading") === null`
