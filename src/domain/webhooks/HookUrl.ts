// The URL of a hook as it is checked on create (service.md 2.6, 8; decisions W9; issue "webhooks": resolvable address not
// private): every fault is a 400 that names the rule.
import { Effect } from "effect"
import type { Outbound } from "../../platform/outbound/Outbound.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"

const LOOK_UP = "5 seconds"

/** Reasons that do not reject a name: it has no address yet, or the lookup failed. */
const UNKNOWN = new Set(["dns_failed", "dns_unavailable"])

/**
 * Checks as far as possible now that the URL may be called, and returns it parsed. Accepts a name without an address: it may get one before
 * the hook is verified, which fails otherwise; each connection checks its address anyway.
 */
export const checkHookUrl = Effect.fnUntraced(function* (outbound: Outbound["Service"], url: string) {
  const unknown = Effect.sync(() => new URL(url))
  return yield* outbound.check(url).pipe(
    Effect.timeoutOrElse({ duration: LOOK_UP, orElse: () => unknown }),
    Effect.catchTag("OutboundError", (error) =>
      UNKNOWN.has(error.reason) ? unknown : Effect.fail(new ValidationError({ message: `url: ${error.message}` }))
    )
  )
})
