// The services of runs that every process has: asking for runs, reading them, weblinks, inbound webhooks.
import { Layer } from "effect"
import { Catches } from "./Catches.ts"
import { Clicks } from "./Clicks.ts"
import { Fires } from "./Fires.ts"
import { Runs } from "./Runs.ts"
import { Waits } from "./Waits.ts"
import { Weblinks } from "./Weblinks.ts"

/** Over accounts, automation definitions, files and the outbox. */
export const RunServices = Layer.mergeAll(Weblinks.layer, Catches.layer, Clicks.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Fires.layer, Runs.layer, Waits.layer))
)
