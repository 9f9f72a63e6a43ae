// Target of a redirect URI: a website, this machine or an app. A client that cannot be tied to a website is shown as Unverified
// (service.md 2.2; decisions O5, O24).
import { schemeOf } from "./redirectUri.ts"

export type RedirectTarget =
  | { readonly type: "website"; readonly host: string }
  | { readonly type: "loopback"; readonly host: string }
  | { readonly type: "app"; readonly scheme: string }

/** 127.0.0.0/8, ::1, the unspecified addresses, and those of version 4 within version 6, as the URL parser writes them. */
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/

/** This machine, by each name and address that leads to it; `hostname` as in `URL.hostname`. */
const isLoopbackHost = (hostname: string) => {
  const host = hostname.replace(/\.$/, "")
  return host === "localhost" || host.endsWith(".localhost") || LOOPBACK_ADDRESS.test(host)
}

/** Target of an accepted redirect URI; loopback and app targets carry the Unverified mark. */
export const targetOf = (uri: string): RedirectTarget => {
  const scheme = schemeOf(uri) ?? ""
  if (scheme !== "https" && scheme !== "http") return { type: "app", scheme }
  const { hostname, host } = new URL(uri)
  return isLoopbackHost(hostname) ? { type: "loopback", host } : { type: "website", host }
}
