// Batches the look-ups that many callers make at about the same time into one statement. Under load one round trip, and one wait for the
// disk, serves all callers that came meanwhile; a single caller waits for nobody. A look-up always runs after its caller has asked.
import { Context, Effect, Exit, Option } from "effect"
import { makeBatcher, submitted } from "./batching.ts"
import type { Sql } from "./Sql.ts"

/** Most keys of one statement; more keys take several. */
const AT_MOST = 64
/** Statements of one kind in flight at once; keys that come meanwhile go into the next one. */
const LANES = 2
/** Time after which a statement that stands still gives its lane to the next one. */
const PATIENCE_MILLIS = 10

/** Loads the values of the keys, in their order. @param alone true if no other caller asks for the same kind just now */
export type Load<K, A, E> = (keys: ReadonlyArray<K>, alone: boolean) => Effect.Effect<ReadonlyArray<A>, E>

/** Batches the calls of `load`. @param sharedValue value that no two keys of a statement may share */
export type LoadBatched = <K, A, E>(
  load: Load<K, A, E>,
  sharedValue?: (key: K) => unknown
) => (key: K) => Effect.Effect<A, E>

/**
 * Makes a batcher. A batch is loaded in a fiber of its own, and to its end even if its callers are interrupted. A caller inside a
 * transaction has to see its own changes, and so loads alone.
 */
export const makeDataLoader = (sql: Pick<Sql, "transactionService">): Effect.Effect<LoadBatched> =>
  Effect.map(Effect.context<never>(), (context): LoadBatched => {
    const fork = Effect.runForkWith(context)
    return <K, A, E>(load: Load<K, A, E>, sharedValue?: (key: K) => unknown) => {
      const askTogether = submitted(
        makeBatcher<K, A, E>(
          {
            ...{ atMost: AT_MOST, lanes: LANES, patienceMillis: PATIENCE_MILLIS, sharedValue },
            run: (keys, alone) => Effect.map(load(keys, alone), (answers) => answers.map(Exit.succeed))
          },
          fork
        )
      )

      return (key: K) =>
        Effect.withFiber((fiber) =>
          Option.isSome(Context.getOption(fiber.context, sql.transactionService))
            ? Effect.map(load([key], false), ([only]) => only as A)
            : askTogether(key)
        )
    }
  })

export const loadBatched = <K, A, E>(
  sql: Pick<Sql, "transactionService">,
  load: Load<K, A, E>,
  sharedValue?: (key: K) => unknown
): Effect.Effect<(key: K) => Effect.Effect<A, E>> =>
  Effect.map(makeDataLoader(sql), (gather) => gather(load, sharedValue))

/** Look-ups that answer by key: each key is looked for once. */
export const findBatched = <K, A, E>(
  sql: Pick<Sql, "transactionService">,
  load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>
): Effect.Effect<(keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>> =>
  loadBatched(sql, (lists: ReadonlyArray<ReadonlyArray<K>>) =>
    Effect.map(load([...new Set(lists.flat())]), (found) => lists.map(() => found))
  )
