// Refusals of the OAuth endpoints: reason id, OAuth error value, status, words (service.md 7.1, decisions O18).
import { Schema } from "effect"

interface Reason {
  readonly error: string
  readonly status: 400 | 401 | 429 | 503
  readonly text: string
}

const invalidClient = (text: string): Reason => ({ error: "invalid_client", status: 400, text })
const invalidRequest = (text: string): Reason => ({ error: "invalid_request", status: 400, text })
const invalidGrant = (text: string): Reason => ({ error: "invalid_grant", status: 400, text })
const accessDenied = (text: string): Reason => ({ error: "access_denied", status: 400, text })
const reason = (error: string, text: string, status: Reason["status"] = 400): Reason => ({ error, status, text })

export const reasons = {
  // Authorization endpoint; the first fault counts, in this order.
  AUTHORIZE_CLIENT_INVALID: invalidClient("The client_id is missing, unknown or revoked"),
  AUTHORIZE_REDIRECT_URI_INVALID: invalidClient("The redirect_uri is missing or not registered for this client"),
  AUTHORIZE_CIMD_DOCUMENT_INVALID: invalidClient("The client ID metadata document cannot be fetched or is invalid"),
  REQUEST_INVALID: invalidRequest("The request is malformed"),
  AUTHORIZE_RESPONSE_TYPE_UNSUPPORTED: reason("unsupported_response_type", "Only response_type code is supported"),
  AUTHORIZE_PKCE_INVALID: invalidRequest("A code_challenge of 43 characters with method S256 is required"),
  AUTHORIZE_SCOPE_UNKNOWN: reason("invalid_scope", "A requested scope does not exist"),
  AUTHORIZE_RESOURCE_INVALID: reason("invalid_target", "The resource is not one of this service"),
  // Faults that people meet on the pages (O19).
  AUTHORIZE_REQUEST_EXPIRED: accessDenied("The request was not answered within 10 minutes"),
  AUTHORIZE_USER_REFUSED: accessDenied("The organization does not let this user connect the app"),
  // Client authentication.
  CLIENT_AUTH_FAILED: reason("invalid_client", "Client authentication failed", 401),
  CLIENT_AUTH_AMBIGUOUS: invalidRequest("More than one client authentication method was used"),
  // Token endpoint.
  TOKEN_GRANT_TYPE_UNSUPPORTED: reason("unsupported_grant_type", "The grant_type is not supported"),
  TOKEN_CODE_UNKNOWN: invalidGrant("The code has expired or was never issued"),
  TOKEN_CODE_REPLAYED: invalidGrant("The code was used before; its connection has been disconnected"),
  TOKEN_CODE_BINDING_MISMATCH: invalidGrant("The code was issued to another client or for another redirect_uri"),
  TOKEN_PKCE_VERIFIER_PRESENCE: invalidGrant(
    "The code_verifier is missing, or was sent for a code without a challenge"
  ),
  TOKEN_PKCE_VERIFIER_MISMATCH: invalidGrant("The code_verifier does not match the code_challenge"),
  TOKEN_CODE_REDEMPTION_REFUSED: invalidGrant("The user can no longer connect this app"),
  TOKEN_REFRESH_TOKEN_UNKNOWN: invalidGrant("Not a refresh token of this client"),
  TOKEN_REFRESH_GRANT_INACTIVE: invalidGrant("The connection has ended"),
  TOKEN_REFRESH_SCOPE_INVALID: reason("invalid_scope", "The connection does not hold a requested scope"),
  TOKEN_REFRESH_REPLAYED: invalidGrant("The refresh token was used before; its connection has been disconnected"),
  // Registration (RFC 7591 3.2.2).
  REGISTRATION_METADATA_INVALID: reason("invalid_client_metadata", "The client metadata is invalid"),
  REGISTRATION_REDIRECT_URI_INVALID: reason("invalid_redirect_uri", "A redirect URI is not acceptable"),
  // Everywhere.
  RATE_LIMITED: reason("temporarily_unavailable", "Too many requests", 429),
  SERVER_FAULT: reason("server_error", "The service cannot answer right now", 503)
} as const satisfies Record<string, Reason>

export type ReasonId = keyof typeof reasons
export const ReasonId = Schema.Literals(Object.keys(reasons) as [ReasonId, ...Array<ReasonId>])

/** The `error_description` of a refusal: words, then the reason id in square brackets. */
export const describe = (reasonId: ReasonId, detail?: string | null): string =>
  `${detail ?? reasons[reasonId].text}. [${reasonId}]`

/** Refusal of an OAuth endpoint. `detail` replaces the standard words; it never contains a credential. */
export class OAuthRefused extends Schema.TaggedError<OAuthRefused>()("OAuthRefused", {
  reasonId: ReasonId,
  detail: Schema.optionalKey(Schema.String),
  retryAfterSeconds: Schema.optionalKey(Schema.Int),
  /** Details for the audit log: client, user and connection as far as they are known. */
  clientId: Schema.optionalKey(Schema.String),
  userId: Schema.optionalKey(Schema.Int),
  orgId: Schema.optionalKey(Schema.Int),
  connectionId: Schema.optionalKey(Schema.Int)
}) {}

export const refuse = (
  reasonId: ReasonId,
  more?: Omit<ConstructorParameters<typeof OAuthRefused>[0], "reasonId">
): OAuthRefused => new OAuthRefused({ reasonId, ...more })
