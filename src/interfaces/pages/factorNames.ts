// Shared by the pages of second steps: names that people give them, and recovery codes on their way to the one page that shows them.
import { Effect } from "effect"
import type { Fields } from "../web/form.ts"
import { seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import { makeOneTimeSecret } from "../web/oneTimeSecret.ts"
import type { SignedIn } from "../web/Visitors.ts"

export const NAME_LENGTH = 60

export const factorName = (fields: Fields, otherwise: string): string =>
  fields.get("name").trim().slice(0, NAME_LENGTH).toWellFormed() || otherwise

const KEPT = "recovery-codes"
/** A cookie holds 4096 bytes (RFC 6265 6.1): with more the browser would keep none, and the codes would be lost. */
const NEXT_LENGTH = 1_000

export const shownCodes = Effect.map(makeOneTimeSecret, (once) => ({
  /** @param next where their reader goes on */
  keep: (visit: SignedIn, codes: ReadonlyArray<string>, next: string) =>
    once.keep(
      seeOther("/account/factors/codes"),
      visit,
      KEPT,
      [next.length > NEXT_LENGTH ? "/account/factors" : next, ...codes].join(" ")
    ),
  read: (visit: SignedIn) =>
    Effect.map(once.read(visit, KEPT), (text) => {
      if (text === undefined) return undefined
      const [next, ...codes] = text.split(" ")
      return { next: localPath(next), codes }
    })
}))
