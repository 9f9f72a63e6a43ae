// The services of runs that every process has: asking for runs, reading them, inbound webhooks, weblinks.
import { Layer } from "effect"
import { Catches } from "./inbound/Catches.ts"
import { RunOutcomes } from "./requests/RunOutcomes.ts"
import { RunRequests } from "./requests/RunRequests.ts"
import { Runs } from "./requests/Runs.ts"
import { Clicks } from "./weblinks/Clicks.ts"
import { Weblinks } from "./weblinks/Weblinks.ts"

/** Over accounts, automation definitions, records and the outbox. */
export const RunServices = Layer.mergeAll(Weblinks.layer, Catches.layer, Clicks.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(RunRequests.layer, Runs.layer, RunOutcomes.layer))
)
