// Every line for a shell in the documentation is typed as it stands, page after page, on one service with its worker, its command line and
// an address of webhooks; or it stands in untried.ts, with what tries it instead.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { freshDatabaseUrl } from "../../support/database.ts"
import { ORIGIN } from "../../support/oauth.ts"
import { program } from "../../support/programs.ts"
import { type Receiver, receiver } from "../../support/receiver.ts"
import { Served, servedOver } from "../../support/served.ts"
import { commandsOf, PROGRAMS, shell } from "../../support/shell.ts"
import { pages, snippetsOf } from "../../support/snippets.ts"
import { spineLayerOn } from "../../support/spine.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"
import { actsOf, prompter, seedPages } from "./stage.ts"
import { rowOf, untried } from "./untried.ts"

// Lines of recipes need their automations: test/demo/recipes types them.
const lines = pages
  .filter((page) => !page.startsWith("docs/recipes/"))
  .flatMap((page) =>
    snippetsOf(page, "sh", "bash")
      .flatMap(commandsOf)
      .map((command) => ({ page, command }))
  )
const typed = lines.filter(({ command }) => rowOf(command) === undefined)

/** What happens before a line that holds these words. */
const linesBefore: ReadonlyArray<readonly [string, string]> = [
  ["curl -sOJ", "LINK=$(act link)"],
  ["curl -s -o paper.pdf -C -", "truncate -s 1000 paper.pdf"],
  ["$CODE", "CODE=$(act code)"],
  ['"$code"', 'code=$(act "consent/$client/$challenge/http%3A%2F%2F127.0.0.1%3A7777%2Fcallback")'],
  ['"revision_id": "301"', "act rate"],
  ["/diff/9002", "act simulations"],
  ["webhook delivery msg_h_3f", "act delivery"],
  ["automation-run/retry", "act job"],
  ["run show 4711", "act run"]
]

const PRELUDE = `${PROGRAMS}
act() { command curl -sS --fail-with-body "$STAGE/$1" -o act.txt || { cat act.txt >&2; false; }; cat act.txt; }`

class Place extends Context.Service<Place, { readonly address: Receiver; readonly env: Record<string, string> }>()(
  "test/docs/Place"
) {}

const stageLayer = Layer.unwrap(
  Effect.gen(function* () {
    const address = yield* receiver()
    const url = yield* freshDatabaseUrl
    const namespace = freshName("pages")
    const env = {
      DATABASE_URL: url,
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
    }
    return Layer.merge(
      servedOver(spineLayerOn({ url, namespace }, { OUTBOUND_ALLOW: address.hostPort })),
      Layer.succeed(Place, { address, env })
    )
  })
)

describe("lines for a shell that are not typed", () => {
  it("are in the documentation, each row for some of them", () => {
    const used = new Set(lines.map(({ command }) => rowOf(command)))
    assert.deepStrictEqual(
      untried.filter((row) => !used.has(row)),
      []
    )
  })
})

layer(stageLayer, { excludeTestServices: true })("the lines for a shell", (it) => {
  it.effect("do what they say, page after page", () =>
    Effect.gen(function* () {
      const { origin } = yield* Served
      const { address, env } = yield* Place
      const seeded = yield* seedPages
      const work = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-pages-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const variables = {
        ...env,
        SERVICE: `${new URL(ORIGIN).host}:${new URL(origin).host}`,
        BASE_URL: ORIGIN,
        BASE: ORIGIN,
        MCP_URL: ORIGIN,
        TOKEN: seeded.owner.key,
        RECEIVER: `${address.origin}/hooks`,
        STAGE: yield* prompter(actsOf(seeded, address)),
        NODE: process.execPath,
        CLI: program("cli")
      }
      assert.isAtLeast(typed.length, 70)
      // One shell for all: a guide goes on where the one before it ended.
      const script = typed.flatMap(({ command }) => [
        ...linesBefore.flatMap(([words, act]) => (command.includes(words) ? [act] : [])),
        command.replaceAll(" /backups", ` ${work}/backups`)
      ])
      const { said, status } = yield* shell(script, work, variables, PRELUDE)
      assert.strictEqual(status, 0, said.slice(-1500))
    }).pipe(Effect.scoped)
  )
})
