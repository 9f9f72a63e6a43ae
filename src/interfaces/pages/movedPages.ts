// Addresses of an organization's pages that the console has now (decisions, "The console"; O15 names `/organization/apps`): each leads there,
// for whoever is signed in. The console says whose role opens the page.
import type { MemberVisit } from "../web/Visitors.ts"

/** The audit log's address in the console, narrowed as the former one was. */
const auditAddress = ({ query }: MemberVisit) => {
  const userId = query.id("user")
  const search = new URLSearchParams({
    ...(/^[a-z_]{1,60}$/.test(query.get("what")) && { event: query.get("what") }),
    ...(userId !== undefined && { user_id: String(userId) })
  })
  return search.size === 0 ? "/console/admin/audit" : `/console/admin/audit?${search}`
}

export const movedPages: ReadonlyArray<readonly [`/${string}`, (visit: MemberVisit) => string]> = [
  ["/organization/apps", () => "/console/admin/apps"],
  ["/organization/sign-in", () => "/console/admin/sign-in"],
  ["/organization/audit", auditAddress]
]
