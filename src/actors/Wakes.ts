// Tells running activations that they got rows: those of this process through a latch, those of others by NOTIFY.
// Only a hint that saves a wait: an activation looks again before it sleeps.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Latch, Layer, Queue, Schedule, type Scope } from "effect"
import { listen } from "../sql/listen.ts"

const CHANNEL = "actors"
/** A notification's payload ends at 8,000 bytes. */
const KEYS_AT_ONCE = 100

export interface WakesShape {
  /** The latch of a running activation, opened when its actor gets rows; registered while the scope is open. */
  readonly register: (key: string) => Effect.Effect<Latch.Latch, never, Scope.Scope>
  readonly wake: (keys: ReadonlyArray<string>) => Effect.Effect<void>
}

export class Wakes extends Context.Service<Wakes, WakesShape>()("millrace/actors/Wakes") {
  static readonly layer = Layer.effect(
    Wakes,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const running = new Map<string, Set<Latch.Latch>>()

      const open = (keys: ReadonlyArray<string>): ReadonlyArray<string> =>
        keys.filter((key) => {
          const latches = running.get(key)
          latches?.forEach((latch) => {
            latch.openUnsafe()
          })
          return latches === undefined
        })

      const elsewhere = yield* Queue.unbounded<string>()
      yield* Queue.takeAll(elsewhere).pipe(
        Effect.flatMap((keys) => {
          const distinct = [...new Set(keys)]
          const parts = Array.from({ length: Math.ceil(distinct.length / KEYS_AT_ONCE) }, (_, i) =>
            distinct.slice(i * KEYS_AT_ONCE, (i + 1) * KEYS_AT_ONCE).join("\n")
          )
          return Effect.forEach(parts, (part) => sql.notify(CHANNEL, part), { discard: true })
        }),
        Effect.catchTag("SqlError", (error) => Effect.logDebug("notify failed", error.message)),
        Effect.forever,
        Effect.forkScoped
      )

      const listening = Effect.flatMap(listen(sql, CHANNEL), (queue) =>
        Effect.forever(Effect.map(Queue.take(queue), ({ payload }) => open(payload.split("\n"))))
      ).pipe(Effect.scoped, Effect.retry(Schedule.spaced("1 second")))
      yield* Effect.forkScoped(listening)

      return Wakes.of({
        register: (key) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              const latch = Latch.makeUnsafe(false)
              const latches = running.get(key) ?? new Set()
              running.set(key, latches.add(latch))
              return latch
            }),
            (latch) =>
              Effect.sync(() => {
                const latches = running.get(key)
                latches?.delete(latch)
                if (latches?.size === 0) running.delete(key)
              })
          ),
        wake: (keys) => Effect.suspend(() => Effect.asVoid(Queue.offerAll(elsewhere, open(keys))))
      })
    })
  )
}
