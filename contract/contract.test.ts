// Each generator of clients.ts makes a client of the description that the service gives of itself; the client compiles and carries out the
// flow of the guide: app, record, update, list, hook, automation, run. Each works in a folder of the cache and installs what it needs.
import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { keptFolder } from "../bin/parts/kept.js"
import { seedWorkspace } from "../test/support/records.ts"
import { Served, servedOver } from "../test/support/served.ts"
import { spineLayer } from "../test/support/spine.ts"
import { type Client, clients, type Step } from "./clients.ts"

const here = fileURLToPath(new URL(".", import.meta.url))
const TAIL = 6_000
const isThere = (command: string) => spawnSync(command, [command === "go" ? "version" : "--version"]).status === 0

/** Ends well, or fails with the last of what the program said. */
const carriedOut = ({ args, command, what }: Step, cwd: string, env: Record<string, string>) =>
  Effect.callback<void, Error>((resume, signal) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, signal })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-TAIL)
      })
    }
    child.once("error", (error) => resume(Effect.fail(error)))
    child.once("close", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(new Error(`${what}: ${command} ended with ${code}\n${said}`)))
    )
  })

const tried = Effect.fnUntraced(function* ({ name, steps }: Client) {
  const { origin } = yield* Served
  const { owner } = yield* seedWorkspace
  const folder = join(keptFolder("contract"), name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(here, name), folder, { recursive: true })
  const description = yield* Effect.promise(async () => (await fetch(`${origin}/openapi.json`)).text())
  writeFileSync(join(folder, "openapi.json"), description)
  mkdirSync(join(folder, "client"), { recursive: true })
  for (const step of steps) {
    const began = Date.now()
    yield* carriedOut(step, folder, { MILLRACE_URL: origin, MILLRACE_TOKEN: owner.key })
    console.log(`${name} ${step.what}: ${step.command} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  }
})

layer(servedOver(spineLayer()), { excludeTestServices: true })("clients made of the description", (it) => {
  for (const client of clients) {
    const missing = client.needs !== undefined && !isThere(client.needs)
    const name = `${client.name} ${missing ? `is left out: ${client.needs} is not installed` : "carries out the guide"}`
    it.effect.skipIf(missing)(name, () => tried(client))
  }
})
