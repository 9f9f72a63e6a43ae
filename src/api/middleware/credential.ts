// Reads the credential of a request (developer-api.md 1.7, service.md 5): Bearer, or Basic with the key as user name and no password.
import type { Headers } from "effect/http"
import { bearerOnly } from "../../domain/accounts/credentialPrefixes.ts"

export type Presented =
  | { readonly _tag: "None" }
  | { readonly _tag: "Unusable" }
  | { readonly _tag: "Token"; readonly token: string; readonly scheme: "bearer" | "basic" }

const none: Presented = { _tag: "None" }
const unusable: Presented = { _tag: "Unusable" }

export const credentialIn = (headers: Headers.Headers): Presented => {
  const header = headers["authorization"]
  if (header === undefined || header.trim() === "") return none
  const space = header.indexOf(" ")
  const scheme = (space < 0 ? header : header.slice(0, space)).toLowerCase()
  const value = space < 0 ? "" : header.slice(space + 1).trim()
  if (scheme === "bearer") return value === "" ? unusable : { _tag: "Token", token: value, scheme: "bearer" }
  if (scheme !== "basic") return unusable
  const decoded = Buffer.from(value, "base64").toString("utf8")
  const colon = decoded.indexOf(":")
  if (colon <= 0 || colon !== decoded.length - 1) return unusable
  const token = decoded.slice(0, colon)
  return bearerOnly(token) ? unusable : { _tag: "Token", token, scheme: "basic" }
}
