// Manages the bundles of one activation (docs/architecture.md, "Bundles"): takes them, sends them in turn, and gives them back.
import { Clock, Effect } from "effect"
import type { Activation, ActorWork } from "../../../engine/actors/ActorKind.ts"
import type { InTheAir } from "../claim.ts"
import type { ClaimedHook, DeliveryRow } from "../mailboxRows.ts"
import type { Bundle, NewBundle } from "./Bundle.ts"
import { countOf, type Direct, type Directs } from "./directFanOut.ts"
import { makeHeld } from "./held.ts"
import { makeTakeApart } from "./takeApart.ts"

/** Maximum age of the hooks read: deliveries that have waited longer are sent by the hooks' current state. */
const ASKED_MILLIS = 100
/** Minimum interval between claims from the queue while bundles wait. */
const LOOK_MILLIS = 250

interface Around {
  readonly activation: Activation
  readonly directs: Directs
  readonly inAir: ReadonlyMap<number, InTheAir>
  readonly share: (busy: number) => number
}

export const makeBundleHolding = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const parts = yield* makeTakeApart
  const all = { bodies: 0 }

  return Effect.fnUntraced(function* ({ activation, directs, inAir, share }: Around) {
    const appId = Number(activation.id)
    const held = makeHeld({ all, inAir, share })
    let expected = 0
    let unsure = false
    let askedAt = Number.NEGATIVE_INFINITY
    let queueAt = Number.NEGATIVE_INFINITY

    const now = () => clock.currentTimeMillisUnsafe()
    const lookAt = (millis: number) => Effect.runSync(activation.lookAt(millis))
    const takeApart = (bundles: ReadonlyArray<Bundle>) => parts.takeApart(activation, bundles)

    const giveBack = Effect.fnUntraced(function* (condition: (bundle: Bundle, hookId: number) => boolean) {
      const given = held.giveBack(condition)
      if (given.length === 0) return
      yield* parts.giveBack(activation, given)
      queueAt = Number.NEGATIVE_INFINITY
      yield* activation.lookAt(now())
    })

    const adds = (bundles: ReadonlyArray<NewBundle>, hooks: ReadonlyArray<ClaimedHook>) => {
      const since = now()
      if (held.waiting() === 0) askedAt = since
      held.add(
        bundles.map((bundle): Bundle => ({ ...bundle, since, left: bundle.hooks.length, whole: true })),
        hooks
      )
    }

    const direct: Direct = {
      activation,
      room: () => (unsure ? 0 : held.room() - expected),
      roomOf: held.roomOf,
      begins: (count) => {
        expected += count
      },
      ended: (bundles, taken, outcome) => {
        expected -= countOf(bundles)
        const committed = outcome === "committed"
        if (outcome === "unknown") unsure = true
        if (committed && taken !== undefined) {
          const events = new Set(taken.events)
          adds(
            bundles.filter(({ event_id }) => events.has(event_id)),
            taken.hooks
          )
        }
        if (committed && (taken?.events.length ?? 0) < bundles.length) queueAt = Number.NEGATIVE_INFINITY
        lookAt(0)
      }
    }

    const accepts = (now: boolean) => {
      if (now) directs.set(appId, direct)
      else if (directs.get(appId) === direct) directs.delete(appId)
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        accepts(false)
        held.end()
      })
    )

    /**
     * Deliveries to send next. Refreshes the hooks first if they were read too long ago, and returns deliveries of hooks that may no longer
     * send to the queue.
     */
    const next = Effect.fnUntraced(function* (limit: number) {
      if (held.waiting() === 0 || limit <= 0) return []
      if (now() - askedAt > ASKED_MILLIS) {
        const [since, asked] = [now(), held.hookIds()]
        held.knows(asked, yield* parts.standing(activation, asked))
        askedAt = since
        yield* giveBack((_, hookId) => !held.mayUse(hookId))
      }
      const rows: ReadonlyArray<DeliveryRow> = held.take(limit)
      if (rows.length === 0) yield* activation.lookAt(now() + LOOK_MILLIS)
      return rows
    })

    return {
      takeApart,
      over: held.over,
      waiting: () => held.waiting() > 0,
      next,
      /** Time of the next claim from the queue, in milliseconds, even while bundles wait. */
      queueDueAt: () => queueAt + LOOK_MILLIS,
      asksQueue: (at: number) => {
        queueAt = at
      },
      direct: {
        accepts,
        expects: () => expected > 0,
        leaves: giveBack(() => true),
        unsure: () => unsure
      } satisfies ActorWork["direct"]
    }
  })
})
