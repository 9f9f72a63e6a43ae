// The services of automation definitions, over accounts, records and the outbox.
import { Layer } from "effect"
import { Automations } from "./Automations.ts"
import { Inbound } from "./Inbound.ts"
import { Listing } from "./Listing.ts"
import { Models } from "./Models.ts"
import { States } from "./States.ts"

export const AutomationDefinitions = Layer.mergeAll(States.layer, Listing.layer).pipe(
  Layer.provideMerge(Automations.layer),
  Layer.provideMerge(Layer.mergeAll(Inbound.layer, Models.layer))
)
