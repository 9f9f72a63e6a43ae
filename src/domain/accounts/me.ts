// The caller as `GET /v1/user` shows it (service.md 4.3, 7.2; developer-api.md 2.1): user, organization, credential and scopes.
import { formatDateTimeOrNull } from "../../platform/primitives/dates.ts"
import type * as Views from "./accountSchemas.ts"
import type { CallerShape } from "./Caller.ts"
import type { Profile } from "./Profile.ts"
import { allScopes } from "./Scope.ts"

export const meOf = (caller: CallerShape, profile: Profile): typeof Views.Me.Type => {
  const { selection, credential, scopes } = caller
  return {
    user_id: caller.userId,
    name: profile.name,
    email: profile.email,
    phone: profile.phone,
    image: profile.image,
    job_description: profile.job_description,
    type: "user",
    org_id: caller.orgId,
    role: caller.role,
    status: profile.status,
    timezone: profile.timezone,
    organization: { org_id: caller.orgId, name: profile.org_name, slug: profile.org_slug },
    credential: {
      type: credential.type,
      client_id: credential.clientId,
      expires_on: formatDateTimeOrNull(credential.expiresOn),
      content_selection: selection === "all" ? "all" : "selected",
      workspace_ids: selection === "all" ? [] : selection.workspaceIds,
      app_ids: selection === "all" ? [] : selection.appIds
    },
    scopes: scopes === "all" ? allScopes : allScopes.filter((s) => scopes.has(s))
  }
}
