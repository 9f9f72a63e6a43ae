// A client and its kind (service.md 2.2; decisions O8, O16).
import { Schema } from "effect"
import { limits } from "../../connections/oauthLimits.ts"
import { clientName } from "./clientNames.ts"

/** Its row. */
export const Client = Schema.Struct({
  client_id: Schema.String,
  kind: Schema.Literals(["public", "confidential", "dynamic", "document"]),
  name: Schema.NullOr(Schema.String),
  redirect_uris: Schema.Array(Schema.String),
  secret_hash: Schema.NullOr(Schema.Uint8Array),
  pkce_waived: Schema.Boolean,
  own_service: Schema.Boolean,
  one_connection: Schema.Boolean,
  created_on: Schema.Date,
  first_approved_on: Schema.NullOr(Schema.Date),
  document_fresh_until: Schema.NullOr(Schema.Date),
  disabled_on: Schema.NullOr(Schema.Date)
})
export interface Client extends Schema.Schema.Type<typeof Client> {}

export const isConfidential = (client: Client): boolean => client.kind === "confidential"

/** Disabled by the operator, or dynamically registered and never approved within 25 hours. */
export const isGone = (client: Client, now: number): boolean =>
  client.disabled_on !== null ||
  (client.kind === "dynamic" &&
    client.first_approved_on === null &&
    now >= client.created_on.getTime() + limits.unconnectedDynamicClientMillis)

/** Name that people read: the client's name, else the URL that is its id, else the host that it redirects to, else the id. */
export const displayName = (client: Client, redirectHost: string | undefined): string =>
  clientName(client.name ?? "") ?? (client.kind === "document" ? client.client_id : (redirectHost ?? client.client_id))

/** The host that a client's id was fetched from, if it is a metadata document. */
export const documentHost = ({ client_id, kind }: Client): string | undefined =>
  kind === "document" ? new URL(client_id).host : undefined
