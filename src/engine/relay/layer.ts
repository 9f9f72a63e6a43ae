// Layer of the actor engine, for a process with the worker role: activations, nudges, relay and sweep over the kinds given.
import { Layer } from "effect"
import { Activations } from "../actors/Activations.ts"
import { Actors } from "../actors/Actors.ts"
import { ActorWakes } from "../actors/ActorWakes.ts"
import * as Sweep from "../actors/Sweep.ts"
import * as Relay from "./Relay.ts"

/**
 * Needs the kinds, a database pool, `Temporal`, `RelayWake`, `Wakes` and `Draining`; provides the services that activities and modules use. Relay
 * and sweep stop first.
 */
export const layer = Layer.mergeAll(Relay.layer, Sweep.layer).pipe(
  Layer.provideMerge(ActorWakes.layer),
  Layer.provideMerge(Activations.layer),
  Layer.provideMerge(Actors.layer)
)
