// Items of a run's loops, as fixed at the start of each loop (service.md 2.7): read chunk by chunk, with the last chunk of each loop
// cached.
import { Effect } from "effect"
import { iterationKey, type Plan } from "../model/Plan.ts"
import type { LoopFrame } from "../model/RunScope.ts"
import type { LoopResult } from "./RunContext.ts"
import type { RunStore } from "./RunStore.ts"
import { ITEMS_PER_CHUNK } from "./runData.ts"

export const makeLoopItems = (store: RunStore["Service"], runId: string, plan: Plan) => {
  // Last chunk read, by loop.
  const chunks = new Map<string, { readonly chunk: number; readonly items: ReadonlyArray<any> }>()
  const results = new Map<string, LoopResult>()
  const loop = Effect.fnUntraced(function* (path: string, key: string) {
    const name = `${path}@${key}`
    const cachedResult = results.get(name)
    if (cachedResult !== undefined) return cachedResult
    const result = (yield* store.ledger(runId, path, key))!.result as LoopResult
    results.set(name, result)
    return result
  })
  const frame = Effect.fnUntraced(function* (path: string, outer: ReadonlyArray<number>, index: number) {
    const key = iterationKey(outer)
    const name = `${path}@${key}`
    const result = yield* loop(path, key)
    const chunk = Math.floor(index / ITEMS_PER_CHUNK)
    let cachedChunk = chunks.get(name)
    if (cachedChunk?.chunk !== chunk) {
      cachedChunk = { chunk, items: yield* store.items(runId, path, key, chunk) }
      chunks.set(name, cachedChunk)
    }
    const value = cachedChunk.items[index % ITEMS_PER_CHUNK]
    const frame: LoopFrame = {
      iterable: plan.nodes.get(path)!.action.config["iterable"],
      index,
      size: result.size,
      item:
        result.type === "records"
          ? { type: "record", record_id: value as number, app_id: result.app_id! }
          : { type: "value", value }
    }
    return frame
  })
  return { frame, loop }
}
