// The URL of a hook as it is checked on create (service.md 2.6, 8; decisions W9): every fault is a 400 that names the rule.
import { Effect } from "effect"
import { ValidationError } from "../errors.ts"
import type { Outbound } from "../outbound/Outbound.ts"

/**
 * Accepts what may be called as things are now and gives it back parsed. A name without an address is accepted: it may
 * get one before the verification, and each connection checks its address anyway.
 */
export const checkHookUrl = Effect.fnUntraced(function* (outbound: Outbound["Service"], url: string) {
  return yield* outbound.check(url).pipe(
    Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.sync(() => new URL(url)) }),
    Effect.catchTag("OutboundError", (error) =>
      error.reason === "dns_failed"
        ? Effect.sync(() => new URL(url))
        : Effect.fail(new ValidationError({ message: `url: ${error.message}` }))
    )
  )
})
