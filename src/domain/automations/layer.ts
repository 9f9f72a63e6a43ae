// Services of automations that every process has: definitions, run requests, reading of runs, inbound webhooks, weblinks. engineLayer.ts
// has those that execute runs.
import { Layer } from "effect"
import { AutomationListing } from "./definitions/AutomationListing.ts"
import { Automations } from "./definitions/Automations.ts"
import { AutomationTransitions } from "./definitions/AutomationTransitions.ts"
import { DefinitionChecks } from "./definitions/DefinitionChecks.ts"
import { DefinitionWarnings } from "./definitions/DefinitionWarnings.ts"
import { InboundAddresses } from "./definitions/InboundAddresses.ts"
import { PortableAutomations } from "./definitions/PortableAutomations.ts"
import { ValidationModels } from "./definitions/ValidationModels.ts"
import { Catches } from "./inbound/Catches.ts"
import { InboundProofs } from "./inbound/InboundProofs.ts"
import { WeblinkMint } from "./model/WeblinkMint.ts"
import { RunDiffs } from "./requests/RunDiffs.ts"
import { RunLogs } from "./requests/RunLogs.ts"
import { RunLoops } from "./requests/RunLoops.ts"
import { RunOutcomes } from "./requests/RunOutcomes.ts"
import { RunRequests } from "./requests/RunRequests.ts"
import { RunSummaries } from "./requests/RunSummaries.ts"
import { Runs } from "./requests/Runs.ts"
import { StepTests } from "./requests/StepTests.ts"
import { RevisionCache } from "./run/RevisionCache.ts"
import { RunBacklog } from "./run/runBacklog.ts"
import { Clicks } from "./weblinks/Clicks.ts"
import { Weblinks } from "./weblinks/Weblinks.ts"

/** Services of definitions; need accounts, records and the outbox. */
export const AutomationDefinitions = Layer.mergeAll(
  AutomationTransitions.layer,
  AutomationListing.layer,
  PortableAutomations.layer
).pipe(
  Layer.provideMerge(Automations.layer),
  Layer.provideMerge(Layer.mergeAll(InboundAddresses.layer, DefinitionChecks.layer, DefinitionWarnings.layer)),
  Layer.provideMerge(ValidationModels.layer)
)

/** Services of runs; need those of definitions as well. */
export const RunServices = Layer.mergeAll(
  Weblinks.layer,
  Catches.layer,
  InboundProofs.layer,
  Clicks.layer,
  RunDiffs.layer,
  Layer.provide(Layer.mergeAll(RunLogs.layer, RunLoops.layer), RevisionCache.layer),
  RunSummaries.layer,
  StepTests.layer,
  RunBacklog
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      RunRequests.layer,
      Layer.provide(Runs.layer, RevisionCache.layer),
      RunOutcomes.layer,
      WeblinkMint.layer
    )
  )
)
