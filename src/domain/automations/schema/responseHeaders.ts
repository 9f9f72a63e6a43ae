// Headers that the author of an inbound address gives its answer (developer-api.md 7.9): which names and values may be sent under the
// service's origin. Pure but for the schema of one.
import { Schema } from "effect"
import { list, token } from "../../../platform/bounds/sized.ts"
import { Template } from "./dynamicValues.ts"

/** Set by the service itself, or about the connection or the whole origin, which is not the author's alone. */
const OURS: ReadonlySet<string> = new Set([
  ...[
    "connection",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "content-length",
    "content-encoding"
  ],
  ...["date", "server", "vary", "cache-control", "expires", "pragma", "location", "refresh", "alt-svc", "via"],
  ...["set-cookie", "set-cookie2", "www-authenticate", "authentication-info", "clear-site-data", "x-request-id"],
  ...["strict-transport-security", "public-key-pins", "content-security-policy", "content-security-policy-report-only"],
  ...["x-content-type-options", "x-frame-options", "x-xss-protection", "referrer-policy", "permissions-policy"],
  ...["service-worker-allowed", "sourcemap", "x-sourcemap", "origin-agent-cluster", "origin-trial", "nel"],
  ...["report-to", "reporting-endpoints", "expect-ct", "document-policy", "x-permitted-cross-domain-policies"]
])
const oursBegin = /^(?:proxy-|access-control-|cross-origin-|sec-)/

const isOurs = (name: string): boolean => OURS.has(name) || oursBegin.test(name)

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
/** One line of what HTTP carries (RFC 9110 5.5). */
const headerValue = /^[\t\x20-\x7e\xa0-\xff]*$/

export const isHeaderValue = (text: string): boolean => headerValue.test(text)

/** A type with its parameters, on one line. */
export const contentTypePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ -~]*)?$/

const HEADERS_AT_MOST = 30

const mistake = ({ name, value }: { readonly name: string; readonly value: typeof Template.Type }): string | true => {
  if (!headerName.test(name)) return `${JSON.stringify(name)} is no name of a header`
  if (isOurs(name.toLowerCase()))
    return `\`${name}\` is not to be set: the service does, or it is about more than this answer`
  const literal = value.filter((item) => typeof item === "string")
  return literal.every(isHeaderValue) || `The value of \`${name}\` holds a character that no header carries`
}

const ResponseHeader = Schema.Struct({ name: token, value: Template })
  .check(Schema.makeFilter(mistake))
  .annotate({ identifier: "ResponseHeader" })

const repeated = (headers: ReadonlyArray<{ readonly name: string }>): string | true => {
  const names = headers.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined || `\`${twice}\` stands twice`
}

export const ResponseHeaders = list(ResponseHeader, HEADERS_AT_MOST).check(Schema.makeFilter(repeated))
