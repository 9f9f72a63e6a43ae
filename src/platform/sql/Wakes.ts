// Wakes whoever waits under a name: activations that got rows, requests whose run is over. Those of this process directly, those of others by
// NOTIFY. A lost wake-up costs only a wait: an activation looks again before it goes idle, a request a little later.
import { Context, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { listen } from "./listen.ts"
import { notify } from "./notify.ts"
import { PgSql } from "./Sql.ts"

/** Its name is that of the first who were woken: other releases listen beside this one. */
const CHANNEL = "actors"
/** Keys of one notification, whose payload ends at 8,000 bytes. */
const KEYS_AT_ONCE = 100

/** Called when the name is woken. */
type Listening = () => void

export interface WakesShape {
  /** Registers a waiting until the scope closes, under the key of its actor or request. */
  readonly register: (key: string, woken: Listening) => Effect.Effect<void, never, Scope.Scope>
  /** Wakes what waits under these keys, in whatever process. */
  readonly wake: (keys: ReadonlyArray<string>) => Effect.Effect<void>
}

const make = Effect.fnUntraced(function* (hears: boolean) {
  const sql = yield* PgSql
  const listenersByKey = new Map<string, Set<Listening>>()

  const wakeHere = (keys: ReadonlyArray<string>): ReadonlyArray<string> =>
    keys.filter((key) => {
      const listeners = listenersByKey.get(key)
      listeners?.forEach((woken) => {
        woken()
      })
      return listeners === undefined
    })

  const elsewhere = yield* Queue.unbounded<string>()
  yield* Queue.takeAll(elsewhere).pipe(
    Effect.flatMap((keys) => {
      const distinct = [...new Set(keys)]
      const parts = Array.from({ length: Math.ceil(distinct.length / KEYS_AT_ONCE) }, (_, i) =>
        distinct.slice(i * KEYS_AT_ONCE, (i + 1) * KEYS_AT_ONCE).join("\n")
      )
      return Effect.forEach(parts, (part) => notify(sql, CHANNEL, part), { discard: true })
    }),
    Effect.catchTag("SqlError", (error) => Effect.logDebug("notify failed", error.message)),
    Effect.forever,
    Effect.forkScoped
  )

  const listening = Effect.flatMap(listen(sql, CHANNEL), (queue) =>
    Effect.forever(Effect.map(Queue.take(queue), ({ payload }) => wakeHere(payload.split("\n"))))
  ).pipe(Effect.scoped, Effect.retry(Schedule.spaced("1 second")))
  if (hears) yield* Effect.forkScoped(listening)

  return Wakes.of({
    register: (key, woken) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => listenersByKey.set(key, (listenersByKey.get(key) ?? new Set()).add(woken))),
          () =>
            Effect.sync(() => {
              const listeners = listenersByKey.get(key)
              listeners?.delete(woken)
              if (listeners?.size === 0) listenersByKey.delete(key)
            })
        )
      ),
    wake: (keys) => Effect.suspend(() => Effect.asVoid(Queue.offerAll(elsewhere, wakeHere(keys))))
  })
})

export class Wakes extends Context.Service<Wakes, WakesShape>()("millrace/sql/Wakes") {
  static readonly layer = Layer.effect(Wakes, make(true))

  /** Layer for a command that wakes others and waits for nothing: no listening connection. */
  static readonly layerRemote = Layer.effect(Wakes, make(false))
}
