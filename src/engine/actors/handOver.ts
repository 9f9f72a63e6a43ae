// Handing over: for an activation of the relay's process that has nothing to do, the relay sends the claim behind the rows that it has just
// written, in its own transaction, and the activation goes on from the answer: a wake and a way to the database less for an event that comes
// alone. Under load nobody is idle, and activations claim for themselves. A crash behind the commit leaves claimed rows of a dead
// activation, as one behind any claim does.
import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ActorWork, Address, ClaimRequest } from "./ActorKind.ts"

/** When a claim is worth it, in milliseconds. */
export interface NextLook {
  at: number
  /** Instant that the kind has announced since the last claim. */
  told: number
}

/** Before a claim: what comes meanwhile is looked for afterwards. */
export const putOff = (nextLook: NextLook, from: number, millis: number): void => {
  nextLook.at = from + millis
  nextLook.told = Number.POSITIVE_INFINITY
}

/** Beyond as many rows an ordinary claim is no dearer, and knows which go first. */
const WRITTEN_AT_MOST = 16

/** Result of a claim that the relay has made for an activation. */
export interface Handed {
  readonly answer: unknown
  /** Rows that were written for it, where no others were claimed. */
  readonly written: number | undefined
}

/** The relay's side. Whoever has it calls `end`, whatever happens: the activation claims nothing meanwhile. */
export interface Offer {
  /** A statement. */
  readonly claim: (written: Address["written"]) => Effect.Effect<unknown, SqlError>
  /**
   * @param answer what the claim answered, once it is committed; undefined where nothing was claimed
   * @param unsure nobody knows whether it has been
   */
  readonly end: (answer: unknown, unsure?: boolean) => void
}

/** The activation's side. */
export interface HandOver {
  /** Offer of an activation that is idle; undefined otherwise. */
  offer: () => Offer | undefined
}

export const makeHandOver = (): HandOver => ({ offer: () => undefined })

interface Parts {
  readonly parts: NonNullable<ActorWork["parts"]>
  readonly nextLook: NextLook
  readonly lookAtMostMillis: number
  readonly wake: () => void
  /** Request of a claim made now; undefined where none may be made. */
  readonly request: () => ClaimRequest | undefined
}

/** An activation's offers, one at a time. */
export const makeOffers = ({ lookAtMostMillis, nextLook, parts, request, wake }: Parts) => {
  let idle = false
  let underWay = false
  let handed: Handed | undefined
  let unsure = false
  return {
    offer: (): Offer | undefined => {
      const asked = idle && !underWay && handed === undefined ? request() : undefined
      if (asked === undefined) return undefined
      underWay = true
      let written: number | undefined
      return {
        claim: (rows) => {
          const own = rows === undefined || rows.length > WRITTEN_AT_MOST ? undefined : parts.askFor?.(asked, rows)
          if (own !== undefined) {
            written = rows!.length
            return own
          }
          putOff(nextLook, asked.now.getTime(), lookAtMostMillis)
          return parts.ask(asked)
        },
        end: (answer, nobodyKnows = false) => {
          underWay = false
          unsure ||= nobodyKnows && parts.findsItsOwn !== true
          if (answer === undefined) nextLook.at = 0
          else handed = { answer, written }
          wake()
        }
      }
    },
    underWay: () => underWay,
    /** Rows may carry the activation's fence of which it knows nothing: the next one finds them. */
    unsure: () => unsure,
    /** Takes the handed-over claim; undefined the second time. */
    take: () => {
      const taken = handed
      handed = undefined
      return taken
    },
    waits: (now: boolean) => {
      idle = now
    }
  }
}
