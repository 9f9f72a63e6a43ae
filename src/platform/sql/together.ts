// Batches the look-ups that many callers make at about the same time into one statement. Under load one round trip, and one wait for the
// disk, serves all callers that came meanwhile; a single caller waits for nobody. A look-up always runs after its caller has asked.
import { Cause, Context, Effect, Exit, Option } from "effect"
import type { Sql } from "./Sql.ts"

/** Most keys of one statement; more keys take several. */
const AT_MOST = 64
/** Waiting keys that are examined for one statement. */
const LOOKED_THROUGH = 4 * AT_MOST
/** Statements of one kind in flight at once; keys that come meanwhile go into the next one. */
const LANES = 2
/** Time after which a statement that stands still gives its lane to the next one. */
const PATIENCE_MILLIS = 10

interface Asked<K, A, E> {
  readonly key: K
  readonly answer: (effect: Effect.Effect<A, E>) => void
}

/** Splits off the keys of one statement, of those equal by `apart` only one; `rest`: the others. */
const firstOf = <K, A, E>(all: ReadonlyArray<Asked<K, A, E>>, apart: (key: K) => unknown) => {
  const group: Array<Asked<K, A, E>> = []
  const laterRequests: Array<Asked<K, A, E>> = []
  const names = new Set<unknown>()
  for (const request of all.slice(0, LOOKED_THROUGH)) {
    const name = apart(request.key)
    const fits = group.length < AT_MOST && (name === undefined || !names.has(name))
    if (fits) names.add(name)
    const into = fits ? group : laterRequests
    into.push(request)
  }
  return { group, rest: [...laterRequests, ...all.slice(LOOKED_THROUGH)] }
}

/** Loads the values of the keys, in their order. @param alone true if no other caller asks for the same kind just now */
export type Load<K, A, E> = (keys: ReadonlyArray<K>, alone: boolean) => Effect.Effect<ReadonlyArray<A>, E>

/** Batches the calls of `load`. @param apart value that no two keys of a statement may share */
export type AskedTogether = <K, A, E>(
  load: Load<K, A, E>,
  apart?: (key: K) => unknown
) => (key: K) => Effect.Effect<A, E>

/**
 * Makes a batcher. A batch is loaded in a fiber of its own, and to its end even if its callers are interrupted. A caller inside a
 * transaction has to see its own changes, and so loads alone.
 */
export const gathering = (sql: Pick<Sql, "transactionService">): Effect.Effect<AskedTogether> =>
  Effect.map(Effect.context<never>(), (context): AskedTogether => {
    const fork = Effect.runForkWith(context)
    return <K, A, E>(load: Load<K, A, E>, apart: (key: K) => unknown = () => undefined) => {
      let waitingRequests: Array<Asked<K, A, E>> = []
      let underWay = 0
      let lanes = LANES

      const ask = (asked: ReadonlyArray<Asked<K, A, E>>) => {
        const isAlone = asked.length === 1 && underWay === 0
        underWay++
        lanes--
        let holdsLane = true
        const leave = () => {
          if (!holdsLane) return
          holdsLane = false
          lanes++
          askAll()
        }
        const patience = setTimeout(leave, PATIENCE_MILLIS)
        const keys = asked.map(({ key }) => key)
        fork(Effect.suspend(() => load(keys, isAlone))).addObserver((exit) => {
          underWay--
          clearTimeout(patience)
          leave()
          for (const [place, { answer }] of asked.entries()) {
            if (Exit.isFailure(exit)) answer(Effect.failCause(exit.cause))
            else if (place < exit.value.length) answer(Effect.succeed(exit.value[place]!))
            else answer(Effect.failCause(Cause.die(new Error("an answer is missing"))))
          }
        })
      }
      const askAll = () => {
        while (lanes > 0 && waitingRequests.length > 0) {
          const { group, rest } = firstOf(waitingRequests, apart)
          waitingRequests = rest
          ask(group)
        }
      }

      const askTogether = (key: K) =>
        Effect.callback<A, E>((answer) => {
          const request = { key, answer }
          if (waitingRequests.length === 0) setImmediate(askAll)
          waitingRequests.push(request)
          return Effect.sync(() => {
            // Drops a caller that was interrupted before its batch was sent.
            waitingRequests = waitingRequests.filter((other) => other !== request)
          })
        })

      return (key: K) =>
        Effect.withFiber((fiber) =>
          Option.isSome(Context.getOption(fiber.context, sql.transactionService))
            ? Effect.map(load([key], false), ([only]) => only as A)
            : askTogether(key)
        )
    }
  })

export const askedTogether = <K, A, E>(
  sql: Pick<Sql, "transactionService">,
  load: Load<K, A, E>,
  apart?: (key: K) => unknown
): Effect.Effect<(key: K) => Effect.Effect<A, E>> => Effect.map(gathering(sql), (gather) => gather(load, apart))

/** Look-ups that answer by key: each key is looked for once. */
export const foundTogether = <K, A, E>(
  sql: Pick<Sql, "transactionService">,
  load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>
): Effect.Effect<(keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>> =>
  askedTogether(sql, (lists: ReadonlyArray<ReadonlyArray<K>>) =>
    Effect.map(load([...new Set(lists.flat())]), (found) => lists.map(() => found))
  )
