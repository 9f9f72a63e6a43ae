// Pages without JavaScript: escaped text, nonce-based CSP, no framing, no referrer, never stored (decisions O11).
import { randomBytes } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import { noStore } from "../http/answers.ts"

/** Text that is safe between tags and in quoted attributes. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]!)

export interface Page {
  readonly title: string
  /** HTML; every value in it has been escaped. */
  readonly body: string
  readonly status?: number
  /** Where a form of this page may lead in the end: browsers apply `form-action` to redirects too. */
  readonly formTarget?: string
}

/**
 * The CSP source of a redirect target: its scheme. Hosts would not do: later hops count as well in some engines,
 * and an IPv6 loopback host has no spelling there.
 */
const sourceOf = (redirectUri: string) => `${redirectUri.slice(0, redirectUri.indexOf(":")).toLowerCase()}:`

const policyOf = (nonce: string, formTarget: string | undefined) =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    `form-action 'self'${formTarget === undefined ? "" : ` https: http: ${sourceOf(formTarget)}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 2rem auto; padding: 0 1rem }
label, fieldset { display: block; margin: .75rem 0 }
input[type=email], input[type=password] { width: 100%; font: inherit; padding: .5rem; box-sizing: border-box }
button { font: inherit; padding: .5rem 1rem; margin: .25rem .5rem .25rem 0 }
`

export const page = ({ title, body, status = 200, formTarget }: Page): HttpServerResponse.HttpServerResponse => {
  const nonce = randomBytes(16).toString("base64")
  return HttpServerResponse.text(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${escape(title)}</h1>
${body}
</main></body></html>
`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        ...noStore,
        "content-security-policy": policyOf(nonce, formTarget),
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff"
      }
    }
  )
}

/** 303: the browser goes on with GET, whatever the method was (RFC 9700 4.12). */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location, ...noStore, "referrer-policy": "no-referrer" }
  })
