// Whether Temporal answers now. A call to an absent server hangs, so it is made in the background and only its outcome is asked for.
import { Clock, Effect } from "effect"
import { Temporal } from "./Temporal.ts"

const EVERY = "2 seconds"
const PATIENCE = "2 seconds"
/** Older than two looks and their patience: it is away. */
const FRESH_MILLIS = 7_000

export const makeReach = Effect.gen(function* () {
  const temporal = yield* Temporal
  const { address } = temporal.settings.connection
  const begun = yield* Clock.currentTimeMillis
  let last: number | undefined
  const look = temporal
    .call((client) => client.workflowService.getSystemInfo({}))
    .pipe(
      Effect.timeout(PATIENCE),
      Effect.andThen(Clock.currentTimeMillis),
      Effect.match({
        onFailure: () => undefined,
        onSuccess: (now) => {
          last = now
        }
      })
    )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(EVERY))))
  return Effect.map(Clock.currentTimeMillis, (now) => {
    if (last !== undefined && now - last <= FRESH_MILLIS) return { ok: true }
    const seconds = Math.round((now - (last ?? begun)) / 1_000)
    return { ok: false, detail: `${address} has not answered for ${seconds} s` }
  })
})
