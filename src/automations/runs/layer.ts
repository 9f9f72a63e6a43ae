// The services of runs that every process has: asking for runs, reading them, weblinks.
import { Layer } from "effect"
import { Fires } from "./Fires.ts"
import { Runs } from "./Runs.ts"
import { Weblinks } from "./Weblinks.ts"

/** Over accounts, automation definitions and the outbox. */
export const RunServices = Weblinks.layer.pipe(Layer.provideMerge(Layer.mergeAll(Fires.layer, Runs.layer)))
