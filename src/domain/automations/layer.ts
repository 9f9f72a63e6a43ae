// The services of automation definitions, over accounts, records and the outbox.
import { Layer } from "effect"
import { Listing } from "./definitions/AutomationListing.ts"
import { States } from "./definitions/AutomationStates.ts"
import { Automations } from "./definitions/Automations.ts"
import { Inbound } from "./definitions/InboundAddresses.ts"
import { Models } from "./definitions/ValidationModels.ts"

export const AutomationDefinitions = Layer.mergeAll(States.layer, Listing.layer).pipe(
  Layer.provideMerge(Automations.layer),
  Layer.provideMerge(Layer.mergeAll(Inbound.layer, Models.layer))
)
