// Requests that are refused before anybody reads them (RFC 9110 9.1, 15.6.2; RFC 9112 3.2): a header that may stand once and stands twice,
// of which a proxy before us may have read the other one, and methods that nothing here has.
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import { ROUTED_METHODS } from "../../platform/primitives/everyMethod.ts"

const [first, ...others] = ROUTED_METHODS
const methods: ReadonlyArray<string> = [first, "HEAD", ...others]
export const METHODS = methods.join(", ")

export const unknownMethod = (method: string) => `${method.slice(0, 40)} is not a method of this service.`

/** Node keeps the first of each and drops the others. */
const singleHeaders: ReadonlyMap<string, string> = new Map(
  ["Host", "Authorization"].map((name) => [name.toLowerCase(), name])
)
const lengths: ReadonlySet<number> = new Set([...singleHeaders.keys()].map(({ length }) => length))

/** @param raw names and values in turn, as they were sent */
const repeatedIn = (raw: ReadonlyArray<string>): string | undefined => {
  let seenNames: Array<string> | undefined
  for (let nameIndex = 0; nameIndex < raw.length; nameIndex += 2) {
    if (!lengths.has(raw[nameIndex]!.length)) continue
    const name = singleHeaders.get(raw[nameIndex]!.toLowerCase())
    if (name === undefined) continue
    if (seenNames?.includes(name) === true) return name
    seenNames = [...(seenNames ?? []), name]
  }
  return undefined
}

const refusal = (status: number, message: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(devApiError(status, "invalid_request", message, path), { status, headers })

/** Undefined: it goes on. The API has an answer of its own for the one further method that routers know. */
export const refuseMalformed = (request: HttpServerRequest.HttpServerRequest, path: string) => {
  const method: string = request.method
  if (!methods.includes(method) && !(method === "QUERY" && path.startsWith("/v1/")))
    return refusal(501, unknownMethod(method), path, { allow: METHODS })
  const { rawHeaders } = request.source as { readonly rawHeaders?: ReadonlyArray<string> }
  const repeated = rawHeaders === undefined ? undefined : repeatedIn(rawHeaders)
  return repeated === undefined ? undefined : refusal(400, `The header ${repeated} stands more than once.`, path)
}
