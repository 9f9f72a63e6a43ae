// Dynamic client registration: accepted members of a request, and the stored ones (RFC 7591; decisions O8).
import { Result, Schema } from "effect"
import { bounds } from "../../platform/bounds/Bounds.ts"
import { line, list } from "../../platform/bounds/sized.ts"
import type { DynamicRegistration } from "./clients/Clients.ts"
import { registeredName, showable } from "./clients/clientNames.ts"
import { authorizationCode } from "./grants/code/index.ts"
import { grantTypes } from "./grants/index.ts"
import { type OAuthRefused, refuse } from "./reasons.ts"
import { redirectUrisFault } from "./redirectUri.ts"
import { isScope, splitScopes } from "./scopes.ts"

const Text = Schema.String.check(Schema.isMaxLength(2048))
const Web = Text.check(
  Schema.makeFilter((s: string) => (/^https?:\/\//i.test(s) && URL.canParse(s)) || "expected an http or https address")
)
const Texts = list(Text, 100)

/** The members that are understood; any other is ignored. */
export const Metadata = Schema.Struct({
  client_name: Schema.optionalKey(line),
  client_uri: Schema.optionalKey(Web),
  logo_uri: Schema.optionalKey(Web),
  tos_uri: Schema.optionalKey(Web),
  policy_uri: Schema.optionalKey(Web),
  contacts: Schema.optionalKey(Texts),
  software_id: Schema.optionalKey(Text),
  software_version: Schema.optionalKey(Text),
  scope: Schema.optionalKey(Text),
  grant_types: Schema.optionalKey(Texts),
  response_types: Schema.optionalKey(Texts),
  token_endpoint_auth_method: Schema.optionalKey(Text)
})

const decodeMetadata = Schema.decodeUnknownResult(Metadata)
const lookAtMetadata = bounds(Metadata)

const invalid = (detail: string) => Result.fail(refuse("REGISTRATION_METADATA_INVALID", { detail }))

export const parseRegistration = (text: string): Result.Result<DynamicRegistration, OAuthRefused> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return invalid("The body is not JSON")
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return invalid("The body is not a JSON object")
  // Clients send an empty address for one that they do not have; an empty value counts as not sent (decisions O6).
  const sentMembers = Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== null && !(value === "" && Object.hasOwn(Metadata.fields, name))
    )
  )
  const fault = redirectUrisFault(sentMembers["redirect_uris"])
  if (fault !== undefined) return Result.fail(refuse("REGISTRATION_REDIRECT_URI_INVALID", { detail: fault }))
  const excess = lookAtMetadata(sentMembers)
  if (excess !== undefined) return invalid(`The member ${String(excess.path[0] ?? "of the metadata")} is too large`)
  const decoded = decodeMetadata(sentMembers)
  if (Result.isFailure(decoded)) {
    const member = Object.keys(Metadata.fields).find(
      (name) => name in sentMembers && Result.isFailure(decodeMetadata({ [name]: sentMembers[name] }))
    )
    return invalid(`The member ${member ?? "of the metadata"} is invalid`)
  }
  const { client_name, grant_types, response_types, scope, token_endpoint_auth_method: _, ...rest } = decoded.success
  if (grant_types !== undefined && !grant_types.includes(authorizationCode.type))
    return invalid(`grant_types must include ${authorizationCode.type}`)
  if (response_types !== undefined && !response_types.includes("code"))
    return invalid("response_types must include code")
  const scopes = splitScopes(scope ?? "").filter(isScope)
  const name = registeredName(client_name)
  if (name === undefined) return invalid("The member client_name has no visible character")
  return Result.succeed({
    name,
    redirectUris: [...new Set(sentMembers["redirect_uris"] as ReadonlyArray<string>)],
    metadata: cleaned({
      ...rest,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
      grant_types: (grant_types ?? grantTypes).filter((type) => grantTypes.includes(type)),
      response_types: ["code"]
    })
  })
}

/** Text that Postgres can hold: well-formed, without NUL. */
const cleaned = (metadata: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      typeof value === "string" ? showable(value) : Array.isArray(value) ? value.map((v) => showable(String(v))) : value
    ])
  )

/** The answer of RFC 7591 3.2.1; always a public client. */
export const registrationResponse = (registered: {
  readonly clientId: string
  readonly issuedOn: Date
  readonly registration: DynamicRegistration
}) => ({
  client_id: registered.clientId,
  client_id_issued_at: Math.floor(registered.issuedOn.getTime() / 1000),
  ...(registered.registration.name === null ? {} : { client_name: registered.registration.name }),
  redirect_uris: registered.registration.redirectUris,
  token_endpoint_auth_method: "none",
  ...registered.registration.metadata
})
