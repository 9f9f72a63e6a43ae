// Activities of the webhook workflows: thin, over the services of src/domain/webhooks.

import { Verification } from "../src/domain/webhooks/Verification.ts"
import type { ActivityAttempt } from "../src/engine/temporal/bridge.ts"
import { rootSpan } from "../src/platform/telemetry/traceContext.ts"

export const webhookActivities = <R>(attempt: ActivityAttempt<R | Verification>) => ({
  /** POSTs the code of one verification; the result names no URL and no code. */
  sendVerification: attempt((hookId: number, verification: number) =>
    Verification.use((service) => service.send(hookId, verification)).pipe(
      rootSpan("verify hook", { "millrace.hook.id": hookId })
    )
  )
})

export type WebhookActivities = ReturnType<typeof webhookActivities>
