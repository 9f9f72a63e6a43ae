// In-memory queue of the deliveries that an activation took directly from the fan-out: they wait for a concurrency slot, per hook
// (decisions W3). Hooks are served round robin, and none gets more than its share of the slots. Each delivery stays in its bundle's row
// until its result is written.
import type { InFlight } from "../claim.ts"
import type { ClaimedHook, DeliveryRow } from "../mailboxRows.ts"
import { inRotation } from "../shares.ts"
import type { Bundle } from "./Bundle.ts"
import { rowOf } from "./bundledRow.ts"

interface Line {
  waiting: Array<Bundle>
  /** Index of the first entry of `waiting` that still waits; entries before it have been sent. */
  from: number
}

/** Limits of one activation: deliveries, waiting deliveries per hook, and bodies in UTF-16 code units. */
const DELIVERIES_AT_MOST = 8_192
const OF_HOOK_AT_MOST = 1_024
const BODIES_AT_MOST = 8 * 1024 * 1024
/** Limit for the bodies of all activations of a process, in UTF-16 code units. */
const ALL_BODIES_AT_MOST = 64 * 1024 * 1024
const TIDIED_AT = 1_024
/** Deliveries taken at once: quick receivers have answered the first before the next are sent (docs/benchmarks.md, "Measured choices"). */
export const TAKEN_AT_ONCE = 128

interface Places {
  readonly inAir: ReadonlyMap<number, InFlight>
  /** Concurrency slots that each hook may use if `busy` hooks have something to send. */
  readonly share: (busy: number) => number
  /** Totals of the process. */
  readonly all: { bodies: number }
}

export const makeBundleQueue = ({ all, inAir, share }: Places) => {
  const lines = new Map<number, Line>()
  const hooks = new Map<number, ClaimedHook>()
  let waitingCount = 0
  let openCount = 0
  let bodies = 0
  let lastHook = 0

  const placesOf = (hookId: number) => inAir.get(hookId)?.places ?? 0
  const busy = () =>
    lines.size + [...inAir].reduce((sum, [hookId, { places }]) => sum + (places > 0 && !lines.has(hookId) ? 1 : 0), 0)

  let isEnded = false
  const weigh = (more: number) => {
    if (isEnded) return
    bodies += more
    all.bodies += more
  }

  /** Ends one delivery: its result is written, or it was given back. */
  const endDelivery = (bundle: Bundle) => {
    openCount--
    bundle.left--
    if (bundle.left === 0) weigh(-bundle.rest.length)
  }

  const add = (taken: ReadonlyArray<Bundle>, of: ReadonlyArray<ClaimedHook>) => {
    for (const hook of of) hooks.set(hook.hook_id, hook)
    for (const bundle of taken) {
      weigh(bundle.rest.length)
      openCount += bundle.left
      waitingCount += bundle.left
      for (const hookId of bundle.hooks) {
        const hookQueue = lines.get(hookId)
        if (hookQueue === undefined) lines.set(hookId, { waiting: [bundle], from: 0 })
        else hookQueue.waiting.push(bundle)
      }
    }
  }

  const shift = (hookId: number, line: Line): Bundle => {
    const bundle = line.waiting[line.from++]!
    waitingCount--
    if (line.from === line.waiting.length) lines.delete(hookId)
    else if (line.from === TIDIED_AT) {
      line.waiting = line.waiting.slice(line.from)
      line.from = 0
    }
    return bundle
  }

  /** Removes up to `wanted` deliveries from the queue, at most `TAKEN_AT_ONCE`, and returns them, hooks round robin. */
  const take = (wanted: number): ReadonlyArray<DeliveryRow> => {
    const rows: Array<DeliveryRow> = []
    const limit = Math.min(wanted, TAKEN_AT_ONCE)
    const most = share(busy())
    const hookIds = inRotation([...lines.keys()], lastHook)
    for (let position = 1; position <= most && lines.size > 0 && rows.length < limit; position++)
      for (const hookId of hookIds) {
        const hookQueue = lines.get(hookId)
        if (hookQueue === undefined || placesOf(hookId) >= position || rows.length === limit) continue
        rows.push(rowOf(shift(hookId, hookQueue), hooks.get(hookId)!))
        lastHook = hookId
      }
    return rows
  }

  /** Removes the waiting deliveries that meet the condition and returns them; the caller gives them to the queue in the database. */
  const giveBack = (condition: (bundle: Bundle, hookId: number) => boolean) => {
    const returnedRows: Array<{ readonly hook_id: number; readonly bundle: Bundle }> = []
    for (const [hook_id, line] of lines) {
      const kept: Array<Bundle> = []
      for (const bundle of line.waiting.slice(line.from)) {
        if (condition(bundle, hook_id)) returnedRows.push({ hook_id, bundle })
        else kept.push(bundle)
      }
      line.waiting = kept
      line.from = 0
      if (kept.length === 0) lines.delete(hook_id)
    }
    waitingCount -= returnedRows.length
    for (const { bundle } of returnedRows) endDelivery(bundle)
    return returnedRows
  }

  return {
    add,
    /** The activation has ended. */
    end: () => {
      weigh(-bodies)
      isEnded = true
    },
    take,
    over: endDelivery,
    giveBack,
    /** Deliveries that wait for a concurrency slot. */
    waiting: () => waitingCount,
    /** Deliveries that still fit in. */
    room: () => (bodies > BODIES_AT_MOST || all.bodies > ALL_BODIES_AT_MOST ? 0 : DELIVERIES_AT_MOST - openCount),
    roomOf: (hookId: number) => {
      const hookQueue = lines.get(hookId)
      return hookQueue === undefined ? OF_HOOK_AT_MOST : OF_HOOK_AT_MOST - hookQueue.waiting.length + hookQueue.from
    },
    hookIds: (): ReadonlyArray<number> => [...hooks.keys()],
    /** Replaces what is known of the hooks `asked`: only those in `now` may still send. */
    knows: (asked: ReadonlyArray<number>, now: ReadonlyArray<ClaimedHook>) => {
      for (const hookId of asked) hooks.delete(hookId)
      for (const hook of now) hooks.set(hook.hook_id, hook)
    },
    mayUse: (hookId: number) => hooks.has(hookId)
  }
}
