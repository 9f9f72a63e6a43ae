// Identifies a password guess: the person that the database finds for the typed address, and the browser, which is known to be theirs or is
// not (decisions O22). Counts and queue positions of hashing follow from it, equally for addresses with and without a person.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Meant, People } from "../../domain/accounts/People.ts"
import { slotsFullSeconds, type Turn } from "../../domain/accounts/passwordSlots.ts"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { sourceKey } from "../../platform/fairness/sourceAddress.ts"
import type { makeKnownBrowsers } from "./KnownBrowsers.ts"
import type { Response } from "./pageFrame.ts"
import { guesses as texts } from "./texts.ts"
import type { Visit } from "./Visitors.ts"

type KnownBrowsers = Effect.Success<typeof makeKnownBrowsers>

/** Places go to organizations in turn (decisions A22). */
const ownerOf = ({ org_id, person_id }: NonNullable<Meant["person"]>) =>
  org_id === null ? `person ${person_id}` : `organization ${org_id}`

export const makePasswordGuesses = (browsers: KnownBrowsers) =>
  Effect.map(People, (people) =>
    Effect.fnUntraced(function* (visit: Visit, email: string) {
      const meant = yield* people.meant(email)
      const browser = yield* browsers.find(visit, meant)
      const guessTurn: Turn =
        browser === undefined || meant.person === undefined
          ? { owner: sourceKey(yield* SourceAddress), known: false }
          : { owner: ownerOf(meant.person), known: true }
      return { person: meant.person, guess: { person: meant.key, browser }, turn: guessTurn }
    })
  )

export const busy = texts.manyPeopleAreSigning

/** Tells when it may be worth to try again. */
export const after = (response: Response, seconds: number): Response =>
  HttpServerResponse.setHeader(response, "retry-after", String(seconds))

/** Adds Retry-After to an answer to somebody who got no hashing slot. */
export const soon = (response: Response): Response => after(response, slotsFullSeconds)
