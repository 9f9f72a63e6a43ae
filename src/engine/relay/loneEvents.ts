// An event that comes alone, for an actor that idles in this process, is taken, fanned out and handed over by one statement and its commit
// (docs/architecture.md, "A lone event"): the ways to Postgres are what it would wait for. Anything else about it, and a batch takes it.
import { type Cause, Clock, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { counter } from "../../ground/metrics/instruments.ts"
import { isAway, mayBeDone } from "../../ground/sql/away.ts"
import { recoverSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { ActorKinds } from "../actors/ActorKind.ts"
import type { Offer } from "../actors/handOver.ts"
import type { Idle, LoneAnswer } from "../actors/LoneEvent.ts"
import { Wakes } from "../actors/Wakes.ts"
import { countRelayed } from "./fanOut.ts"
import type { Shards } from "./relayShards.ts"
import { handedOver } from "./relaySpans.ts"

/** Of each kind, those that got rows last: as many activations may take the event, and none of them does anything else meanwhile. */
const IDLE_AT_MOST = 8
/** What the database refuses is looked at again after so long. */
const REFUSED_MILLIS = 60_000

const taken = counter("millrace.relay.lone_events")

interface Attempted {
  /** Nothing waits; or it is done. Undefined: a batch has to look. */
  readonly outcome: "idle" | "done" | undefined
  readonly given?: { readonly key: string; readonly answer: unknown }
}
const nothing: Attempted = { outcome: undefined }

/** Whether it is certain that nothing stays of it. */
const refused = (cause: Cause.Cause<unknown>) =>
  cause.reasons.every((reason) => reason._tag === "Fail" && !mayBeDone(reason.error))

interface Offered {
  readonly offer: Offer
  readonly idle: Idle
}

export const makeLoneEvents = Effect.fnUntraced(function* (shards: Shards) {
  const wakes = yield* Wakes
  const kinds = yield* ActorKinds
  const told = kinds.flatMap(({ lone, name }) => (lone === undefined ? [] : [{ name, lone }]))
  const takers =
    told.length < kinds.length
      ? []
      : told.flatMap(({ lone: { takes }, name }) => {
          const others = told.filter((other) => other.name !== name).map(({ lone }) => lone.concerns)
          return takes === undefined ? [] : [{ name, takes: takes(shards.loneOf(name, others)) }]
        })
  /** By kind, the latest last. */
  const recent = new Map(takers.map(({ name }) => [name, new Set<string>()]))
  let comeAlone = true
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

  type Asked = ReadonlyArray<{
    readonly offers: ReadonlyArray<Offered>
    readonly statement: Effect.Effect<LoneAnswer, SqlError>
  }>
  const ask = (now: Date): Asked =>
    takers.flatMap(({ name, takes }) => {
      const offers = offered(recent.get(name)!)
      const idle = offers.map((one) => one.idle)
      return offers.length === 0 ? [] : [{ offers, statement: Effect.suspend(() => takes(idle, now)) }]
    })

  /** One statement for each kind of which somebody idles: it is a transaction of its own. */
  const take = Effect.fnUntraced(function* (asked: Asked) {
    const [first, ...others] = asked.map(({ statement }) => statement)
    const answers =
      others.length === 0 ? [yield* first!] : yield* Effect.all([first!, ...others], { concurrency: "unbounded" })
    const { open, waiting } = answers[0]!.found
    const done = answers.find(({ answer }) => answer !== undefined)
    if (done === undefined)
      return { outcome: open && waiting === 0 ? "idle" : undefined } satisfies Attempted as Attempted
    const { actor_key, app_id, event_id, org_id, record_id, traceparent, type } = done.found
    const event = { app_id, record_id, traceparent, event_id: event_id!, org_id: org_id!, type: type! }
    const traced = yield* handedOver([event])
    yield* Effect.andThen(traced.ended, countRelayed(1))
    taken.add(1)
    const answer = done.answer!(traced.rows[0]!.traceparent)
    return { outcome: "done", given: { key: actor_key!, answer } } satisfies Attempted as Attempted
  })

  /** Whoever is not given anything goes on as if nothing had been; where nobody knows, it ends. */
  const settle = (asked: Asked, exit: Exit.Exit<Attempted, unknown>) => {
    const given = Exit.isSuccess(exit) ? exit.value.given : undefined
    const unsure = Exit.isFailure(exit) && !refused(exit.cause)
    if (given !== undefined) remember(given.key)
    for (const { idle, offer } of asked.flatMap(({ offers }) => offers))
      if (unsure) offer.end(undefined, true)
      else offer.endLone(idle.key === given?.key ? given.answer : undefined)
  }

  /** Of what the database refuses the batch says why. */
  const attempt = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (!comeAlone || now < refusedUntil) return undefined
    const asked = ask(new Date(now))
    if (asked.length === 0) return undefined
    const { outcome } = yield* Effect.onExit(recoverSqlDefect(take(asked)), (exit) =>
      Effect.sync(() => settle(asked, exit))
    ).pipe(
      Effect.catchTag("SqlError", (error) => {
        if (isAway(error)) return Effect.fail(error)
        refusedUntil = now + REFUSED_MILLIS
        return Effect.as(Effect.logWarning("an event that came alone is fanned out in a batch", error), nothing)
      })
    )
    return outcome
  }).pipe(Effect.uninterruptible)

  return { attempt, batched }
})
