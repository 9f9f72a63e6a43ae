// The pages of a weblink's click (developer-api.md 7.10): what the steps composed, a redirect, "Done", or a page that looks again.
// They are served from a sandboxed origin: no cookies of the service, and no scripts unless the configuration allows them.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../../Config.ts"
import { Clicks } from "./Clicks.ts"
import { isOver, type Waited } from "./Waits.ts"

const policy = (scripts: boolean): string =>
  [
    "default-src 'none'",
    "img-src https: data:",
    "style-src 'unsafe-inline' https:",
    "font-src https: data:",
    "media-src https:",
    ...(scripts ? ["script-src 'unsafe-inline' https:", "connect-src https:"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `sandbox allow-forms allow-popups allow-popups-to-escape-sandbox${scripts ? " allow-scripts" : ""}`
  ].join("; ")

const plain = (title: string, text: string, head = ""): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}` +
  `<title>${title}</title><style>body{font:16px/1.5 system-ui;margin:15vh auto;max-width:28rem;padding:0 1rem}</style></head>` +
  `<body><main><h1>${title}</h1><p>${text}</p></main></body></html>`

/** Fetched ahead of a click, or only looked at: nothing fires. */
const ahead = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "HEAD" ||
  ["purpose", "sec-purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|prerender|preview/i.test(headers[name] ?? "")
  )

export const ClickRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const clicks = yield* Clicks
    const { weblinkBaseUrl, weblinkScripts } = yield* AppConfig
    const path = new URL(weblinkBaseUrl).pathname.replace(/\/$/, "")
    const headers = {
      "content-security-policy": policy(weblinkScripts),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex"
    }
    const page = (html: string, status = 200, more: Record<string, string> = {}) =>
      HttpServerResponse.text(html, {
        status,
        contentType: "text/html; charset=utf-8",
        headers: { ...headers, ...more }
      })
    const gone = page(
      plain("This link is not valid", "It may have expired, or what it belongs to is no longer there."),
      410
    )

    const show = (waited: Waited | null, token: string, key: string) => {
      if (waited === null) return gone
      if (waited.redirect !== null) return HttpServerResponse.redirect(waited.redirect, { status: 303, headers })
      if (!isOver(waited)) {
        const again = `<meta http-equiv="refresh" content="1;url=${path}/${encodeURIComponent(token)}/wait/${key}">`
        return page(plain("One moment", "This takes a little longer. The page looks again by itself.", again))
      }
      if (waited.html !== null && waited.html !== "") return page(waited.html)
      return waited.status === "failed"
        ? page(plain("This did not work", "Please tell whoever sent you the link."))
        : page(plain("Done", "You can close this page."))
    }

    const click = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (ahead(request)) return HttpServerResponse.empty({ status: 204, headers })
      const token = (yield* HttpRouter.RouteContext).params["token"] ?? ""
      const key = yield* clicks.click(token)
      return show(yield* clicks.outcome(key), token, key)
    }).pipe(
      Effect.catchTags({
        NotFound: () => Effect.succeed(gone),
        TooManyRequests: ({ retryAfterSeconds }) =>
          Effect.succeed(
            page(plain("Too many clicks", "Please try again in a minute."), 429, {
              "retry-after": String(retryAfterSeconds)
            })
          )
      })
    )
    const wait = Effect.gen(function* () {
      const { params } = yield* HttpRouter.RouteContext
      const key = params["key"] ?? ""
      return show(yield* clicks.outcome(key), params["token"] ?? "", key)
    })
    yield* router.add("GET", `${path as "/"}/:token`, click)
    yield* router.add("GET", `${path as "/"}/:token/wait/:key`, wait)
  })
)
