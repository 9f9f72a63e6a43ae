// Events that come alone are gone on from as they were told, by what there was to know of their app the last times, before either has been
// read: one way to the database in place of two (docs/architecture.md, "One flow"). The transaction ends only if both are as they are read in it.
import { isDeepStrictEqual } from "node:util"
import { Effect, Fiber } from "effect"
import { recoverSqlDefect } from "../../ground/sql/sqlDefect.ts"
import type { ToldEvent } from "../outbox/notice.ts"
import type { OutboxRow } from "../outbox/OutboxRow.ts"
import { type FanningOut, type Looks, type MovedOn, NotAsTold, type TransactionEnd } from "./fanOut.ts"
import { type Shards, shardOf } from "./relayShards.ts"

/** What the relay takes for true until it has been read. */
export interface Foretold {
  readonly appId: number
  readonly rows: ReadonlyArray<OutboxRow>
  readonly looks: Looks
}

interface Remembered {
  readonly looks: Looks
  /** The actors that the last event went to. */
  readonly addressed: ReadonlyArray<string>
  /** The same at two events running: what changes with each event is not worth a try. */
  readonly steady: boolean
}

const APPS_AT_MOST = 500
/** Of an app, of each kind: beyond that it takes longer to compare than to ask. */
const FOUND_AT_MOST = 100

const isCommand = ({ type }: Pick<ToldEvent, "type">) => type.startsWith("command.")

/** The app that all of them are facts of. */
const appOf = (events: ReadonlyArray<ToldEvent>): number | undefined => {
  const appId = events[0]?.app_id ?? undefined
  return events.every((event) => event.app_id === appId && !isCommand(event)) ? appId : undefined
}

const same = (a: Looks, b: Looks): boolean =>
  isDeepStrictEqual(a.sleepers, b.sleepers) &&
  a.kinds.every(({ found }, place) => isDeepStrictEqual(found, b.kinds[place]!.found))

interface Parts extends FanningOut, Pick<Shards, "takeTold"> {
  /** Whether an actor has an activation in this process. */
  readonly runs: (key: string) => boolean
}

export const makeToldEvents = ({ fanOut, look, runs, takeTold }: Parts) => {
  const ofApps = new Map<number, Remembered>()

  return {
    /** Undefined where they are to be read first. */
    foretold: (told: ReadonlyArray<ToldEvent> | undefined): Foretold | undefined => {
      const appId = told === undefined ? undefined : appOf(told)
      const known = appId === undefined ? undefined : ofApps.get(appId)
      if (appId === undefined || known === undefined) return undefined
      if (!known.steady || !known.addressed.every(runs)) return undefined
      return { appId, looks: known.looks, rows: told!.map((row) => ({ ...row, attempts: 0, shard: shardOf(row) })) }
    },

    /** In the relay's transaction. Fails where it is not so, whatever fails first. */
    handOver: Effect.fnUntraced(function* (ending: TransactionEnd, { looks, rows }: Foretold) {
      const reading = Effect.all([takeTold(rows), look], { concurrency: "unbounded" })
      const read = yield* Effect.forkChild(reading, { startImmediately: true })
      const sure = Effect.flatMap(Fiber.join(read), ([taken, found]) =>
        isDeepStrictEqual(rows, taken) && same(looks, found) ? Effect.void : new NotAsTold()
      )
      return yield* recoverSqlDefect(fanOut(ending, rows, looks, null, sure))
    }),

    /** Of a batch that was read before it was handed over. */
    remember: (rows: ReadonlyArray<OutboxRow>, looks: Looks, { addressed }: MovedOn): void => {
      const appId = appOf(rows)
      if (appId === undefined) return
      const known = ofApps.get(appId)
      ofApps.delete(appId)
      if (looks.sleepers.size > 0 || looks.kinds.some(({ found }) => found.length > FOUND_AT_MOST)) return
      ofApps.set(appId, { looks, addressed, steady: known !== undefined && same(known.looks, looks) })
      if (ofApps.size > APPS_AT_MOST) ofApps.delete(ofApps.keys().next().value!)
    },

    /** It was not so. */
    forget: ({ appId }: Foretold): void => {
      ofApps.delete(appId)
    }
  }
}
