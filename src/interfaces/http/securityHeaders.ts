// Security and cache headers of every answer (decisions P10, O11), whoever made it. The middleware of the server sets them, so that no
// module can forget them. A module may only be stricter, or say that an answer is the same for everybody (`Cache-Control: public`).
import type { HttpServerResponse } from "effect/http"

/** A year, in seconds. The hosts beside ours are not ours to bind, so no `includeSubDomains`. */
const hsts = "max-age=31536000"

/** Policy of answers that are no page of ours but may be opened in a browser: nothing else may be loaded, and no frame may show them. */
const bare = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const unframed = (policy: string | undefined) => {
  if (policy === undefined) return bare
  return policy.includes("frame-ancestors") ? policy : `frame-ancestors 'none'; ${policy}`
}

/** The headers to set. `program`: an address for programs, open to other origins, where no page is ever served. */
export const securityHeaders = (https: boolean) => {
  const commonHeaders: Readonly<Record<string, string>> = {
    "x-content-type-options": "nosniff",
    ...(https ? { "strict-transport-security": hsts } : {})
  }
  const pages = { ...commonHeaders, "x-frame-options": "DENY", "referrer-policy": "no-referrer" }
  return ({ headers }: HttpServerResponse.HttpServerResponse, program: boolean): Record<string, string> => {
    const set: Record<string, string> = { ...(program ? commonHeaders : pages) }
    if (!program) set["content-security-policy"] = unframed(headers["content-security-policy"])
    if (headers["cache-control"]?.startsWith("public,") !== true) set["cache-control"] = "no-store"
    return set
  }
}
