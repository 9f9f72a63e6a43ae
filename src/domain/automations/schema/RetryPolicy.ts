// Retry policy of an outside step (developer-api.md 7.13): number of attempts and the pauses between them.
import { Schema } from "effect"
import { list } from "../../../ground/bounds/sized.ts"
import { unset } from "./combinators.ts"

const DAY_MILLIS = 86_400_000
const STATUSES_AT_MOST = 50

const between = (minimum: number, maximum: number) => Schema.isBetween({ minimum, maximum })
const pause = Schema.Int.check(between(100, DAY_MILLIS))

export const Retry = Schema.Struct({
  attempts: Schema.Int.check(between(1, 10)).annotate({ description: "In all, the first included" }),
  first_ms: pause.annotate({ description: "Pause before the second attempt" }),
  factor: Schema.Finite.check(between(1, 10)).annotate({ description: "Each pause is so many times the one before" }),
  at_most_ms: pause.annotate({ description: "No pause is longer" }),
  on_status: unset(
    list(Schema.Int.check(between(400, 599)), STATUSES_AT_MOST).annotate({
      description: "Of HTTP requests: the answers that are tried again instead of 408, 425, 429, 500, 502, 503 and 504"
    })
  ),
  retry_after_at_most_ms: unset(
    pause.annotate({ description: "Of HTTP requests: waits as long as the answer's `Retry-After` says, at most this" })
  )
}).annotate({ identifier: "Retry", description: "Tries again after a fault that may pass" })
export type Retry = typeof Retry.Type

/** Yields mistakes that the shape alone does not exclude. */
export function* retryMistakes(
  retry: Retry,
  statuses: boolean
): Iterable<{ readonly key: string; readonly message: string }> {
  if (retry.at_most_ms < retry.first_ms) {
    yield { key: "at_most_ms", message: `${retry.at_most_ms} is less than \`first_ms\`, ${retry.first_ms}` }
  }
  if (statuses) return
  if (retry.on_status !== undefined) {
    yield { key: "on_status", message: "only the answers of HTTP requests have a status" }
  }
  if (retry.retry_after_at_most_ms !== undefined) {
    yield { key: "retry_after_at_most_ms", message: "only the answers of HTTP requests have a `Retry-After`" }
  }
}
