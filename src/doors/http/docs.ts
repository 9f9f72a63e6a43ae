// `/docs`: the description of the API as a page to read and try (decisions P10). Effect brings Scalar's script; it is served from
// here, under a nonce, and the policy lets it reach this origin alone: no fonts, proxies or statistics of others.
import { createHash, randomBytes } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { icon } from "../web/assets.ts"

/** Effect keeps the script to itself and puts it into its own page, as the first of two: it is read from there. */
const scalar = Effect.promise(async () => {
  const page = HttpApiScalar.layer(HttpApi.make("none"), { path: "/" }).pipe(Layer.provide(HttpServer.layerServices))
  const { handler, dispose } = HttpRouter.toWebHandler(page, { disableLogger: true })
  try {
    const text = await (await handler(new Request("http://docs.invalid/"))).text()
    const start = text.indexOf("<script>") + "<script>".length
    return text.slice(start, text.indexOf("</script>", start))
  } finally {
    await dispose()
  }
})

/** What Scalar does by itself and not for us; the policy would stop it as well. */
const options = {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never"
}

const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // Scalar writes style elements and attributes as it draws.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const pageOf = (script: string, nonce: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation · Millrace</title><link rel="icon" href="${icon.path}" type="image/svg+xml">
<style>body { margin: 0 } #reference { overflow-x: clip }</style></head>
<body><noscript>This page needs JavaScript; the same description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div><script nonce="${nonce}" src="${script}"></script>
<script nonce="${nonce}">Scalar.createApiReference("#reference", ${JSON.stringify(options)})</script></body></html>
`

export const DocsRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const source = Buffer.from(yield* scalar)
    const path = `/assets/docs-${createHash("sha256").update(source).digest("hex").slice(0, 12)}.js` as const
    yield* router.add(
      "GET",
      path,
      HttpServerResponse.uint8Array(source, {
        contentType: "text/javascript; charset=utf-8",
        headers: { "cache-control": "public, max-age=31536000, immutable" }
      })
    )
    yield* router.add(
      "GET",
      "/docs",
      Effect.sync(() => {
        const nonce = randomBytes(16).toString("base64")
        return HttpServerResponse.text(pageOf(path, nonce), {
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": policyOf(nonce) }
        })
      })
    )
  })
)
