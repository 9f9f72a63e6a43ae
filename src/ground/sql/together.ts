// What many callers ask of the database in one turn of the event loop goes there in one statement: under load one way there and back
// serves all who came meanwhile, and who comes alone waits for nobody. Each is looked up after it has asked.
import { Cause, Context, Effect, Exit, Option } from "effect"
import type { Sql } from "./Sql.ts"

/** Of one statement; with more there are several, side by side. */
const AT_MOST = 64

interface Asked<K, A, E> {
  readonly key: K
  readonly answer: (effect: Effect.Effect<A, E>) => void
}

/** In pieces; of those that are equal by `apart` one in each. */
const groupsOf = <K, A, E>(all: ReadonlyArray<Asked<K, A, E>>, apart: (key: K) => unknown) => {
  const groups: Array<Array<Asked<K, A, E>>> = []
  const times = new Map<unknown, number>()
  for (const [place, one] of all.entries()) {
    const name = apart(one.key)
    const time = name === undefined ? Math.floor(place / AT_MOST) : (times.get(name) ?? 0)
    times.set(name, time + 1)
    const group = groups[time]
    if (group === undefined) groups[time] = [one]
    else group.push(one)
  }
  return groups
}

/** @param load answers what it was asked, place by place @param apart what no two of a statement may have in common */
type Gather = <K, A, E>(
  load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyArray<A>, E>,
  apart?: (key: K) => unknown
) => (key: K) => Effect.Effect<A, E>

/**
 * What is asked together is loaded for nobody in particular, and to its end whoever of them has gone. Who asks inside of a transaction sees
 * what it has changed, and so asks alone.
 */
export const gathering = (sql: Pick<Sql, "transactionService">): Effect.Effect<Gather> =>
  Effect.map(Effect.context<never>(), (context): Gather => {
    const fork = Effect.runForkWith(context)
    return <K, A, E>(
      load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyArray<A>, E>,
      apart: (key: K) => unknown = () => undefined
    ) => {
      let waiting: Array<Asked<K, A, E>> = []

      const ask = (asked: ReadonlyArray<Asked<K, A, E>>) => {
        fork(Effect.suspend(() => load(asked.map(({ key }) => key)))).addObserver((exit) => {
          for (const [place, { answer }] of asked.entries()) {
            if (Exit.isFailure(exit)) answer(Effect.failCause(exit.cause))
            else if (place < exit.value.length) answer(Effect.succeed(exit.value[place]!))
            else answer(Effect.failCause(Cause.die(new Error("an answer is missing"))))
          }
        })
      }
      const askAll = () => {
        const all = waiting
        waiting = []
        for (const group of groupsOf(all, apart)) ask(group)
      }

      const together = (key: K) =>
        Effect.callback<A, E>((answer) => {
          const one = { key, answer }
          if (waiting.length === 0) setImmediate(askAll)
          waiting.push(one)
          return Effect.sync(() => {
            // Who has gone before the turn is over is not looked up.
            waiting = waiting.filter((other) => other !== one)
          })
        })

      return (key: K) =>
        Effect.withFiber((fiber) =>
          Option.isSome(Context.getOption(fiber.context, sql.transactionService))
            ? Effect.map(load([key]), ([only]) => only as A)
            : together(key)
        )
    }
  })

export const askedTogether = <K, A, E>(
  sql: Pick<Sql, "transactionService">,
  load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyArray<A>, E>,
  apart?: (key: K) => unknown
): Effect.Effect<(key: K) => Effect.Effect<A, E>> => Effect.map(gathering(sql), (gather) => gather(load, apart))
