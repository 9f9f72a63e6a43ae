// Tells running activations that they got rows: those of this process directly, those of others by NOTIFY. A lost wake-up costs only a
// wait: an activation looks again before it goes idle.
import { Context, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { hint } from "../../ground/sql/hint.ts"
import { listen } from "../../ground/sql/listen.ts"
import { PgSql } from "../../ground/sql/Sql.ts"

const CHANNEL = "actors"
/** Keys of one notification, whose payload ends at 8,000 bytes. */
const KEYS_AT_ONCE = 100

/** Called when the actor of a running activation gets rows. */
type Listening = () => void

export interface WakesShape {
  /** Registers the activation until the scope closes. */
  readonly register: (key: string, woken: Listening) => Effect.Effect<void, never, Scope.Scope>
  /** Actors with an activation in this process. */
  readonly running: () => number
  /** Wakes the actors with these keys, wherever their activations run. */
  readonly wake: (keys: ReadonlyArray<string>) => Effect.Effect<void>
}

export class Wakes extends Context.Service<Wakes, WakesShape>()("millrace/actors/Wakes") {
  static readonly layer = Layer.effect(
    Wakes,
    Effect.gen(function* () {
      const sql = yield* PgSql
      const running = new Map<string, Set<Listening>>()

      const wakeRunning = (keys: ReadonlyArray<string>): ReadonlyArray<string> =>
        keys.filter((key) => {
          const activations = running.get(key)
          activations?.forEach((woken) => {
            woken()
          })
          return activations === undefined
        })

      const elsewhere = yield* Queue.unbounded<string>()
      yield* Queue.takeAll(elsewhere).pipe(
        Effect.flatMap((keys) => {
          const distinct = [...new Set(keys)]
          const parts = Array.from({ length: Math.ceil(distinct.length / KEYS_AT_ONCE) }, (_, i) =>
            distinct.slice(i * KEYS_AT_ONCE, (i + 1) * KEYS_AT_ONCE).join("\n")
          )
          return Effect.forEach(parts, (part) => hint(sql, CHANNEL, part), { discard: true })
        }),
        Effect.catchTag("SqlError", (error) => Effect.logDebug("notify failed", error.message)),
        Effect.forever,
        Effect.forkScoped
      )

      const listening = Effect.flatMap(listen(sql, CHANNEL), (queue) =>
        Effect.forever(Effect.map(Queue.take(queue), ({ payload }) => wakeRunning(payload.split("\n"))))
      ).pipe(Effect.scoped, Effect.retry(Schedule.spaced("1 second")))
      yield* Effect.forkScoped(listening)

      return Wakes.of({
        register: (key, woken) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => running.set(key, (running.get(key) ?? new Set()).add(woken))),
              () =>
                Effect.sync(() => {
                  const activations = running.get(key)
                  activations?.delete(woken)
                  if (activations?.size === 0) running.delete(key)
                })
            )
          ),
        running: () => running.size,
        wake: (keys) => Effect.suspend(() => Effect.asVoid(Queue.offerAll(elsewhere, wakeRunning(keys))))
      })
    })
  )
}
