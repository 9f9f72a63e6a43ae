// Hands a claim to an idle activation of the relay's process. The relay sends the claim behind the rows that it has just written, in its
// own transaction, and the activation goes on from the answer. That saves a wake-up and a round trip for an event that comes alone. Under
// load no activation is idle, and activations claim for themselves. A crash after the commit leaves claimed rows of a dead activation, as
// after any claim.
import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ActorWork, Address, ClaimRequest } from "./ActorKind.ts"

/** Next instant, in milliseconds, at which a claim is worth it. */
export interface NextLook {
  at: number
  /** Instant that the kind has announced since the last claim. */
  told: number
}

/** Puts the next look off before a claim: rows that come meanwhile are looked for afterwards. */
export const putOff = (nextLook: NextLook, from: number, millis: number): void => {
  nextLook.at = from + millis
  nextLook.told = Number.POSITIVE_INFINITY
}

/** Most written rows to claim by their keys; beyond it an ordinary claim costs no more, and knows which rows go first. */
const WRITTEN_AT_MOST = 16

/** Result of a claim that the relay has made for an activation. */
export interface Handed {
  readonly answer: unknown
  /** Number of rows that were written for it, if no others were claimed. */
  readonly written: number | undefined
}

/** Relay's side of a hand-over. Its holder calls `end`, whatever happens: the activation claims nothing meanwhile. */
export interface Offer {
  /** Claims in one statement. */
  readonly claim: (written: Address["written"]) => Effect.Effect<unknown, SqlError>
  /**
   * @param answer result of the claim, once it is committed; undefined if nothing was claimed
   * @param unsure the outcome of the commit is unknown
   */
  readonly end: (answer: unknown, unsure?: boolean) => void
}

/** Activation's side of a hand-over. */
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

/** Makes the offers of an activation, one at a time. */
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
    /** True if rows may carry the activation's fence without its knowledge: the next activation finds them. */
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
