// A user of the organization, as somebody names one: a form offers no list, since there may be twenty thousand.
import { Effect } from "effect"
import { type FoundUser, makeUserLookup } from "../../domain/accounts/userLookup.ts"
import { html } from "../web/html.ts"

const MAX = 254

/** The field of a form: of a search with what was searched for, else to be filled in. */
export const userField = (id: string, name: string, value?: string) =>
  html`<div class="field"><label for="${id}">Person</label><input id="${id}" name="${name}" ${value === undefined ? html`required` : html`value="${value}"`} maxlength="${MAX}" placeholder="Email address or name" autocomplete="off"></div>`

/** Finds the user that the typed text means, or answers why there is none. */
export const makeMeantUser = Effect.map(
  makeUserLookup,
  ({ meant }) =>
    (orgId: number, typed: string) =>
      Effect.map(meant(orgId, typed.trim().slice(0, MAX)), ([user, other]): FoundUser | string => {
        if (user === undefined)
          return `No user of the organization has the email address or the name “${typed.trim()}”.`
        return other === undefined ? user : `Several users have the name “${typed.trim()}”: give the email address.`
      })
)
