// The recipes of demo/recipes on the whole service, its routes on a socket too; the lines of their pages, typed as they stand.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { App } from "../../support/app.ts"
import { freshDatabaseUrl } from "../../support/database.ts"
import { ORIGIN } from "../../support/oauth.ts"
import { program } from "../../support/programs.ts"
import { Served, servedOver } from "../../support/served.ts"
import { commandsOf, PROGRAMS, shell } from "../../support/shell.ts"
import { root, snippetsOf } from "../../support/snippets.ts"
import { spineLayerOn } from "../../support/spine.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"
import { Outside, outsideSettings, Stage } from "../stage.ts"

/** Values of the recipes' secrets: each is its name with an ending that nobody guesses. */
export const secretOf = (name: string) => `${name}-7d41c0a9e2`

const secretNames = ["github_webhook", "stripe_webhook", "crm_key", "csv_key"]
const secrets = (origin: string) => ({
  ...Object.fromEntries(secretNames.map((name) => [name, secretOf(name)])),
  slack_webhook: `${origin}/services/T0/B0/x7`
})

/** Settings with which the operator's command line reaches the same database. */
class OperatorEnvironment extends Context.Service<OperatorEnvironment, Readonly<Record<string, string>>>()(
  "test/demo/OperatorEnvironment"
) {}

/** An organization with the recipes whose files match. */
export const recipes = (only: RegExp) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* freshDatabaseUrl
      const namespace = freshName("recipes")
      const settings = yield* outsideSettings
      const environment = {
        DATABASE_URL: url,
        TEMPORAL_ADDRESS: temporalAddress(),
        TEMPORAL_NAMESPACE: namespace,
        SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
      }
      return Stage.layerOf({ folder: "recipes", only, secrets }).pipe(
        Layer.provideMerge(servedOver(spineLayerOn({ url, namespace }, settings))),
        Layer.provideMerge(Layer.succeed(OperatorEnvironment, environment))
      )
    })
  ).pipe(Layer.provideMerge(Outside.layer))

/** Types the lines of a recipe's page. Returns what they have said. */
export const typed = Effect.fnUntraced(function* (page: string, variables: Readonly<Record<string, string>> = {}) {
  const { origin } = yield* Served
  const { orgId, ownerId, token } = yield* Stage
  const environment = yield* OperatorEnvironment
  const commands = snippetsOf(`docs/recipes/${page}.md`, "sh").flatMap(commandsOf)
  assert.isNotEmpty(commands, page)
  const work = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-recipes-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  symlinkSync(join(root, "demo"), join(work, "demo"))
  const { said, status } = yield* shell(
    commands,
    work,
    {
      ...environment,
      SERVICE: `${new URL(ORIGIN).host}:${new URL(origin).host}`,
      BASE: ORIGIN,
      BASE_URL: ORIGIN,
      TOKEN: token,
      ORG: `${orgId}`,
      OWNER: `${ownerId}`,
      NODE: process.execPath,
      CLI: program("cli"),
      ...variables
    },
    PROGRAMS
  )
  assert.strictEqual(status, 0, `${page}: ${said.slice(-1500)}`)
  return said
}, Effect.scoped)

/** Sends a text to the address of a recipe's trigger. */
export const send = Effect.fnUntraced(function* (
  name: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
) {
  const app = yield* App
  const { address } = yield* Stage
  const { pathname } = new URL(yield* address(name))
  return yield* app.call("POST", pathname, { body, headers: { ...headers } })
})
