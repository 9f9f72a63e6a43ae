// What the webhooks room gives: to every process its services, to a worker what actor and workflows need besides.
import { Layer } from "effect"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryExport } from "./DeliveryExport.ts"
import { DeliveryBacklog } from "./deliveryBacklog.ts"
import { HookConfigurations } from "./HookConfigurations.ts"
import { HookNotices } from "./HookNotices.ts"
import { Hooks } from "./Hooks.ts"
import { HookTests } from "./HookTests.ts"
import { HookReplays } from "./replays/HookReplays.ts"
import { WebhookSettings } from "./settings.ts"
import { HookStatistics } from "./statistics/HookStatistics.ts"
import { Verification } from "./Verification.ts"
import { Verifications } from "./Verifications.ts"

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
