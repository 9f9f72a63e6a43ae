// Schemas of the administration: connected apps, connections, the audit log (decisions O15, O23).
import { Schema } from "effect"
import { Scope } from "../accounts/Scope.ts"
import { AppAccess, PolicyMode } from "../connections/connectPermission.ts"

const text = Schema.NullOr(Schema.String)
const instant = Schema.NullOr(Schema.String)

export const ConnectedApp = Schema.Struct({
  client_id: Schema.String,
  client_name: text,
  access: Schema.NullOr(AppAccess).annotate({ description: "The organization's rule for the app; null without one" }),
  blocked_user_ids: Schema.Array(Schema.Int),
  connections: Schema.Int,
  last_used_on: instant
}).annotate({ identifier: "ConnectedApp" })
export type ConnectedApp = typeof ConnectedApp.Type

export const ConnectedApps = Schema.Struct({
  mode: PolicyMode.annotate({
    description: "Which apps may connect anew: all, or those with a rule that approves them"
  }),
  apps: Schema.Array(ConnectedApp),
  total: Schema.Int
}).annotate({ identifier: "ConnectedAppList" })

export const AppConnection = Schema.Struct({
  connection_id: Schema.Int,
  client_id: Schema.String,
  client_name: text,
  user_id: Schema.Int,
  user_name: Schema.String,
  scopes: Schema.Array(Scope),
  approved_on: Schema.String,
  last_used_on: instant,
  expires_on: instant
}).annotate({ identifier: "AppConnection" })
export type AppConnection = typeof AppConnection.Type

export const AppConnections = Schema.Struct({
  connections: Schema.Array(AppConnection),
  total: Schema.Int.annotate({ description: "Of all pages" })
}).annotate({ identifier: "AppConnectionList" })

export const Ended = Schema.Struct({
  ended: Schema.Int.annotate({ description: "So many connections ended" })
}).annotate({ identifier: "EndedConnections" })

export const AuditEvent = Schema.Struct({
  audit_id: Schema.Int,
  happened_on: Schema.String,
  event: Schema.String.annotate({ description: "`<subject>.<verb>`" }),
  reason_id: text.annotate({ description: "Of a refusal" }),
  user_id: Schema.NullOr(Schema.Int),
  user_name: text,
  client_id: text,
  client_name: text,
  connection_id: Schema.NullOr(Schema.Int),
  credential: Schema.NullOr(Schema.String).annotate({
    description:
      "With what it was done: `user_api_key`, `personal_access_token`, `oauth_access_token`, `session`, `automation` or `operator`; null where the service itself acted, and of entries of earlier releases"
  }),
  credential_id: Schema.NullOr(Schema.Int).annotate({
    description: "Which one: the token, the connection or the automation"
  }),
  source_address: text,
  details: Schema.Record(Schema.String, Schema.Unknown),
  count: Schema.NullOr(Schema.Int).annotate({
    description: "Of refusals that are counted: how many there were in the minute that begins at `happened_on`"
  })
}).annotate({ identifier: "AuditEvent" })
export type AuditEvent = typeof AuditEvent.Type

export const AuditEvents = Schema.Struct({ events: Schema.Array(AuditEvent) }).annotate({
  identifier: "AuditEventList"
})
