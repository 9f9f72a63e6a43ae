// The endpoints of an organization's administration (decisions O15, O23, "The console"): connected apps and their rules, one's own
// connections, the audit log. For signed-in pages and user API keys; the services ask for the role.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  AppConnection,
  AppConnections,
  AuditEvents,
  ConnectedApps,
  Ended
} from "../../domain/administration/administrationSchemas.ts"
import { AppAccess, PolicyMode } from "../../domain/connections/connectPermission.ts"
import { token } from "../../platform/bounds/sized.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

/** A client ID may be the address of a document. */
const ClientId = Schema.String.check(Schema.isBetweenLength(1, 2048))
const integerUpTo = (most: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))

const page = {
  client_id: Schema.optionalKey(ClientId),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))),
  offset: Schema.optionalKey(integerUpTo(1_000_000))
}

const listOwn = HttpApiEndpoint.get("own", "/v1/connection", {
  query: page,
  success: AppConnections,
  error: fails("Restricted")
}).pipe(
  requires({}),
  withSummary("List own connections", "Apps that act for the caller in this organization, the last approved first.")
)

const end = HttpApiEndpoint.delete("end", "/v1/connection/:connection_id", {
  params: { connection_id: Id },
  success: AppConnection,
  error: fails("Restricted", "NotFound")
}).pipe(
  requires({}),
  withSummary(
    "End a connection",
    "Ends one of the caller's own connections; owners and admins end any of the organization. Its tokens stop working at once."
  )
)

const endAll = HttpApiEndpoint.post("endAll", "/v1/connection/end", {
  payload: Schema.Struct({ client_id: ClientId, of: Schema.Literals(["own", "organization"]) }),
  success: Ended,
  error: fails("Restricted")
}).pipe(
  requires({}),
  withSummary(
    "End all connections of an app",
    "Ends the caller's own connections of the app, or, by owners and admins, all of the organization. People may approve it again unless a rule forbids it."
  )
)

const organization = HttpApiEndpoint.get("organization", "/v1/connection/org", {
  query: page,
  success: AppConnections,
  error: fails("Restricted")
}).pipe(
  requires({}),
  withSummary(
    "List the organization's connections",
    "For owners and admins: who has connected which app, the last approved first."
  )
)

export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(listOwn, organization, end, endAll)
  .middleware(DevApi)
  .annotateMerge(
    groupSummary("Connections", "Apps that act for people, and the end of it. For signed-in pages and user API keys.")
  ) {}

const apps = HttpApiEndpoint.get("apps", "/v1/app-policy", { success: ConnectedApps, error: fails("Restricted") }).pipe(
  requires({}),
  withSummary(
    "Get the app policy",
    "For owners and admins: which apps may connect, the rule for each, and how many people have connected it."
  )
)

const setMode = HttpApiEndpoint.put("setMode", "/v1/app-policy", {
  payload: Schema.Struct({ mode: PolicyMode }),
  success: Schema.Struct({ mode: PolicyMode }),
  error: fails("Restricted")
}).pipe(
  requires({}),
  withSummary(
    "Set which apps may connect",
    "All apps, or those alone that a rule approves. It holds for new approvals."
  )
)

const setAccess = HttpApiEndpoint.put("setAccess", "/v1/app-policy/app", {
  payload: Schema.Struct({ client_id: ClientId, access: Schema.NullOr(AppAccess) }),
  success: Ended,
  error: fails("ValidationError", "Restricted")
}).pipe(
  requires({}),
  withSummary(
    "Set the rule for an app",
    "Approves an app for everyone or for admins, or blocks it; `null` takes the rule away. Connections of those whom it shuts out end at once."
  )
)

const setUserBlock = HttpApiEndpoint.put("setUserBlock", "/v1/app-policy/user", {
  payload: Schema.Struct({ client_id: ClientId, user_id: Schema.Int, blocked: Schema.Boolean }),
  success: Ended,
  error: fails("ValidationError", "Restricted")
}).pipe(
  requires({}),
  withSummary(
    "Block an app for one user",
    "Blocks it, which ends the user's connections of the app at once, or lifts the block."
  )
)

export class AppPolicyApi extends HttpApiGroup.make("appPolicy")
  .add(apps, setMode, setAccess, setUserBlock)
  .middleware(DevApi)
  .annotateMerge(
    groupSummary("App policy", "Which apps may connect, and for whom. For signed-in pages and user API keys.")
  ) {}

const events = HttpApiEndpoint.get("list", "/v1/audit", {
  query: {
    event: Schema.optionalKey(token),
    user_id: Schema.optionalKey(Id),
    client_id: Schema.optionalKey(ClientId),
    since: Schema.optionalKey(token),
    until: Schema.optionalKey(token),
    before: Schema.optionalKey(Id),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })))
  },
  success: AuditEvents,
  error: fails("ValidationError", "Restricted")
}).pipe(
  requires({ cost: costs.lists }),
  withSummary(
    "List the audit log",
    "For owners and admins: sign-ins, approvals, connections and what ended them, keys and tokens, and what admins changed, newest first. `before` goes on behind a page."
  )
)

export class AuditApi extends HttpApiGroup.make("audit")
  .add(events)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Audit", "Who did what in the organization. For signed-in pages and user API keys.")) {}
