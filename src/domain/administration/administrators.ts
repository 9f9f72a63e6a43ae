// Checks that a caller may administer an organization over the API (developer-api.md 2.3; decisions O15, "The console"). Only a person
// qualifies, by a signed-in page or their user API key, since administration decides what all other credentials may do. The organization as
// a whole needs an owner or admin.
import { Effect } from "effect"
import { Restricted } from "../../platform/primitives/errors.ts"
import type { CallerShape } from "../accounts/Caller.ts"

export const byPerson = ({ credential: { type } }: CallerShape) =>
  type === "session" || type === "user_api_key"
    ? Effect.void
    : Effect.fail(new Restricted({ message: "This is for signed-in pages and user API keys alone." }))

export const administrates = ({ role }: Pick<CallerShape, "role">): boolean => role === "owner" || role === "admin"

/** Requires an owner or admin, with any credential. */
export const ofAdministrator = (caller: Pick<CallerShape, "role">) =>
  administrates(caller)
    ? Effect.void
    : Effect.fail(new Restricted({ message: "This is for owners and admins of the organization." }))

export const byAdministrator = (caller: CallerShape) => Effect.andThen(byPerson(caller), ofAdministrator(caller))
