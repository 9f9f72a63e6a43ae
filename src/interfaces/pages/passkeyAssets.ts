// The two scripts of pages that ask for a passkey: SimpleWebAuthn's, as it is published, and ours.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { asset } from "../web/assets.ts"

const installed = pathToFileURL(createRequire(import.meta.url).resolve("@simplewebauthn/browser"))
const library = new URL("../dist/bundle/index.umd.min.js", installed)
const script = (name: string, from: URL) => asset(name, "text/javascript; charset=utf-8", readFileSync(from, "utf8"))

export const passkeyAssets = [
  script("webauthn.js", library),
  script("passkeys.js", new URL("./passkeyForms.js", import.meta.url))
]

export const passkeyScripts = passkeyAssets.map(({ path }) => path)
