// Forms and queries of the pages: one content type, a size, text without NUL; fields may repeat (check boxes).
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { contentTypeOf, readText } from "./formBody.ts"

export interface Fields {
  /** The first value; empty when it was not sent. */
  readonly get: (name: string) => string
  readonly all: (name: string) => ReadonlyArray<string>
  /** A positive integer; undefined for anything else. */
  readonly id: (name: string) => number | undefined
}

const maxBytes = 64 * 1024

export const idOf = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

export const fieldsOf = (encoded: string): Fields => {
  const params = new URLSearchParams(encoded)
  const clean = (text: string) => text.replaceAll("\0", "").toWellFormed()
  const get = (name: string) => clean(params.get(name) ?? "")
  return { get, all: (name) => params.getAll(name).map(clean), id: (name) => idOf(get(name)) }
}

/** The posted form; undefined when it is none, or too large. */
export const readFields = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (contentTypeOf(request) !== "application/x-www-form-urlencoded") return undefined
  const text = yield* readText(request, maxBytes).pipe(Effect.catchTag("OAuthRefused", () => Effect.succeed(undefined)))
  return text === undefined ? undefined : fieldsOf(text)
})
