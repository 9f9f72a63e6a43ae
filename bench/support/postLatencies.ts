// Measures the time from events to their POSTs under a steady load of single events, spread over apps.
import { Clock, Effect } from "effect"
import { append, creations, type HookApp, type Operate } from "./hooks.ts"
import { BenchFailed } from "./Row.ts"
import type { BenchReceiver } from "./receiver.ts"
import { steadily } from "./steady.ts"

/** Milliseconds from each event's commit to its arrival. @param load `from`: the first record's id; no load before may have used the ids */
export const postLatenciesOf = Effect.fnUntraced(function* (
  operate: Operate,
  receiver: BenchReceiver,
  apps: ReadonlyArray<HookApp>,
  { from, perSecond, seconds }: { readonly seconds: number; readonly perSecond: number; readonly from: number }
) {
  const sentAtById = new Map<string, number>()
  const latencies: Array<number> = []
  receiver.onRequest((_path, body) => {
    const receivedAt = performance.now()
    const { record_id } = JSON.parse(body)
    const since = sentAtById.get(String(record_id))
    if (since !== undefined) latencies.push(receivedAt - since)
    sentAtById.delete(String(record_id))
  })
  yield* steadily(seconds, perSecond, (tick) => {
    const record = from + tick
    return Effect.suspend(() => {
      sentAtById.set(String(record), performance.now())
      return operate(append(creations(apps[tick % apps.length]!, record, 1)))
    })
  })
  const until = (yield* Clock.currentTimeMillis) + 30_000
  while (sentAtById.size > 0 && (yield* Clock.currentTimeMillis) < until) yield* Effect.sleep("50 millis")
  receiver.onRequest(undefined)
  if (sentAtById.size > 0) return yield* new BenchFailed({ message: `${sentAtById.size} events never arrived` })
  return latencies
})
