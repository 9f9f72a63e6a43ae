// A snippet of the documentation as a program of its own: type-checked beside what its page takes for granted, and run with what that is.
import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { ENDS_MILLIS } from "../../support/eventually.ts"
import { ORIGIN } from "../../support/oauth.ts"
import { root, type Snippet } from "../../support/snippets.ts"

/** What snippets name without saying where it comes from, as they find it and as the compiler does. */
const preamble = `
import { bearer, makeClient } from "@millrace/client"
const { CLIENT_ID, DELIVERY, HOOK_SECRET, SERVICE, STAGE } = process.env
const BASE = "https://millrace.example.com"
const real = globalThis.fetch
globalThis.fetch = (input, init) => real(String(input).replace(BASE, SERVICE).replace("${ORIGIN}", SERVICE), init)
const consent = async (url) => {
  const asked = new URL(url).searchParams
  const words = ["consent", asked.get("client_id"), asked.get("code_challenge"), asked.get("redirect_uri")]
  return (await real([STAGE, ...words.map(encodeURIComponent)].join("/"))).text()
}
Object.assign(globalThis, {
  app: { baseUrl: BASE, clientId: CLIENT_ID },
  baseUrl: BASE,
  blob: new Blob(["x".repeat(5000)]),
  client: makeClient({ baseUrl: BASE, credentials: bearer(process.env.MILLRACE_TOKEN) }),
  consent,
  credentials: bearer(process.env.MILLRACE_TOKEN),
  handleOnce: (id, { type }) => console.log(id, type),
  redirectUri: "https://client.example/callback",
  request: DELIVERY === undefined ? undefined : new Request(BASE, { method: "POST", ...JSON.parse(DELIVERY) }),
  secret: HOOK_SECRET,
  store: () => {}
})`
const declared = `
import type { Client, Credentials, Tokens } from "@millrace/client"
declare global {
  const baseUrl: string, code: string, redirectUri: string, secret: string
  const blob: Blob
  const client: Client
  const credentials: Credentials
  const request: Request
  const store: (tokens: Tokens) => void
}`

const settings = {
  compilerOptions: {
    strict: true,
    module: "NodeNext",
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: ["node"],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true
  },
  include: ["*.ts"]
}

/** A folder in which programs find the client, as an installation has it. @param more further programs of it */
export const folderOfPrograms = (folder: string, more: Readonly<Record<string, string>>) => {
  const writeProgram = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const exports = { ".": "./src/index.ts", "./effect": "./src/effect.ts", "./webhooks": "./src/webhooks.ts" }
  writeProgram(
    "node_modules/@millrace/client/package.json",
    JSON.stringify({ name: "@millrace/client", type: "module", exports })
  )
  symlinkSync(join(root, "clients/typescript/src"), join(folder, "node_modules/@millrace/client/src"))
  for (const name of ["effect", "standardwebhooks", "@types"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
  writeProgram("package.json", JSON.stringify({ type: "module" }))
  writeProgram("tsconfig.json", JSON.stringify(settings))
  writeProgram("given.js", preamble)
  writeProgram("declared.ts", declared)
  for (const [name, text] of Object.entries(more)) {
    writeProgram(`${name}.ts`, text)
    writeProgram(`${name}.js`, stripTypeScriptTypes(text))
  }
}

/** The compiler's complaints about everything in the folder. */
export const complaintsIn = (folder: string): string =>
  spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
    timeout: ENDS_MILLIS
  }).stdout

/** Its name in the folder. */
export const nameOfSnippet = ({ line, page }: Snippet) => `${page.replaceAll(/\W/g, "-")}-${line}`

/** Runs a program to its end; what it says. */
export const said = (folder: string, text: string, env: Record<string, string>) => {
  const file = join(folder, "running.js")
  writeFileSync(file, stripTypeScriptTypes(text))
  return Effect.callback<string>((resume) => {
    execFile(
      process.execPath,
      ["--import", "./given.js", file],
      { cwd: folder, env, timeout: ENDS_MILLIS },
      (error, out, err) => resume(error === null ? Effect.succeed(out) : Effect.die(new Error(err + out)))
    )
  })
}
