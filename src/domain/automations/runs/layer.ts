// The services of runs that every process has: asking for runs, reading them, inbound webhooks, weblinks.
import { Layer } from "effect"
import { Catches } from "../inbound/Catches.ts"
import { Clicks } from "../weblinks/Clicks.ts"
import { Fires } from "./Fires.ts"
import { Runs } from "./Runs.ts"
import { Waits } from "./Waits.ts"
import { Weblinks } from "./Weblinks.ts"

/** Over accounts, automation definitions, records and the outbox. */
export const RunServices = Layer.mergeAll(Weblinks.layer, Catches.layer, Clicks.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Fires.layer, Runs.layer, Waits.layer))
)
