// Layers of the webhooks module: services for every process, and for a worker the further services of the actor and the workflows.
import { Layer } from "effect"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryExport } from "./DeliveryExport.ts"
import { DeliveryBacklog } from "./deliveryBacklog.ts"
import { HookConfigurations } from "./HookConfigurations.ts"
import { HookNotices } from "./HookNotices.ts"
import { Hooks } from "./Hooks.ts"
import { HookTests } from "./HookTests.ts"
import { HookReplays } from "./replays/HookReplays.ts"
import { HookStatistics } from "./statistics/HookStatistics.ts"
import { Verification } from "./Verification.ts"
import { Verifications } from "./Verifications.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

export const WebhookServices = Layer.mergeAll(
  Hooks.layer,
  HookConfigurations.layer,
  HookTests.layer,
  Deliveries.layer,
  DeliveryExport.layer,
  HookReplays.layer,
  HookStatistics.layer,
  DeliveryBacklog
).pipe(Layer.provideMerge(WebhookSettings.layer))

/** Needs `Temporal`. */
export const WebhookWorker = Layer.mergeAll(HookNotices.layer, Verifications.layer, Verification.layer)
