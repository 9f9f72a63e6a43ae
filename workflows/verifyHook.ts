// `webhooks/verify/<hook_id>/<n>` (decisions W6): sends the code to the hook's URL, at most three times, and waits until it was validated,
// replaced by a newer one or has expired. The code itself never comes here.
import { condition, proxyActivities, setCurrentDetails, setHandler } from "@temporalio/workflow"
import type { WebhookActivities } from "../activities/webhooks.ts"
import { type VerificationEnd, type VerifyHookInput, verificationEnded } from "../src/engine/temporal/messages.ts"

const TRIES = 3
const BETWEEN_TRIES = ["5 seconds", "30 seconds"] as const

const { sendVerification } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: "30 seconds",
  retry: { initialInterval: "1 second", maximumInterval: "1 minute" }
})

interface VerifyHookResult {
  readonly result: VerificationEnd | "expired"
  /** Outcome of the POST: `sent (status 204)`, `failed: timeout`. */
  readonly delivery: string
  readonly tries: number
}

export async function verifyHook(input: VerifyHookInput): Promise<VerifyHookResult> {
  let verificationEnd: VerificationEnd | undefined
  setHandler(verificationEnded, (how) => {
    verificationEnd ??= how
  })
  let delivery = "not sent"
  let tries = 0
  const deadline = input.expiresAt
  while (tries < TRIES && verificationEnd === undefined) {
    const sendResult = await sendVerification.executeWithOptions({ summary: `code for hook ${input.hookId}` }, [
      input.hookId,
      input.verification
    ])
    tries++
    if (sendResult.outcome === "sent") {
      delivery = `sent (${sendResult.reason})`
      break
    }
    delivery = `failed: ${sendResult.reason}`
    if (sendResult.outcome === "void") break
    setCurrentDetails(`Hook ${input.hookId}, try ${tries} of ${TRIES} ${delivery}`)
    if (tries < TRIES) await condition(() => verificationEnd !== undefined, BETWEEN_TRIES[tries - 1]!)
  }
  if (verificationEnd === undefined) {
    setCurrentDetails(
      `Hook ${input.hookId}: code ${delivery}; waits for it to be validated until ${new Date(deadline).toISOString()}`
    )
    await condition(() => verificationEnd !== undefined, Math.max(1, deadline - Date.now()))
  }
  const result = verificationEnd ?? "expired"
  setCurrentDetails(`Hook ${input.hookId}: code ${delivery}; ${result}`)
  return { result, delivery, tries }
}
