// Services that webhooks need from the module that knows the filter language (decisions W13). Automations import webhooks, not the other
// way round: they implement both services (automations/hookfilters), and the composition joins them.
import { Context, type Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { OutboxEvent } from "../../engine/outbox/Event.ts"
import type { InputInvalid, ValidationError } from "../../platform/primitives/errors.ts"
import type { CallerShape } from "../accounts/Caller.ts"

/** App whose events the filters judge. */
export interface SiftedApp {
  readonly org_id: number
  readonly app_id: number
}

/** A filter and the fields of which one must have changed, as they are stored. */
export interface HookSieve {
  readonly filter: unknown
  readonly only_fields: ReadonlyArray<number> | null
}

/** A filter that is no longer usable: it cannot be parsed, or it names something that was deleted. */
export class FilterUnusable extends Schema.TaggedError<FilterUnusable>()("FilterUnusable", {
  message: Schema.String
}) {}

/** Used in every process: checks the filters that callers write. */
export class FilterRules extends Context.Service<
  FilterRules,
  {
    /** A filter as it was written, in the form that is stored. What the caller does not see is as if it were not there. */
    readonly read: (
      app: SiftedApp,
      written: HookSieve,
      caller: CallerShape
    ) => Effect.Effect<HookSieve, InputInvalid | ValidationError>
    readonly usable: (app: SiftedApp, stored: HookSieve) => Effect.Effect<void, FilterUnusable>
  }
>()("millrace/webhooks/FilterRules") {}

/** True if a stored filter matches one of the events, judged on the state at the event. */
export type Judging = (event: OutboxEvent, filter: string) => Effect.Effect<boolean, FilterUnusable | SqlError>

/** Used in the relay's process: judges events by filters. */
export class EventJudge extends Context.Service<
  EventJudge,
  {
    /**
     * Judges events of one app, given in event order. Facts about an event are queried once for all filters that are judged on it, one
     * filter after the other.
     */
    readonly of: (app: SiftedApp, events: ReadonlyArray<OutboxEvent>) => Judging
  }
>()("millrace/webhooks/EventJudge") {}
