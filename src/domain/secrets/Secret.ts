// Secret as it is stored and shown (developer-api.md 7.13): it has a name and belongs to an organization, a workspace or an app. Its value
// is written and replaced; no response contains it.
import { flow, Schema, Struct } from "effect"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { sealedColumn } from "../../platform/sealing/SealedColumn.ts"
import { Allowed, AllowedColumn, allowedColumn, allowedOf } from "../../platform/sharing/allowedUse.ts"
import { SecretName } from "./secretNames.ts"

export const secretsPerOwner = 100

/** A shorter value could not be hidden without hiding innocent text. */
const SHORTEST = 6
const LONGEST = 8_192
export const SecretText = Schema.String.check(
  Schema.isBetweenLength(SHORTEST, LONGEST),
  Schema.makeFilter((text: string) => text.isWellFormed() || "half a surrogate pair cannot be kept")
).annotate({ description: "Written, never read back" })

const Description = Schema.String.check(Schema.isMaxLength(1_000))

export const NewSecret = Schema.Struct({
  name: SecretName.annotate({ description: "By which automations refer to it; never changes" }),
  value: SecretText,
  description: Schema.optionalKey(Schema.NullOr(Description))
}).annotate({ identifier: "SecretCreate" })

/** Input of an organization's secret: `allowed` names the workspaces that may use it; if omitted, none may. */
export const NewOrganizationSecret = Schema.Struct({
  ...NewSecret.fields,
  allowed: Schema.optionalKey(Allowed)
}).annotate({ identifier: "OrganizationSecretCreate" })
export type NewSecret = typeof NewOrganizationSecret.Type

/** Change of a secret: omitted members stay; `null` clears the description. */
export const SecretPatch = Schema.Struct({
  value: Schema.optionalKey(SecretText),
  description: Schema.optionalKey(Schema.NullOr(Description)),
  allowed: Schema.optionalKey(Allowed)
}).annotate({ identifier: "SecretUpdate" })
export type SecretPatch = typeof SecretPatch.Type

const Author = Schema.NullOr(Schema.Int).annotate({ description: "User id; null for the operator" })
export const SecretView = Schema.Struct({
  secret_id: Schema.Int,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  org_id: Schema.Int,
  workspace_id: Schema.NullOr(Schema.Int).annotate({ description: "Set for one of a workspace" }),
  app_id: Schema.NullOr(Schema.Int).annotate({ description: "Set for one of an app" }),
  allowed: Schema.NullOr(Allowed).annotate({
    description:
      "Workspaces that may use one of the organization; of those, who is neither owner nor admin reads the ones that they see. Null for one of a workspace or an app, whose apps use it"
  }),
  created_at: Schema.String,
  created_by: Author,
  updated_at: Schema.String,
  updated_by: Author
}).annotate({ identifier: "Secret" })
export type SecretView = typeof SecretView.Type

export const SecretRow = SecretView.mapFields(
  flow(
    Struct.omit(["allowed", "created_at", "updated_at"]),
    Struct.assign({ allowed_workspaces: AllowedColumn, created_on: Schema.Date, updated_on: Schema.Date })
  )
)
export type SecretRow = typeof SecretRow.Type
export const secretColumns = `secret_id, name, description, org_id, workspace_id, app_id, ${allowedColumn}, created_on, created_by, updated_on, updated_by`

export const isOfOrganization = ({ app_id, workspace_id }: Pick<SecretRow, "app_id" | "workspace_id">) =>
  app_id === null && workspace_id === null

export const secretView = ({ allowed_workspaces, created_on, updated_on, ...row }: SecretRow): SecretView => ({
  ...row,
  allowed: isOfOrganization(row) ? allowedOf(allowed_workspaces) : null,
  created_at: formatDateTime(created_on),
  updated_at: formatDateTime(updated_on)
})

export const secretValue = sealedColumn({
  table: "secrets",
  column: "value",
  key: ["secret_id"],
  form: "bytea",
  binds: ["secret_id"],
  context: ({ secret_id }) => `secrets/${secret_id}/value`
})
