// Who looks after an organization over the API (developer-api.md 2.3; decisions O15, "The console"): a person by a signed-in page or their
// user API key, since what is done here decides what all other credentials may do; for the whole organization its owners and admins.
import { Effect } from "effect"
import { Restricted } from "../../ground/primitives/errors.ts"
import type { CallerShape } from "../accounts/Caller.ts"

export const byPerson = ({ credential: { type } }: CallerShape) =>
  type === "session" || type === "user_api_key"
    ? Effect.void
    : Effect.fail(new Restricted({ message: "This is for signed-in pages and user API keys alone." }))

export const administrates = ({ role }: Pick<CallerShape, "role">): boolean => role === "owner" || role === "admin"

/** By whatever credential. */
export const ofAdministrator = (caller: Pick<CallerShape, "role">) =>
  administrates(caller)
    ? Effect.void
    : Effect.fail(new Restricted({ message: "This is for owners and admins of the organization." }))

export const byAdministrator = (caller: CallerShape) => Effect.andThen(byPerson(caller), ofAdministrator(caller))
