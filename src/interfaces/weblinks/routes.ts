// The addresses of weblinks (developer-api.md 7.10): a click fires and waits, a look does not fire. Below the path of
// WEBLINK_BASE_URL, which a proxy may put on a host of its own.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { isOver, type RunOutcome } from "../../domain/automations/requests/RunOutcomes.ts"
import { Clicks } from "../../domain/automations/weblinks/Clicks.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { watched } from "../../platform/sql/Changes.ts"
import { inBrief, isTransientIn } from "../../platform/sql/transientErrors.ts"
import { hiddenRequest } from "../../platform/telemetry/hiddenRequest.ts"
import * as pages from "./pages.ts"

const prefetchHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const
const isPrefetch = (headers: Readonly<Record<string, string | undefined>>) =>
  prefetchHeaders.some((name) => /\b(prefetch|prerender|preview)\b/i.test(headers[name] ?? ""))

/** A redirect counts at once, the run goes on; a page is whole when the run is over. */
const enough = (outcome: RunOutcome) => (outcome.type === "run" && outcome.redirect !== null) || isOver(outcome)

const httpUrl = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null
}

/** Something else while the database is away. */
const orWhenAway = <A, E, R, B>(self: Effect.Effect<A, E, R>, instead: () => B): Effect.Effect<A | B, E, R> =>
  Effect.catchCause(
    self,
    (cause): Effect.Effect<B, E> =>
      isTransientIn(cause)
        ? Effect.map(Effect.logWarning("the database is away", inBrief(cause)), instead)
        : Effect.failCause(cause)
  )

export const WeblinkRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const clicks = yield* Clicks
    const { weblinkBaseUrl, weblinkScripts, weblinkWaitSeconds } = yield* AppConfig
    const base = new URL(weblinkBaseUrl).pathname.replace(/\/$/, "") as `/${string}`

    const renderOutcome = (outcome: RunOutcome, next?: string) => {
      switch (outcome.type) {
        case "unknown":
          return pages.linkGonePage
        case "open":
          return pages.working(next)
        case "refused":
          return outcome.why === "mismatch" || outcome.why === "too_deep" ? pages.donePage : pages.linkGonePage
        case "run": {
          const redirect = outcome.redirect === null ? null : httpUrl(outcome.redirect)
          if (redirect !== null) return pages.seeOther(redirect)
          if (!isOver(outcome)) return pages.working(next)
          if (outcome.page !== null) return pages.composed(outcome.page, weblinkScripts)
          return outcome.status === "completed" ? pages.donePage : pages.failed
        }
      }
    }

    const click = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { params } = yield* HttpRouter.RouteContext
      const token = params["token"] ?? ""
      // The router gives HEAD to the GET route.
      if (request.method === "HEAD") return (yield* clicks.valid(token)) ? pages.headAnswer : pages.linkGonePage
      if (isPrefetch(request.headers)) return pages.notPrefetched
      const result = yield* watched((changes) =>
        orWhenAway(clicks.click(token), () => ({ type: "away" as const, changed: changes.possible }))
      )
      if (result.type === "away") return pages.databaseAwayPage(result.changed)
      if (result.type === "gone") return pages.linkGonePage
      if (result.type === "limited") return pages.limited(result.retryAfterSeconds)
      const outcome = yield* orWhenAway(
        clicks.outcome(token, result.click, weblinkWaitSeconds * 1_000, enough),
        // The click is kept: the page looks again.
        (): RunOutcome => ({ type: "open" })
      )
      // Relative, so that it holds behind a proxy as well.
      return renderOutcome(outcome, `${encodeURIComponent(token)}/${result.click}`)
    })

    const showOutcome = Effect.gen(function* () {
      const { params } = yield* HttpRouter.RouteContext
      return renderOutcome(yield* clicks.outcome(params["token"] ?? "", params["click"] ?? "", 0, enough))
    })

    for (const path of new Set([base, "/weblink"] as const)) {
      yield* router.add(
        "GET",
        `${path}/trigger/:token`,
        hiddenRequest("/trigger/:token")(orWhenAway(click, () => pages.databaseAwayPage(false)))
      )
      yield* router.add(
        "GET",
        `${path}/trigger/:token/:click`,
        orWhenAway(showOutcome, () => pages.awayMeanwhile)
      )
    }
  })
)
