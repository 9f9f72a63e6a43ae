// Which requests have a JSON body that is read, and the sizes that it may have (decisions P7).
import type { HttpApiEndpoint } from "effect/http-api"
import { type Look, storedBounds } from "../../platform/bounds/Bounds.ts"
import { cut } from "../../platform/bounds/cut.ts"

/** Refuses any body for an endpoint that takes none (decisions W19): a sender means something by it, and would believe that it was done. */
export const takesNone: Look = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { path: [], message: "this endpoint takes no body" }
  const [stray] = Object.keys(value)
  return stray === undefined
    ? undefined
    : { path: [cut(stray)], message: "unknown key, since this endpoint takes no body" }
}

/** A GET has no body that could matter (RFC 9110 9.3.1), so none is waited for. */
export const jsonPayload = (endpoint: HttpApiEndpoint.Top): Look | undefined => {
  if (endpoint.method === "GET") return undefined
  const { payload } = endpoint
  if (payload.size === 0) return takesNone
  const json = payload.get("application/json")
  return json === undefined ? undefined : storedBounds(...json.schemas)
}

/** True if the endpoint stores its first answer for a repeated call with the same `Idempotency-Key` (developer-api.md 1.8). */
export const takesKey = (endpoint: HttpApiEndpoint.Top): boolean =>
  endpoint.method === "POST" && jsonPayload(endpoint) !== undefined
