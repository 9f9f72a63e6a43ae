// Registers what is refreshed when metrics are collected: modules register an observer that updates their gauges, and libraries with a page
// of their own have it adopted. A failing one costs its own metrics alone, since those of this process are reported even while Postgres is
// away.
import { Effect, type Scope } from "effect"

/** Longest wait of a collection for any of them. */
const PATIENCE = "5 seconds"

type Named<A> = Map<string, Array<Effect.Effect<A, unknown>>>

const observers: Named<void> = new Map()
const pages: Named<string> = new Map()

/**
 * Registers until the scope closes. Of several with one name only the latest is asked: the modules of another pool look at the same data.
 */
const registered = <A>(all: Named<A>, name: string, one: Effect.Effect<A, unknown>) =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => all.set(name, [...(all.get(name) ?? []), one])),
      () =>
        Effect.sync(() =>
          all.set(
            name,
            (all.get(name) ?? []).filter((other) => other !== one)
          )
        )
    )
  )

export const observing = <E>(name: string, observer: Effect.Effect<void, E>): Effect.Effect<void, never, Scope.Scope> =>
  registered(observers, name, observer)

/** Adopts a page. @param page in Prometheus's text format */
export const adoptPage = <E>(name: string, page: Effect.Effect<string, E>): Effect.Effect<void, never, Scope.Scope> =>
  registered(pages, name, page)

const collected = <A>(all: Named<A>): Effect.Effect<ReadonlyArray<A>> =>
  Effect.map(
    Effect.forEach(
      [...all].flatMap(([name, some]) => some.slice(-1).map((one) => [name, one] as const)),
      ([name, one]) =>
        one.pipe(
          Effect.timeout(PATIENCE),
          Effect.map((value) => [value]),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logDebug(`the metrics of ${name} could not be collected`, cause), [])
          )
        ),
      { concurrency: "unbounded" }
    ),
    (found) => found.flat()
  )

/** Updates every gauge; returns the adopted pages. */
export const observe: Effect.Effect<ReadonlyArray<string>> = Effect.suspend(() =>
  Effect.andThen(collected(observers), collected(pages))
)
