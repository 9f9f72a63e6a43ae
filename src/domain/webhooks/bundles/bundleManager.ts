// Manages the bundles of one activation (docs/architecture/flow.md, "Bundles"): takes them, sends them in turn, and gives them back.
import { Clock, Effect } from "effect"
import type { Activation, ActorWork } from "../../../engine/actors/ActorKind.ts"
import type { InFlight } from "../claim.ts"
import type { ClaimedHook, DeliveryRow } from "../mailboxRows.ts"
import { type Bundle, bundlesOf, type NewBundle } from "./Bundle.ts"
import { makeBundleQueue, TAKEN_AT_ONCE } from "./bundleQueue.ts"
import { countOf, type Direct, type Directs } from "./directFanOut.ts"
import { makeSplitBundles } from "./splitBundles.ts"

/** Maximum age of the hooks read: deliveries that have waited longer are sent by the hooks' current state. */
const ASKED_MILLIS = 100
/** Minimum interval between claims from the queue while bundles wait. */
const LOOK_MILLIS = 250

interface Around {
  readonly activation: Activation
  readonly directs: Directs
  readonly inAir: ReadonlyMap<number, InFlight>
  readonly share: (busy: number) => number
}

export const makeBundleManager = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const parts = yield* makeSplitBundles
  const totals = { bodies: 0 }

  return Effect.fnUntraced(function* ({ activation, directs, inAir, share }: Around) {
    const appId = Number(activation.id)
    const heldBundles = makeBundleQueue({ all: totals, inAir, share })
    let expected = 0
    let askedAt = Number.NEGATIVE_INFINITY
    let queueAt = Number.NEGATIVE_INFINITY

    const readClock = () => clock.currentTimeMillisUnsafe()
    const scheduleLook = (millis: number) => Effect.runSync(activation.lookAt(millis))

    const giveBack = Effect.fnUntraced(function* (condition: (bundle: Bundle, hookId: number) => boolean) {
      const returnedRows = heldBundles.giveBack(condition)
      if (returnedRows.length === 0) return
      yield* parts.giveBack(activation, returnedRows)
      queueAt = Number.NEGATIVE_INFINITY
      yield* activation.lookAt(readClock())
    })

    const adds = (bundles: ReadonlyArray<NewBundle>, hooks: ReadonlyArray<ClaimedHook>) => {
      const since = readClock()
      if (heldBundles.waiting() === 0) askedAt = since
      heldBundles.add(
        bundles.map((bundle): Bundle => ({ ...bundle, since, left: bundle.hooks.length, whole: true })),
        hooks
      )
    }

    const direct: Direct = {
      activation,
      room: () => heldBundles.room() - expected,
      roomOf: heldBundles.roomOf,
      begins: (count) => {
        expected += count
      },
      ended: (bundles, taken, outcome) => {
        expected -= countOf(bundles)
        const committed = outcome === "committed"
        if (outcome === "unknown") Effect.runSync(activation.stop)
        if (committed && taken !== undefined) {
          const events = new Set(taken.events)
          adds(
            bundles.filter(({ event_id }) => events.has(event_id)),
            taken.hooks
          )
        }
        if (committed && (taken?.events.length ?? 0) < bundles.length) queueAt = Number.NEGATIVE_INFINITY
        scheduleLook(0)
      }
    }

    const setDirect = (now: boolean) => {
      if (now) directs.set(appId, direct)
      else if (directs.get(appId) === direct) directs.delete(appId)
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        setDirect(false)
        heldBundles.end()
      })
    )

    /**
     * Deliveries to send next. Refreshes the hooks first if they were read too long ago, and returns deliveries of hooks that may no longer
     * send to the queue.
     */
    const next = Effect.fnUntraced(function* (limit: number) {
      if (heldBundles.waiting() === 0 || limit <= 0) return []
      if (readClock() - askedAt > ASKED_MILLIS) {
        const [since, asked] = [readClock(), heldBundles.hookIds()]
        heldBundles.knows(asked, yield* parts.standing(activation, asked))
        askedAt = since
        yield* giveBack((_, hookId) => !heldBundles.mayUse(hookId))
      }
      const rows: ReadonlyArray<DeliveryRow> = heldBundles.take(limit)
      if (rows.length === 0) yield* activation.lookAt(readClock() + LOOK_MILLIS)
      else if (rows.length === TAKEN_AT_ONCE) yield* activation.lookAt(readClock())
      return rows
    })

    return {
      takeApart: (rows: ReadonlyArray<DeliveryRow>) => parts.takeApart(activation, bundlesOf(rows)),
      /** The result of a delivery is written. */
      over: ({ bundle }: DeliveryRow) => {
        if (bundle !== undefined) heldBundles.over(bundle)
      },
      waiting: () => heldBundles.waiting() > 0,
      next,
      /** Time of the next claim from the queue, in milliseconds, even while bundles wait. */
      queueDueAt: () => queueAt + LOOK_MILLIS,
      asksQueue: (at: number) => {
        queueAt = at
      },
      acceptRows: Effect.fnUntraced(function* (now: boolean) {
        setDirect(now)
        if (!now && expected === 0) yield* giveBack(() => true)
        return expected === 0
      }) satisfies ActorWork["acceptRows"]
    }
  })
})
