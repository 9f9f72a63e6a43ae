// A client and its kind (service.md 2.2; decisions O8, O16).
import { limits } from "../../connections/oauthLimits.ts"
import { clientName } from "./text.ts"

export type ClientKind = "public" | "confidential" | "dynamic" | "document"

export interface Client {
  readonly client_id: string
  readonly kind: ClientKind
  readonly name: string | null
  readonly redirect_uris: ReadonlyArray<string>
  readonly secret_hash: Uint8Array | null
  readonly pkce_waived: boolean
  readonly own_service: boolean
  readonly one_connection: boolean
  readonly created_on: Date
  readonly first_approved_on: Date | null
  readonly document_fresh_until: Date | null
  readonly disabled_on: Date | null
}

export const isConfidential = (client: Client): boolean => client.kind === "confidential"

/** Disabled by the operator, or dynamically registered and never approved within 25 hours. */
export const isGone = (client: Client, now: number): boolean =>
  client.disabled_on !== null ||
  (client.kind === "dynamic" &&
    client.first_approved_on === null &&
    now >= client.created_on.getTime() + limits.unconnectedDynamicClientMillis)

/** What people read: the name, else the URL that is its id, else the host it sends them to, else the id. */
export const displayName = (client: Client, redirectHost: string | undefined): string =>
  clientName(client.name ?? "") ?? (client.kind === "document" ? client.client_id : (redirectHost ?? client.client_id))

/** The host that a client's id was fetched from, if it is a metadata document. */
export const documentHost = ({ client_id, kind }: Client): string | undefined =>
  kind === "document" ? new URL(client_id).host : undefined
