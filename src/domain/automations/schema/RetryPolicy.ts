// Retry policy of an outside step (developer-api.md 7.13): number of attempts and the pauses between them.
import { Schema } from "effect"
import { list } from "../../../platform/bounds/sized.ts"
import { TimeOfDay, weekDays } from "./clockTimes.ts"
import { unset } from "./combinators.ts"

const DAY_MILLIS = 86_400_000
const STATUSES_AT_MOST = 50

const between = (minimum: number, maximum: number) => Schema.isBetween({ minimum, maximum })
const pause = Schema.Int.check(between(100, DAY_MILLIS))

const RetryWindow = Schema.Struct({
  from: TimeOfDay.annotate({ description: "`HH:mm`" }),
  to: TimeOfDay.annotate({ description: "Exclusive; not after `from`: the next day's" }),
  week_days: unset(
    list(Schema.Literals(weekDays), weekDays.length).annotate({ description: "On which it opens; none: every day" })
  )
}).annotate({
  identifier: "RetryWindow",
  description: "Hours of the automation's zone in which later attempts begin; one outside waits"
})
export type RetryWindow = typeof RetryWindow.Type

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
  ),
  window: unset(RetryWindow)
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
  if (retry.window !== undefined && retry.window.from === retry.window.to) {
    yield {
      key: "window",
      message: `\`from\` and \`to\` are both ${retry.window.from}: leave the window out where every hour will do`
    }
  }
  if (statuses) return
  if (retry.on_status !== undefined) {
    yield { key: "on_status", message: "only the answers of HTTP requests have a status" }
  }
  if (retry.retry_after_at_most_ms !== undefined) {
    yield { key: "retry_after_at_most_ms", message: "only the answers of HTTP requests have a `Retry-After`" }
  }
}
