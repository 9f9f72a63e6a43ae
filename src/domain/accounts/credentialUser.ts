// User of a credential (developer-api.md 1.7): the author of everything that is done with it. Every kind of credential gives its caller these
// members.
import type { OrgRole } from "./Caller.ts"
import type { ResolvedCaller, RowFacts, WantedFacts } from "./callerFacts.ts"
import type { Profile } from "./Profile.ts"

interface UserRow {
  readonly user_id: number
  readonly org_id: number
  readonly person_id: number
  readonly role: OrgRole
}

type UserMembers = "userId" | "orgId" | "personId" | "role" | "author" | "lookup" | "profile"

/** Members of a caller that come from the row of its user, and the wanted facts. */
export const userOf = (
  row: UserRow & RowFacts,
  { profile = false, resource }: WantedFacts
): Pick<ResolvedCaller, UserMembers> => ({
  userId: row.user_id,
  orgId: row.org_id,
  personId: row.person_id,
  role: row.role,
  author: { type: "user", user_id: row.user_id },
  ...(profile ? { profile: row as Profile } : {}),
  ...(row.facts === undefined || resource === undefined ? {} : { lookup: { resource, facts: row.facts } })
})
