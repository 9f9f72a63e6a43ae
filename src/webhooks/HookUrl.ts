// The URL of a hook as it is checked on create (service.md 2.6, 8; decisions W9; issue "webhooks": resolvable address not
// private): every fault is a 400 that names the rule.
import { Effect } from "effect"
import { ValidationError } from "../errors.ts"
import type { Outbound } from "../outbound/Outbound.ts"

const LOOK_UP = "5 seconds"

const invalid = (rule: string) => Effect.fail(new ValidationError({ message: `url: ${rule}` }))

/**
 * Accepts what may be called as things are now and gives it back parsed. A name that has no address is refused. Where no name
 * server answers, nothing is known against the name: it is accepted, and each connection checks its address anyway.
 */
export const checkHookUrl = Effect.fnUntraced(function* (outbound: Outbound["Service"], url: string) {
  const unknown = Effect.sync(() => new URL(url))
  return yield* outbound.check(url).pipe(
    Effect.timeoutOrElse({ duration: LOOK_UP, orElse: () => unknown }),
    Effect.catchTag("OutboundError", (error) => {
      if (error.reason === "dns_unavailable") return unknown
      return invalid(
        error.reason === "dns_failed" ? `The name ${new URL(url).hostname} has no address.` : error.message
      )
    })
  )
})
