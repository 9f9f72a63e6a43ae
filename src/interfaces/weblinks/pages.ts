// Pages for the clicker of a weblink (developer-api.md 7.10). Composed pages hold HTML of the automation's author: they are sandboxed into
// an origin of their own, without scripts unless the operator allows them. Our own pages need no script either.
import { HttpServerResponse } from "effect/http"
import type { RunPage } from "../../domain/automations/requests/RunOutcomes.ts"
import { TRANSIENT_RETRY_SECONDS } from "../../platform/sql/transientErrors.ts"
import { weblinkPages as texts } from "./texts.ts"

/** The address is the credential: it leaks neither by search engines nor, as everywhere, by referrer or caches (P10). */
const headers = { "x-robots-tag": "noindex" }

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 } main { max-width: 42rem; margin: 2rem auto; padding: 0 1rem } main.full { max-width: none; margin: 0; padding: 0 }
footer { text-align: center; font-size: .8rem; opacity: .7; margin: 2rem }
`

const document = (head: string, main: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${head}<style>${style}</style></head>
<body>${main}</body></html>
`

const ownPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const renderPage = (
  status: number,
  title: string,
  text: string,
  more: { head?: string; headers?: Record<string, string> } = {}
) =>
  HttpServerResponse.text(
    document(`${more.head ?? ""}<title>${title}</title>`, `<main><h1>${title}</h1><p>${text}</p></main>`),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: { ...headers, "content-security-policy": ownPolicy, ...more.headers }
    }
  )

export const linkGonePage = renderPage(410, texts.thisLinkIsNotAvailable, texts.itMayHaveExpired)
export const donePage = renderPage(200, texts.done, texts.youCanCloseThisPage)
export const failed = renderPage(500, texts.thisDidNotWork, texts.whoeverGaveYouTheLink)

/** The database is away. A click that may have counted is not to be made again without a thought. */
export const databaseAwayPage = (changed: boolean) =>
  renderPage(503, texts.notRightNow, changed ? texts.itIsNotKnownWhether : texts.pleaseTryAgain, {
    headers: { "retry-after": String(TRANSIENT_RETRY_SECONDS) }
  })

/** The database is away while the page only asks for the state of its run: it reloads by itself. */
export const awayMeanwhile = renderPage(503, texts.oneMoment, texts.pageLooksAgainByItself, {
  head: '<meta http-equiv="refresh" content="2">',
  headers: { "retry-after": String(TRANSIENT_RETRY_SECONDS) }
})

export const limited = (retryAfterSeconds: number) =>
  renderPage(429, texts.tooManyClicks, texts.pleaseTryAgainInAMinute, {
    headers: { "retry-after": String(retryAfterSeconds) }
  })

/** Looks again by itself, at `next` or at its own address. */
export const working = (next?: string) =>
  renderPage(200, texts.oneMoment, texts.thisIsStillBeingWorked, {
    head: `<meta http-equiv="refresh" content="2${next === undefined ? "" : `;url=${next}`}">`
  })

/** Browsers throw a prefetched answer away unless it is a success. */
export const notPrefetched = HttpServerResponse.empty({
  status: 503,
  headers: { ...headers, vary: "Sec-Purpose, Purpose" }
})

/** An answer to HEAD. */
export const headAnswer = HttpServerResponse.empty({
  status: 200,
  headers: { ...headers, "content-type": "text/html; charset=utf-8" }
})

export const seeOther = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { ...headers, location } })

const policyOf = (scripts: boolean) =>
  [
    `sandbox allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation${scripts ? " allow-scripts" : ""}`,
    "default-src 'none'",
    "img-src https: data:",
    "media-src https: data:",
    "font-src https: data:",
    "frame-src https:",
    "style-src 'unsafe-inline' https:",
    ...(scripts ? ["script-src 'unsafe-inline' https:", "connect-src https:"] : []),
    "form-action https:",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const branding = "<footer>Made with Millrace</footer>"

export const composed = ({ fullscreen, html, remove_branding }: RunPage, scripts: boolean) =>
  HttpServerResponse.text(
    document("", `<main${fullscreen ? ' class="full"' : ""}>${html}</main>${remove_branding ? "" : branding}`),
    {
      status: 200,
      contentType: "text/html; charset=utf-8",
      headers: { ...headers, "content-security-policy": policyOf(scripts) }
    }
  )
