// Bounds the memory that large payloads of runs in flight use in a process, with fair scheduling between organizations (decisions A22, P8).
// The size of each payload is bounded at reception; this file bounds their sum. A run takes its share before it locks anything, and takes
// no second one.
import { Context, Effect, Layer } from "effect"
import { makeSlotMetrics } from "../../../platform/fairness/slotMetrics.ts"
import type { LoadedRun } from "./RunRow.ts"

/** Characters of JSON; the parsed values take some ten times as many bytes. */
const SHARED_CHARS = 16 * 1024 * 1024
/** Additional characters for organizations none of whose runs has a share. */
const RESERVE_CHARS = 4 * 1024 * 1024
/** Assumed length of a payload whose row has no length: an earlier release stored it. */
const UNKNOWN_CHARS = 1024 * 1024

export class PayloadShares extends Context.Service<
  PayloadShares,
  {
    /** Runs the execution once there is room for the payload of its run; immediately if the payload is small. */
    readonly within: (loaded: LoadedRun) => <A, E, R>(execution: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("millrace/automations/run/PayloadShares") {
  static readonly layer = Layer.effect(
    PayloadShares,
    Effect.map(makeSlotMetrics("payloads", { places: SHARED_CHARS, reserve: RESERVE_CHARS }), (shares) =>
      PayloadShares.of({
        within: ({ run, trigger }) => {
          if (trigger.webhook_payload_id === undefined) return (execution) => execution
          return shares.use(run.org_id, run.app_id, trigger.webhook_payload_chars ?? UNKNOWN_CHARS)
        }
      })
    )
  )
}
