// Large payloads of runs in flight share what a process has for them, between organizations in turn (decisions A22, P8): each is bounded by
// itself when it comes in, and many at once by this. A run takes its share before it locks anything, and no second one.
import { Context, Effect, Layer } from "effect"
import { makeShownPlaces } from "../../../ground/fairness/shown.ts"
import type { LoadedRun } from "./RunRow.ts"

/** Characters of JSON; as values they take some ten times as many bytes. */
const SHARED_CHARS = 16 * 1024 * 1024
/** Further ones for organizations whose runs have none. */
const RESERVE_CHARS = 4 * 1024 * 1024
/** Of a payload whose length nobody noted: a release before this one kept it. */
const UNKNOWN_CHARS = 1024 * 1024

export class PayloadShares extends Context.Service<
  PayloadShares,
  {
    /** The execution, once there is room for the payload of its run; at once where that is small. */
    readonly within: (loaded: LoadedRun) => <A, E, R>(execution: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("millrace/automations/run/PayloadShares") {
  static readonly layer = Layer.effect(
    PayloadShares,
    Effect.map(makeShownPlaces("payloads", { places: SHARED_CHARS, reserve: RESERVE_CHARS }), (shares) =>
      PayloadShares.of({
        within: ({ run, trigger }) => {
          if (trigger.webhook_payload_id === undefined) return (execution) => execution
          return shares.use(run.org_id, run.app_id, trigger.webhook_payload_chars ?? UNKNOWN_CHARS)
        }
      })
    )
  )
}
