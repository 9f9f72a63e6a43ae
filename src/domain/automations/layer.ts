// The services of automation definitions, over accounts, records and the outbox.
import { Layer } from "effect"
import { AutomationListing } from "./definitions/AutomationListing.ts"
import { AutomationStates } from "./definitions/AutomationStates.ts"
import { Automations } from "./definitions/Automations.ts"
import { InboundAddresses } from "./definitions/InboundAddresses.ts"
import { ValidationModels } from "./definitions/ValidationModels.ts"

export const AutomationDefinitions = Layer.mergeAll(AutomationStates.layer, AutomationListing.layer).pipe(
  Layer.provideMerge(Automations.layer),
  Layer.provideMerge(Layer.mergeAll(InboundAddresses.layer, ValidationModels.layer))
)
