// Each generator of clients.ts makes a client of the description that the service gives of itself; the client compiles and carries out the
// flow of the guide: app, record, update, list, hook, automation, run. Each works in a folder of the cache and installs what it needs.
// And what has changed since the last release, as oasdiff sees it: what breaks callers is named by CHANGELOG.md.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { keptFolder } from "../bin/parts/kept.js"
import { descriptionText } from "../src/api/descriptionText.ts"
import { seedWorkspace } from "../test/support/records.ts"
import { Served, servedOver } from "../test/support/served.ts"
import { spineLayer } from "../test/support/spine.ts"
import { type BreakingChange, unnamedIn } from "./changelog.ts"
import { type Client, clients } from "./clients.ts"
import { carriedOut, isThere, type Step } from "./steps.ts"

const here = fileURLToPath(new URL(".", import.meta.url))

const tried = Effect.fnUntraced(function* ({ name, own, steps }: Client) {
  const { origin } = yield* Served
  const { owner } = yield* seedWorkspace
  const folder = join(keptFolder("contract"), name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(here, name), folder, { recursive: true })
  const description = yield* Effect.promise(async () => (await fetch(`${origin}/openapi.json`)).text())
  writeFileSync(join(folder, "openapi.json"), description)
  mkdirSync(join(folder, "client"), { recursive: true })
  if (own === true) cpSync(join(here, "../clients/typescript/src"), join(folder, "client"), { recursive: true })
  for (const step of steps) {
    const began = Date.now()
    yield* carriedOut(step, folder, { MILLRACE_URL: origin, MILLRACE_TOKEN: owner.key })
    console.log(`${name} ${step.what}: ${step.command} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  }
})

const promiseOf = ({ compiled }: Client) => (compiled === true ? "compiles" : "carries out the guide")

layer(servedOver(spineLayer()), { excludeTestServices: true })("clients made of the description", (it) => {
  for (const client of clients) {
    const missing = client.needs !== undefined && !isThere(client.needs)
    const name = `${client.name} ${missing ? `is left out: ${client.needs} is not installed` : promiseOf(client)}`
    it.effect.skipIf(missing)(name, () => tried(client))
  }
})

const compare: Step = {
  what: "compares",
  command: "go",
  args: ["run", "github.com/oasdiff/oasdiff@v1.35.0", "breaking", "released.json", "openapi.json", "--format", "json"]
}

describe("since the last release", () => {
  const missing = !isThere("go")
  const name = missing
    ? "is not compared: go is not installed"
    : "nothing breaks callers that CHANGELOG.md does not name"
  it.effect.skipIf(missing)(name, () =>
    Effect.gen(function* () {
      const folder = join(keptFolder("contract"), "oasdiff")
      mkdirSync(folder, { recursive: true })
      cpSync(join(here, "released.json"), join(folder, "released.json"))
      writeFileSync(join(folder, "openapi.json"), descriptionText())
      const changes: ReadonlyArray<BreakingChange> = JSON.parse(yield* carriedOut(compare, folder))
      console.log(`oasdiff: ${changes.length} changes break callers`)
      assert.deepStrictEqual(unnamedIn(readFileSync(join(here, "../CHANGELOG.md"), "utf8"), changes), [])
    })
  )
})
