// The room as a whole, for a process with the worker role: activations, nudges, relay and sweep over the kinds given.
import { Layer } from "effect"
import * as Relay from "../outbox/Relay.ts"
import { Activations } from "./Activations.ts"
import { Actors } from "./Actors.ts"
import { Nudges } from "./Nudges.ts"
import * as Sweep from "./Sweep.ts"
import { Wakes } from "./Wakes.ts"

/**
 * Needs the kinds, a database pool, `Temporal`, `RelayWake` and `Draining`; gives what activities and rooms use.
 * Relay and sweep stop first.
 */
export const layer = Layer.mergeAll(Relay.layer, Sweep.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Activations.layer, Nudges.layer)),
  Layer.provideMerge(Layer.mergeAll(Actors.layer, Wakes.layer))
)
