// Answer for a path that nothing serves: a JSON 404, below `/.well-known/` too (decisions O13; developer-api.md 1.5).
import { HttpServerResponse } from "effect/http"
import { devApiError } from "../../api/middleware/errorBodies.ts"

const decodes = (path: string) => {
  try {
    return decodeURIComponent(path) !== undefined
  } catch {
    return false
  }
}

/** The router matches no path whose percent-encoding is broken: a 400 says so. */
export const notFound = (path: string) =>
  decodes(path)
    ? HttpServerResponse.jsonUnsafe(devApiError(404, "not_found", `Nothing is served at ${path}.`, path), {
        status: 404
      })
    : HttpServerResponse.jsonUnsafe(
        devApiError(400, "invalid_request_url", "The path has a broken percent-encoding.", path),
        { status: 400 }
      )
