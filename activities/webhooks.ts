// Activities of the webhook workflows: thin, over the services of src/webhooks.
import type { Attempt } from "../src/temporal/bridge.ts"
import { Verification } from "../src/webhooks/Verification.ts"

export const webhookActivities = <R>(attempt: Attempt<R | Verification>) => ({
  /** POSTs the code of one verification; the result names no URL and no code. */
  sendVerification: attempt((hookId: number, verification: number) =>
    Verification.use((service) => service.send(hookId, verification))
  )
})

export type WebhookActivities = ReturnType<typeof webhookActivities>
