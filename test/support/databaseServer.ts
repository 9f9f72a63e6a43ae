// The run's Postgres, which starts when the first test asks for it (global.ts).
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Effect } from "effect"
import { inject } from "vitest"
import { readJson } from "../../bin/parts/os.js"
import { BOUND } from "./eventually.ts"
import { waitedInVain } from "./waitedInVain.ts"

const EVERY_MILLIS = 20

/** The file by which a test asks for it. */
export const WANTED = "wanted"
/** The file that says how it is. */
export const STATE = "state.json"

export type ServerState = { readonly ready: true } | { readonly ready: false; readonly why: string }

/** By the machine's clock: a test's own may stand still. */
const stateOf = async (folder: string): Promise<ServerState> => {
  const file = join(folder, STATE)
  if (!existsSync(file)) writeFileSync(join(folder, WANTED), "")
  for (let waited = 0; !existsSync(file); waited += EVERY_MILLIS) {
    if (waited > BOUND) throw waitedInVain("Postgres of the tests", waited, "not started")
    await delay(EVERY_MILLIS)
  }
  return readJson(file)
}

/** Its address, as the superuser, once it is there with the template of all databases. */
export const databaseServer = Effect.gen(function* () {
  const state = yield* Effect.promise(() => stateOf(inject("databaseFolder")))
  if (!state.ready) return yield* Effect.die(new Error(`Postgres of the tests did not start: ${state.why}`))
  return inject("databaseUrl")
})
