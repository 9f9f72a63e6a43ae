// Runs one activation from `begin` to `sleep`, with its heartbeats (design: actors, points 3 and 4). The activity is a thin shell.
import { Clock, Context, Effect, Latch, Layer, Random, Ref } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { ACTIVATION_SLOTS } from "../../../temporal.config.ts"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { type Owner, PlacesFull } from "../../platform/fairness/FairPlaces.ts"
import { makeSlotMetrics } from "../../platform/fairness/slotMetrics.ts"
import { Wakes } from "../../platform/sql/Wakes.ts"
import { Draining } from "../temporal/Draining.ts"
import type { ActivationResult } from "../temporal/messages.ts"
import * as Activation from "./Activation.ts"
import { type ActorKind, ActorKinds, type ActorWork, actorKey } from "./ActorKind.ts"
import { Actors } from "./Actors.ts"
import { activationLoop, type WorkOutcome } from "./activationLoop.ts"
import { type ActorSight, anyFailing, table } from "./actorDetails.ts"
import type { RaisedFence } from "./raiseFence.ts"

export interface ActivationsShape {
  readonly run: (
    kind: string,
    id: string,
    heartbeat: (details: ActorSight) => Effect.Effect<void>
  ) => Effect.Effect<ActivationResult, SqlError>
  /** Activations running in this process. */
  readonly running: Effect.Effect<number>
}

const BROKEN_PAUSE = "1 second"
/** Under high load `seen_at` is written every 5th heartbeat, and the details for the operator are refreshed every 2nd. */
const SEEN_EVERY_BEATS = 5
const REFRESHED_EVERY_BEATS = 2

const WAITS = "Waits for a place: its organization has many others at work."

const isFull = (error: unknown): error is PlacesFull => error instanceof PlacesFull

export class Activations extends Context.Service<Activations, ActivationsShape>()("millrace/actors/Activations") {
  static readonly layer = Layer.effect(
    Activations,
    Effect.gen(function* () {
      const services = yield* Effect.context<Actors | SqlClient.SqlClient>()
      const actors = yield* Actors
      const stops = yield* Draining
      const wakes = yield* Wakes
      const tuning = yield* ActorTuning
      const kinds = new Map((yield* ActorKinds).map((kind) => [kind.name, kind]))
      const count = yield* Ref.make(0)
      const commits = yield* makeSlotMetrics("commits", {
        places: tuning.commitsAtOnce,
        reserve: tuning.commitsReserved
      })
      const activationSlots = yield* makeSlotMetrics("activations", {
        places: tuning.activationsAtOnce,
        reserve: tuning.activationsReserved,
        waiting: tuning.activationsWaiting
      })
      const crowded = Effect.map(Ref.get(count), (n) => n > ACTIVATION_SLOTS / 2)

      /** Lengthens the interval with the number of activations: each heartbeat is a write in Temporal's database. */
      const heartbeatEvery = Effect.map(Ref.get(count), (n) =>
        Math.max(
          tuning.heartbeatEveryMillis,
          Math.min(n * tuning.heartbeatCrowdMillis, tuning.heartbeatTimeoutMillis / 2)
        )
      )

      const keepSeen = (key: string, { fence, onDisk }: RaisedFence, lost: Effect.Effect<void>) =>
        Effect.flatMap(heartbeatEvery, (every) =>
          Effect.sleep(Math.max(tuning.seenEveryMillis, SEEN_EVERY_BEATS * every))
        ).pipe(
          Effect.andThen(actors.seen(key, fence)),
          Effect.tap((mine) => (mine ? Effect.void : lost)),
          // A failed write is ignored: while Postgres is away the activation cannot be fenced either.
          Effect.catchTag("SqlError", () => Effect.void),
          Effect.forever,
          (signs) => Effect.andThen(onDisk, signs)
        )

      /**
       * Runs the work once the organization gets a slot. `full`: enough of it wait already, each with a slot of Temporal's; `stopping`: the
       * process ends before that.
       */
      const inTurn = <A, E, R>(owner: Owner, work: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          let hasBegun = false
          const useSlot = activationSlots.tryUse(owner)(
            Effect.suspend(() => {
              hasBegun = true
              return work
            })
          )
          const end = Effect.flatMap(stops.wait, () => (hasBegun ? Effect.never : Effect.succeed("stopping" as const)))
          return Effect.raceFirst(
            Effect.catchIf(useSlot, isFull, () => Effect.succeed("full" as const)),
            end
          )
        })

      const endWork = Effect.fnUntraced(function* (kind: ActorKind, id: string, fence: number, outcome: WorkOutcome) {
        if (outcome === "broken") yield* Effect.sleep(BROKEN_PAUSE)
        else {
          const { asleep, nextDueAt } = yield* actors.sleep(kind, id, fence)
          if (asleep) return { again: false, nextDueAt: nextDueAt?.getTime() ?? null }
          if (outcome === "quiet") return "due" as const
        }
        yield* actors.leaveCalled(actorKey(kind.name, id), fence)
        return { again: true, nextDueAt: null }
      })

      const activate = Effect.fnUntraced(function* (
        kind: ActorKind,
        id: string,
        heartbeat: (details: ActorSight) => Effect.Effect<void>
      ) {
        const key = actorKey(kind.name, id)
        const latch = Latch.makeUnsafe(false)
        const nextLook: Activation.NextLook = { at: 0, told: Number.POSITIVE_INFINITY }
        const woken = () => {
          nextLook.at = 0
          latch.openUnsafe()
        }
        yield* wakes.register(key, woken)
        // Heartbeats start before the first query: a slow database must not cost the activation its slot at the server.
        let currentSight: Effect.Effect<ActorSight> = Effect.succeed({ fence: 0, lines: [] })
        yield* Effect.suspend(() => currentSight).pipe(
          Effect.flatMap(heartbeat),
          Effect.andThen(Effect.flatMap(heartbeatEvery, Effect.sleep)),
          Effect.forever,
          Effect.forkScoped
        )
        const activationStart = yield* actors.begin(kind.name, id)
        const { fence } = activationStart
        // Frees the actor after a terminated workflow or a shutdown that ran out of time: the sweep need not wait for a minute of silence.
        yield* Effect.addFinalizer((exit) =>
          exit._tag === "Failure" ? Effect.ignore(actors.leaveCalled(key, fence)) : Effect.void
        )
        let lost: Effect.Effect<void> = Effect.void
        yield* Effect.forkScoped(
          keepSeen(
            key,
            activationStart,
            Effect.suspend(() => lost)
          )
        )
        const work = Effect.gen(function* () {
          const activationCount = yield* Ref.get(count)
          const draining = stops.begun
          const running = yield* Activation.make({
            ...{ kind, id, begun: activationStart, latch, nextLook },
            ...{ commits, beside: activationCount, draining }
          })
          lost = running.lost
          yield* stops.wait.pipe(Effect.andThen(latch.open), Effect.forkScoped)
          const work: ActorWork = yield* kind.activate(running.activation)
          currentSight = Effect.map(work.details, (lines): ActorSight => ({ fence, lines }))
          // A failed refresh keeps the former details, for instance while Postgres is away.
          const refresh = Effect.ignore(work.refresh ?? Effect.void)
          yield* Effect.flatMap(heartbeatEvery, (every) =>
            Effect.sleep(every > tuning.heartbeatEveryMillis ? REFRESHED_EVERY_BEATS * every : every)
          ).pipe(Effect.andThen(refresh), Effect.forever, Effect.forkScoped)
          for (let suspects = !activationStart.orderly; ; suspects = true) {
            const outcome = yield* activationLoop(running, work, { crowded, suspects })
            yield* activationStart.onDisk
            const end = yield* endWork(kind, id, fence, outcome)
            if (end === "due") continue
            yield* refresh
            const { lines } = yield* currentSight
            return { ...end, details: table(lines, yield* Clock.currentTimeMillis), failing: anyFailing(lines) }
          }
        })
        const workResult = yield* inTurn(activationStart.org_id ?? key, Effect.scoped(work))
        if (typeof workResult === "object") return workResult
        yield* actors.leaveCalled(key, fence)
        const waitingState = { details: WAITS, failing: false }
        if (workResult === "stopping") return { ...waitingState, again: true, nextDueAt: null }
        const delayMillis = tuning.activationAgainMillis * (0.5 + (yield* Random.next))
        return { ...waitingState, again: false, nextDueAt: (yield* Clock.currentTimeMillis) + delayMillis }
      }, Effect.scoped)

      const run: ActivationsShape["run"] = Effect.fnUntraced(
        function* (name, id, heartbeat) {
          const kind = kinds.get(name)
          if (kind === undefined) return yield* Effect.die(new Error(`no kind of actors is called ${name}`))
          return yield* activate(kind, id, heartbeat).pipe(
            // The result is discarded by Temporal: the server has given the activation to another worker.
            Effect.catchTag("Fenced", () =>
              Effect.succeed({ again: false, nextDueAt: null, details: "", failing: false })
            ),
            Effect.provideContext(services)
          )
        },
        (self) =>
          Effect.acquireUseRelease(
            Ref.update(count, (n) => n + 1),
            () => self,
            () => Ref.update(count, (n) => n - 1)
          )
      )

      return Activations.of({ run, running: Ref.get(count) })
    })
  )
}
