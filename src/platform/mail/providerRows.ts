// Row of an OAuth provider and its sealed columns (decisions O9, P3).
import { Effect, type Redacted, Result, Schema } from "effect"
import { ValidationError } from "../primitives/errors.ts"
import { sealedColumn } from "../sealing/SealedColumn.ts"
import { Secrets } from "../sealing/Secrets.ts"
import { type Allowed, AllowedColumn, allowedColumn, allowedOf } from "../sharing/allowedUse.ts"

export const StoredProvider = Schema.Struct({
  authentication_provider_id: Schema.Int,
  org_id: Schema.Int,
  name: Schema.String,
  grant_type: Schema.Literals(["client_credentials", "refresh_token"]),
  token_url: Schema.String,
  client_id: Schema.String,
  client_auth: Schema.Literals(["basic", "post"]),
  scope: Schema.NullOr(Schema.String),
  client_secret_set: Schema.Boolean,
  refresh_token_set: Schema.Boolean,
  expires_on: Schema.NullOr(Schema.Date),
  allowed_workspaces: AllowedColumn,
  created_on: Schema.Date
})
type StoredProvider = typeof StoredProvider.Type
export interface Provider extends Omit<StoredProvider, "allowed_workspaces"> {
  readonly allowed: Allowed
}

export const providerOf = ({ allowed_workspaces, ...row }: StoredProvider): Provider => ({
  ...row,
  allowed: allowedOf(allowed_workspaces)
})

export const providerColumns = `authentication_provider_id, org_id, name, grant_type, token_url, client_id, client_auth, scope, client_secret IS NOT NULL AS client_secret_set, refresh_token IS NOT NULL AS refresh_token_set, expires_on, ${allowedColumn}, created_on`

export interface NewProvider {
  readonly name: string
  readonly grant_type: "client_credentials" | "refresh_token"
  readonly token_url: string
  readonly client_id: string
  readonly client_secret?: Redacted.Redacted
  /** Client authentication at the token endpoint (RFC 6749 2.3.1). */
  readonly client_auth?: "basic" | "post"
  readonly scope?: string | null
  /** Used by `refresh_token` only. */
  readonly refresh_token?: Redacted.Redacted
  /** Workspaces that may use it. Omitted: nobody but the organization itself. */
  readonly allowed?: Allowed
}

/** Omitted members keep their value. */
export type ProviderPatch = Partial<NewProvider>

const refuse = (message: string) => Result.fail(new ValidationError({ message }))

export const checkedProvider = (
  p: Pick<NewProvider, "client_secret" | "grant_type" | "refresh_token" | "token_url">
) => {
  const url = URL.parse(p.token_url)
  if (url === null || !/^https?:$/.test(url.protocol)) return refuse("token_url: must be an http or https URL.")
  if (p.grant_type === "refresh_token" && p.refresh_token === undefined)
    return refuse("refresh_token: needed for this grant.")
  if (p.grant_type === "client_credentials" && p.client_secret === undefined)
    return refuse("client_secret: needed for this grant.")
  return Result.succeed(p)
}

const destinationFields = ["grant_type", "token_url", "client_id"] as const

/**
 * Merges a patch. Secrets are sent only to the URL and as the client that they were entered for: a provider that moves requires all of them
 * again.
 */
export const changedProvider = <P extends StoredProvider>(
  before: P,
  patch: ProviderPatch
): Result.Result<{ readonly after: P; readonly moved: boolean }, ValidationError> => {
  const { allowed: _, client_secret, refresh_token, ...plain } = patch
  const mergedProvider = { ...before, ...plain, scope: plain.scope === undefined ? before.scope : plain.scope }
  const moved = destinationFields.some((key) => mergedProvider[key] !== before[key])
  if (!moved) return Result.succeed({ after: mergedProvider, moved })
  const secrets = {
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(refresh_token === undefined ? {} : { refresh_token })
  }
  if (before.client_secret_set && client_secret === undefined)
    return refuse("client_secret: needed again, since it would be sent elsewhere or as another client.")
  return Result.map(checkedProvider({ ...mergedProvider, ...secrets }), () => ({ after: mergedProvider, moved }))
}

export const ProviderRow = Schema.Struct({
  ...StoredProvider.fields,
  client_secret: Schema.NullOr(Schema.Uint8Array),
  refresh_token: Schema.NullOr(Schema.Uint8Array),
  access_token: Schema.NullOr(Schema.Uint8Array),
  token_type: Schema.NullOr(Schema.String)
})
export type ProviderRow = typeof ProviderRow.Type

const sealed = (column: "client_secret" | "refresh_token" | "access_token") =>
  sealedColumn({
    table: "authentication_providers",
    key: ["authentication_provider_id"],
    column,
    form: "bytea",
    binds: ["org_id"],
    context: ({ org_id }) => `authentication_providers/${org_id}/${column}`
  })

export const providerSecrets = {
  client_secret: sealed("client_secret"),
  refresh_token: sealed("refresh_token"),
  access_token: sealed("access_token")
} as const

type SealedName = keyof typeof providerSecrets

export const makeProviderSealing = Effect.gen(function* () {
  const secrets = yield* Secrets

  const context = (orgId: number, what: SealedName) => providerSecrets[what].contextOf({ org_id: orgId })
  const seal = (orgId: number, what: SealedName, text: string | undefined) =>
    text === undefined ? null : secrets.encrypt(text, context(orgId, what))
  const unseal = (orgId: number, what: SealedName, sealed: Uint8Array) =>
    secrets.decrypt(sealed, context(orgId, what)).pipe(Effect.orDie)

  return { seal, unseal }
})
