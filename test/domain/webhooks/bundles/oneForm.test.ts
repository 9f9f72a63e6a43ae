// Bundles are known to their folder alone (docs/architecture/flow.md, "Bundles"): whoever reads, counts or changes deliveries asks it, and whoever
// names the tables of the other form says why that is enough.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const folder = "src/domain/webhooks/bundles/"

const sources = ["src", "workflows", "activities"]
  .flatMap((from) =>
    readdirSync(join(root, from), { recursive: true, encoding: "utf8" }).map((name) => `${from}/${name}`)
  )
  .filter((name) => name.endsWith(".ts") && !name.startsWith("src/platform/sql/"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }))
const outside = sources.filter(({ name }) => !name.startsWith(folder))

/** A list of tables, of which it reads none. */
const LISTS = "src/interfaces/cli/exportKinds.ts"

/** Files of the folder that others may use, and who. */
const CONTRACT: Readonly<Record<string, ReadonlyArray<string> | "all">> = {
  "allDeliveries.ts": "all",
  "unbundle.ts": ["queueDeliveries.ts", "withheldDeliveries.ts", "replays/requeueDeliveries.ts"],
  "Bundle.ts": ["mailboxRows.ts", "writeResults.ts"],
  "bundleForm.ts": ["writeResults.ts"],
  "directFanOut.ts": ["hookFanOut.ts", "webhooksActor.ts"],
  "bundleManager.ts": ["webhooksActor.ts"]
}

/** Files that name the queue or the log, and why deliveries in bundles do not concern them. */
const ROWS_ALONE: Readonly<Record<string, string>> = {
  "queueDeliveries.ts": "adds rows, once bundles of their records are split",
  "claim.ts": "claims rows; a bundle is in flight",
  "dueApps.ts": "when a claim is worth it",
  "resultStatements.ts": "results of rows",
  "withheldDeliveries.ts": "splits the bundles of its hook before",
  "replays/requeueDeliveries.ts": "splits the bundles of its hook before",
  "replays/chooseDeliveries.ts": "chooses what requeueDeliveries.ts has split",
  "replays/HookReplays.ts": "counts deliveries of replays, which are never in bundles",
  "replays/replayGate.ts": "deliveries of replays, as above",
  "replays/replayRounds.ts": "deliveries of replays, as above",
  "replays/replayKind.ts": "deliveries of replays, as above",
  "hookHousekeeping.ts":
    "withheld deliveries, rows of deleted hooks, and of paused ones: their activation gives its bundles to the queue",
  "hookDetails.ts": "withheld deliveries, which are never in bundles",
  "Hooks.ts": "rows of the hook that it deletes"
}

const namedBy = (pattern: RegExp) => outside.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
const below = (name: string) => `src/domain/webhooks/${name}`

describe("deliveries in bundles", () => {
  it("are read and written by their folder alone", () => {
    assert.deepStrictEqual(namedBy(/webhook_bundles|webhook_unbundle/), [LISTS])
  })

  it("are reached by the files of its contract alone", () => {
    const strangers = outside.flatMap(({ name, text }) =>
      [...text.matchAll(/from "(\.[^"]+)"/g)].flatMap(([, path]) => {
        const target = join(dirname(name), path!)
        if (!target.startsWith(folder)) return []
        const users = CONTRACT[target.slice(folder.length)]
        return users === "all" || users?.map(below).includes(name) === true ? [] : [`${name} -> ${target}`]
      })
    )
    assert.deepStrictEqual(strangers, [])
  })

  it("are not forgotten by whoever names the queue or the log", () => {
    assert.deepStrictEqual(
      namedBy(/\bwebhook_(queue|deliveries)\b/).sort(),
      [LISTS, ...Object.keys(ROWS_ALONE).map(below)].sort()
    )
  })
})
