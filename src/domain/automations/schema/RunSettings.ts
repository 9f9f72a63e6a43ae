// Concurrency limit, debounce time and tolerated failures of an automation's runs (developer-api.md 7.13). They are settings of the automation and not part of
// its revisions: the next run follows them, whatever definition it has.
import { Schema } from "effect"
import { flag, withDefault } from "./combinators.ts"

export const whenFull = ["wait", "skip", "replace"] as const
const RUNS_AT_MOST = 1_000
const FAILURES_AT_MOST = 1_000
const DEBOUNCE_AT_LEAST = 100
const DEBOUNCE_AT_MOST = 7 * 86_400_000

export const Concurrency = Schema.Struct({
  at_most: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: RUNS_AT_MOST })).annotate({
    description: "Runs under way at once: begun and not over, those that wait in a delay among them"
  }),
  per_record: flag(false, "Counted for each record apart; those without a record count together"),
  when_full: Schema.Literals(whenFull)
    .annotate({
      description:
        "wait: the next stands in line; skip: it ends as cancelled; replace: the oldest is cancelled, and the next begins once that is over"
    })
    .pipe(withDefault<Schema.Literals<typeof whenFull>>("wait"))
}).annotate({ identifier: "Concurrency" })
export type Concurrency = typeof Concurrency.Type

export const DebounceMs = Schema.Int.check(
  Schema.isBetween({ minimum: DEBOUNCE_AT_LEAST, maximum: DEBOUNCE_AT_MOST })
).annotate({
  description: "Of a record trigger: fires once, so long after the last change, with the last state of the record"
})

export const PauseAfterFailures = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: FAILURES_AT_MOST })
).annotate({
  description: "Regular runs that fail in a row, after which it is paused until it is mended; a success counts from 0"
})
