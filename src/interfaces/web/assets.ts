// The stylesheet, its typeface and the icon, each at an address that changes with its content, so that browsers may keep them for good.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { trusted } from "./html.ts"

/** A water wheel. */
const wheel = (colour: string, size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="${size}" height="${size}" fill="none" stroke="${colour}" stroke-width="2" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="6.5"/><circle cx="12" cy="12" r="1.5"/><path d="M12 1.5v9M12 13.5v9M1.5 12h9M13.5 12h9M4.6 4.6l6.3 6.3M13.1 13.1l6.3 6.3M19.4 4.6l-6.3 6.3M10.9 13.1l-6.3 6.3"/></svg>`

export const logo = trusted(wheel("currentColor", 26))

/** @returns its address, which is another one when it changes */
export const asset = (name: string, type: string, body: string | Uint8Array) => {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 12)
  const dot = name.lastIndexOf(".")
  return { path: `/assets/${name.slice(0, dot)}-${hash}${name.slice(dot)}` as const, type, body }
}

const font = (file: string) => asset(file, "font/woff2", readFileSync(new URL(`./fonts/${file}`, import.meta.url)))
const fonts = { latin: font("inter-latin.woff2"), latinExt: font("inter-latin-ext.woff2") }

const styles = readFileSync(new URL("./style.css", import.meta.url), "utf8")
  .replace("./fonts/inter-latin.woff2", fonts.latin.path)
  .replace("./fonts/inter-latin-ext.woff2", fonts.latinExt.path)
export const stylesheet = asset("pages.css", "text/css; charset=utf-8", styles)
export const icon = asset("icon.svg", "image/svg+xml", wheel("#0a6a60", 32))

const assetOptions = (contentType: string) => ({
  contentType,
  headers: { "cache-control": "public, max-age=31536000, immutable" }
})

/** Serves assets to be cached for good: other content has another address. */
export const served = (assets: ReadonlyArray<ReturnType<typeof asset>>) =>
  HttpRouter.use((router) =>
    Effect.forEach(assets, ({ path, type, body }) =>
      router.add(
        "GET",
        path,
        typeof body === "string"
          ? HttpServerResponse.text(body, assetOptions(type))
          : HttpServerResponse.uint8Array(body, assetOptions(type))
      )
    )
  )

export const AssetRoutes = served([stylesheet, icon, fonts.latin, fonts.latinExt])
