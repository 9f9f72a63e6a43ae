// Style and script of /docs, each at an address that changes with its content.
import { readFileSync } from "node:fs"
import { asset } from "../web/assets.ts"

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8")

export const docsStyle = asset("docs.css", "text/css; charset=utf-8", read("./docs.css"))
export const docsScript = asset("docs.js", "text/javascript; charset=utf-8", read("./docs.js"))
