// Which methods a page takes (RFC 9110 15.5.6).
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { messagePage } from "./layout.ts"
import type { Response } from "./pageFrame.ts"
import { methods as texts } from "./texts.ts"

export type PageEffect<R> = Effect.Effect<Response, never, R>

/** GET (and HEAD) shows, POST acts; a page without a form has no POST. */
export const onMethods = <R1 = never, R2 = never>(show: PageEffect<R1> | undefined, act?: PageEffect<R2>) => {
  const allow = [...(show === undefined ? [] : ["GET"]), ...(act === undefined ? [] : ["POST"])].join(", ")
  const methodRefusal = HttpServerResponse.setHeader(
    messagePage(texts.notThatWay, texts.thisPageDoesNotTake, 405),
    "allow",
    allow
  )
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method }): PageEffect<R1 | R2> => {
    if (show !== undefined && (method === "GET" || method === "HEAD")) return show
    return act !== undefined && method === "POST" ? act : Effect.succeed(methodRefusal)
  })
}
