// The shapes of apps and fields, sent and read (developer-api.md 3.1).
import { Schema } from "effect"
import { isMaxNodes } from "../../../platform/bounds/Bounds.ts"
import { json, list, map, sizes, token } from "../../../platform/bounds/sized.ts"
import * as Common from "../../../platform/primitives/commonSchemas.ts"
import { Icon } from "../../accounts/Icon.ts"
import { isCalculation } from "../calculations/calculationPlan.ts"
import type { Field } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { CalculationSettings } from "../fields/types/calculation.ts"
import type { AppDefinition, AppRow } from "../model/AppDefinition.ts"

const optional = Schema.optionalKey
const Description = Schema.NullOr(Common.Text)

export const FieldConfig = Schema.Struct({
  label: Common.Name,
  description: optional(Description),
  required: optional(Schema.Boolean),
  unique: optional(
    Schema.Boolean.annotate({
      description: "No two live records may have the same value; texts are compared without case and accents"
    })
  ),
  hidden_if_empty: optional(Schema.Boolean),
  always_hidden: optional(Schema.Boolean),
  expression: optional(
    json(sizes.fieldValues).annotate({
      description: "Of a calculation, as are `result` and `decimals`; or among its settings"
    })
  ),
  result: optional(token),
  decimals: optional(Schema.NullOr(Schema.Int)),
  settings: optional(map(json(sizes.fieldValues), 50))
})
export const FieldInput = Schema.Struct({
  field_id: optional(Common.Id),
  field_type: optional(token),
  config: FieldConfig
}).annotate({ identifier: "FieldInput" })
export type FieldInput = typeof FieldInput.Type

const patch = {
  item_name: optional(Common.Name),
  description: optional(Description),
  icon: optional(Schema.NullOr(Icon)),
  item_icon: optional(Schema.NullOr(Icon)),
  fields: optional(list(FieldInput, sizes.fields).check(isMaxNodes(sizes.writeValues)))
}
const FieldRef = Schema.Struct({ field_id: Common.Id }).annotate({ identifier: "FieldRef" })

export const AppCreate = Schema.Struct({ workspace_id: Common.Id, name: Common.Name, ...patch }).annotate({
  identifier: "AppCreate"
})
export const AppUpdate = Schema.Struct({
  name: optional(Common.Name),
  ...patch,
  fields_to_delete: optional(list(FieldRef, sizes.fields))
}).annotate({ identifier: "AppUpdate" })
export const FieldOrder = Schema.Struct({ fields: list(FieldRef, sizes.fields) }).annotate({ identifier: "FieldOrder" })

const text = Schema.NullOr(Schema.String)
export const FieldView = Schema.Struct({
  field_id: Schema.Int,
  slug: Schema.String,
  external_id: Schema.String,
  label: Schema.String,
  type: Schema.String,
  field_type: Schema.String,
  config: Schema.Struct({
    label: Schema.String,
    slug: Schema.String,
    external_id: Schema.String,
    description: text,
    required: Schema.Boolean,
    unique: Schema.Boolean,
    always_hidden: Schema.Boolean,
    hidden_if_empty: Schema.Boolean,
    position: Schema.Int,
    expression: optional(Schema.String.annotate({ description: "Of a calculation, as in its settings" })),
    result: optional(Schema.String),
    decimals: optional(Schema.NullOr(Schema.Int)),
    settings: Schema.Unknown
  })
}).annotate({ identifier: "Field" })

const appMembers = {
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  slug: Schema.String,
  external_id: Schema.String,
  name: Schema.String,
  record_name: Schema.String,
  item_name: Schema.String,
  type: Schema.Literal("database"),
  description: text,
  position: Schema.Int,
  config: Schema.Struct({
    name: Schema.String,
    item_name: Schema.String,
    description: text,
    icon: optional(Icon),
    item_icon: optional(Icon)
  }).annotate({ identifier: "AppConfig" })
}
export const AppView = Schema.Struct({ ...appMembers, fields: Schema.Array(FieldView) }).annotate({ identifier: "App" })
/** App as a caller sees it. */
export const AppSeen = Schema.Struct({
  ...AppView.fields,
  permission_level: Schema.Int.annotate({
    description: "What the caller may do here: 5 everything, 3 edit records, 2 comment, 1 view"
  }),
  calculations_pending: optional(
    Schema.Int.annotate({
      description:
        "Of an app with calculations: records that are not calculated by the present definition, day or related records yet"
    })
  ),
  calculations_job_id: optional(
    Schema.NullOr(Schema.Int).annotate({
      description: "The job that calculates them, `GET /v1/job/{job_id}`; null: none"
    })
  )
}).annotate({ identifier: "AppSeen" })
export const AppListed = Schema.Struct({ ...appMembers, workspace_name: Schema.String }).annotate({
  identifier: "ListedApp"
})

const calculationConfig = (field: Field) => {
  if (!isCalculation(field)) return {}
  const { decimals, expression, result } = field.settings as CalculationSettings
  return { expression, result, decimals }
}

const renderField = (field: Field): typeof FieldView.Type => ({
  field_id: field.field_id,
  slug: field.slug,
  external_id: field.slug,
  label: field.label,
  type: typeOf(field).type,
  field_type: field.field_type,
  config: {
    label: field.label,
    slug: field.slug,
    external_id: field.slug,
    description: field.description,
    required: field.required,
    unique: field.unique,
    always_hidden: field.always_hidden,
    hidden_if_empty: field.hidden_if_empty,
    position: field.position,
    ...calculationConfig(field),
    settings: field.settings
  }
})

const renderHead = (app: AppRow) => ({
  app_id: app.app_id,
  workspace_id: app.workspace_id,
  slug: app.slug,
  external_id: app.slug,
  name: app.name,
  record_name: app.item_name,
  item_name: app.item_name,
  type: "database" as const,
  description: app.description,
  position: app.position,
  config: {
    name: app.name,
    item_name: app.item_name,
    description: app.description,
    ...(app.icon === null ? {} : { icon: app.icon }),
    ...(app.item_icon === null ? {} : { item_icon: app.item_icon })
  }
})

export const renderApp = (app: AppDefinition): typeof AppView.Type => ({
  ...renderHead(app),
  fields: app.fields.map(renderField)
})
export const renderListedApp = (app: AppRow & { readonly workspace_name: string }): typeof AppListed.Type => ({
  ...renderHead(app),
  workspace_name: app.workspace_name
})
