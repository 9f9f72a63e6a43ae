// An event that comes alone, for an actor that idles in this process, is taken, fanned out and handed over by one statement and its commit
// (docs/architecture.md, "A lone event"): the ways to Postgres are what it would wait for. Anything else about it, and a batch takes it.
import { Cause, Clock, Effect, Exit, Random } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { counter } from "../../ground/metrics/instruments.ts"
import { isAwayIn, mayBeDone } from "../../ground/sql/away.ts"
import { ActorKinds } from "../actors/ActorKind.ts"
import type { Offer } from "../actors/handOver.ts"
import type { Idle, LoneAnswer, RelayedEvent } from "../actors/LoneEvent.ts"
import { Wakes } from "../actors/Wakes.ts"
import { countRelayed } from "./fanOut.ts"
import type { OutboxFloor } from "./outboxFloor.ts"
import type { Shards } from "./relayShards.ts"
import { handedOver } from "./relaySpans.ts"

/** Of each kind, those that got rows last: as many activations may take the event, and none of them does anything else meanwhile. */
const IDLE_AT_MOST = 8
/** What the database refuses is looked at again after so long. */
const REFUSED_MILLIS = 60_000

const taken = counter("millrace.relay.lone_events")

/** Of events that are not taken so as many are passed over in the end: each that is asked for has cost the batch's event a way. */
const PASSED_OVER_AT_MOST = 31

/** Whether it is certain that nothing stays of it. */
const refused = (cause: Cause.Cause<unknown>) =>
  cause.reasons.every((reason) => Cause.isFailReason(reason) && !mayBeDone(reason.error))

const eventOf = ({ app_id, event_id, org_id, record_id, traceparent, type }: LoneAnswer["found"]): RelayedEvent => ({
  ...{ app_id, record_id, traceparent, event_id: event_id!, org_id: org_id!, type: type! }
})

interface Offered {
  readonly offer: Offer
  readonly idle: Idle
}

export const makeLoneEvents = Effect.fnUntraced(function* (shards: Shards, floor: OutboxFloor) {
  const wakes = yield* Wakes
  const kinds = yield* ActorKinds
  const told = kinds.flatMap(({ lone, name }) => (lone === undefined ? [] : [{ name, lone }]))
  const takers =
    told.length < kinds.length
      ? []
      : told.flatMap(({ lone: { concerns, takes }, name }) => {
          const others = told.filter((other) => other.name !== name).map(({ lone }) => lone.concerns)
          return takes === undefined ? [] : [{ name, takes: takes(shards.loneOf(name, concerns, others)) }]
        })
  /** By kind, the latest last. */
  const recent = new Map(takers.map(({ name }) => [name, new Set<string>()]))
  let comeAlone = true
  /**
   * Events that came alone and were not to be taken so since one was, and how many are not asked for now. That is drawn: what comes in a rhythm would
   * else be asked for at the same beat each time.
   */
  const vain = { asked: 0, passesOver: 0 }
  let refusedUntil = Number.NEGATIVE_INFINITY

  const remember = (key: string) => {
    const keys = recent.get(key.slice(0, key.lastIndexOf("/")))
    if (keys === undefined) return
    keys.delete(key)
    keys.add(key)
    if (keys.size > IDLE_AT_MOST) for (const first of [...keys].slice(0, -IDLE_AT_MOST)) keys.delete(first)
  }

  /** What a batch has come to: whether events come alone now, and to whom. */
  const batched = (found: number, addressed: ReadonlyArray<string>) => {
    comeAlone = found <= 1
    for (const key of addressed.slice(-IDLE_AT_MOST * takers.length)) remember(key)
  }

  const offered = (keys: ReadonlySet<string>): ReadonlyArray<Offered> =>
    [...keys].flatMap((key) => {
      const offer = wakes.offer(key)
      const idle = offer?.idle()
      if (offer !== undefined && idle === undefined) offer.endLone(undefined)
      return offer === undefined || idle === undefined ? [] : [{ offer, idle }]
    })

  interface Asked {
    readonly offers: ReadonlyArray<Offered>
    readonly from: number
    readonly statement: Effect.Effect<LoneAnswer, SqlError>
  }
  const ask = (now: Date, from: number): ReadonlyArray<Asked> =>
    takers.flatMap(({ name, takes }) => {
      const offers = offered(recent.get(name)!)
      const idle = offers.map((one) => one.idle)
      return offers.length === 0 ? [] : [{ offers, from, statement: Effect.suspend(() => takes({ idle, now, from })) }]
    })

  /** Whoever is given it goes first: the turn ends behind it, so that what it has begun to send leaves before anything is counted. */
  const relayed = Effect.fnUntraced(function* (event: RelayedEvent, to: (traceparent: string | null) => void) {
    const { ended, rows } = yield* handedOver([event])
    to(rows[0]!.traceparent)
    yield* Effect.yieldNow
    yield* Effect.andThen(ended, countRelayed(1))
  })

  /** The statement of a kind, a transaction of its own. Whoever is given nothing goes on as if nothing had been; where nobody knows, it ends. */
  const attemptOne = ({ from, offers, statement }: Asked) => {
    const open = new Set(offers)
    const end = (by: (offered: Offered) => void) => {
      for (const one of open) by(one)
      open.clear()
    }
    const unsure = ({ offer }: Offered) => offer.end(undefined, true)
    return Effect.gen(function* () {
      const exit = yield* Effect.exit(statement)
      if (Exit.isFailure(exit)) {
        end(refused(exit.cause) ? ({ offer }) => offer.endLone(undefined) : unsure)
        return exit.cause
      }
      const { answer, found } = exit.value
      floor.looked(found, from)
      const endAll = (given: unknown) =>
        end(({ idle, offer }) => offer.endLone(idle.key === found.actor_key ? given : undefined))
      if (answer !== undefined) {
        yield* relayed(eventOf(found), (traceparent) => endAll(answer(traceparent)))
        taken.add(1)
        remember(found.actor_key!)
        return "done"
      }
      endAll(undefined)
      if (found.nobody !== null) {
        yield* relayed(found.nobody, () => {})
        return "done"
      }
      return found.open && found.oldest === null ? "idle" : undefined
    }).pipe(Effect.ensuring(Effect.sync(() => end(unsure))), Effect.catchCause(Effect.succeed))
  }

  /**
   * Undefined: a batch has to look. It does what could not be done so, on a connection of its own; what may pass is tried again with the next
   * event.
   */
  const attempt = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (!comeAlone || now < refusedUntil) return undefined
    if (vain.passesOver > 0) {
      vain.passesOver--
      return undefined
    }
    const [first, ...others] = ask(new Date(now), floor.from())
    if (first === undefined) return undefined
    const outcomes =
      others.length === 0
        ? [yield* attemptOne(first)]
        : yield* Effect.all([first, ...others].map(attemptOne), { concurrency: "unbounded" })
    const outcome = outcomes.find((one) => one === "done") ?? outcomes.find((one) => one === "idle")
    if (outcome === "done") {
      vain.asked = 0
      return outcome
    }
    if (outcome === undefined)
      vain.passesOver = yield* Random.nextIntBetween(0, Math.min(2 ** ++vain.asked - 1, PASSED_OVER_AT_MOST))
    for (const cause of outcomes)
      if (typeof cause === "object" && !isAwayIn(cause)) {
        refusedUntil = now + REFUSED_MILLIS
        yield* Effect.logWarning("an event that came alone is fanned out in a batch", cause)
      }
    return outcome
  }).pipe(Effect.uninterruptible)

  return { attempt, batched }
})
