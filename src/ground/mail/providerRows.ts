// A stored OAuth provider and its sealed columns (decisions O9, P3).
import { Effect, Schema } from "effect"
import { sealedColumn } from "../sealing/SealedColumn.ts"
import { Secrets } from "../sealing/Secrets.ts"

export const Provider = Schema.Struct({
  authentication_provider_id: Schema.Int,
  org_id: Schema.Int,
  name: Schema.String,
  grant_type: Schema.Literals(["client_credentials", "refresh_token"]),
  token_url: Schema.String,
  client_id: Schema.String,
  client_auth: Schema.Literals(["basic", "post"]),
  scope: Schema.NullOr(Schema.String),
  expires_on: Schema.NullOr(Schema.Date),
  created_on: Schema.Date
})
export type Provider = typeof Provider.Type

export const ProviderRow = Schema.Struct({
  ...Provider.fields,
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
