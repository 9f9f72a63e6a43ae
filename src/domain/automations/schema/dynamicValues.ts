// Dynamic values: references, constants, template and code values, relative dates (service.md 2.7, developer-api.md 7.4; decisions A9, A15).
import { Schema } from "effect"
import { line, list, sizes, text, token } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { olderNames } from "../../records/fields/contract/FieldType.ts"
import { SecretName } from "../../secrets/secretNames.ts"
import { flag, unset, withDefault, wrapped } from "./combinators.ts"
import { customTypes } from "./customVariables.ts"
import { fieldTypeTokens } from "./operators.ts"
import {
  actionOutputs,
  dataTypes,
  globalTypes,
  metaTypes,
  pdfCounts,
  properties,
  requestParts,
  triggerOutputs
} from "./referenceTypes.ts"

const tokens = <const T extends ReadonlyArray<string>>(values: T) => Schema.Literals(values)
const variable = Schema.Literal("variable")

export const FieldTypeToken = Schema.Literals([...fieldTypeTokens, ...olderNames])

export const Property = Schema.Literals(properties)
export type Property = typeof Property.Type
const property = { property: unset(Property) }

export const FieldReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("field"),
  field_id: Id,
  field_type: FieldTypeToken,
  previous: flag(false, "The value before the triggering change"),
  collection: flag(false, "Per collected record"),
  triggering: flag(false, "Of the record that initiated a call or weblink"),
  ...property
})
export type FieldReference = typeof FieldReference.Type

export const MetaReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("meta"),
  meta_type: tokens(metaTypes),
  app_id: unset(Id),
  previous: unset(Schema.Boolean),
  collection: unset(Schema.Boolean),
  triggering: unset(Schema.Boolean),
  ...property
})
export type MetaReference = typeof MetaReference.Type

const TriggerReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("trigger"),
  trigger_type: tokens(triggerOutputs),
  ...property
})

const PayloadReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("trigger"),
  trigger_type: Schema.Literal("webhook_payload_property"),
  key_path: list(Schema.Union([line, Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))]), 200).annotate({
    description: "Keys and 0-based indexes from the payload down to the property"
  }),
  data_type: tokens(dataTypes).pipe(withDefault("any")),
  ...property
})

const RequestReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("trigger"),
  trigger_type: tokens(requestParts),
  key: unset(line.annotate({ description: "One of them" })),
  ...property
})

const ActionReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("action"),
  action_type: tokens(actionOutputs),
  app_id: unset(Id),
  ...property
})

const GlobalReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("global"),
  global_type: tokens(globalTypes),
  ...property
})

const CustomType = tokens(customTypes)
const Label = Schema.String.check(Schema.isBetweenLength(1, 500))

/** `{ custom_type, label }`: declares a variable, or names an input of a call target. */
export const CustomDef = Schema.Struct({ custom_type: CustomType, label: Label }).annotate({
  identifier: "CustomVariableDef"
})
export type CustomDef = typeof CustomDef.Type
/** An optional custom_variable_def with the service's default. */
export const defaultDef = (def: CustomDef) => CustomDef.pipe(withDefault(def))
export const CustomDefs = list(CustomDef, sizes.arguments).pipe(withDefault([]))

const CustomReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("custom"),
  custom_type: CustomType,
  label: Label,
  ...property
})

export const Reference = Schema.Union([
  FieldReference,
  MetaReference,
  TriggerReference,
  PayloadReference,
  RequestReference,
  ActionReference,
  GlobalReference,
  CustomReference
]).annotate({ identifier: "Reference" })
export type Reference = typeof Reference.Type

/**
 * Reference to a secret, whose value leaves only with what the step sends: only requests, mails and scripts with outside access accept it.
 */
export const SecretReference = Schema.Struct({
  kind: variable,
  source: Schema.Literal("secret"),
  name: SecretName
}).annotate({ identifier: "SecretReference" })
export type SecretReference = typeof SecretReference.Type

const constant = Schema.Literal("value")
export const Constant = Schema.Union([
  Schema.Struct({ kind: constant, value_type: Schema.Literal("option"), field_id: Id, option_id: Id }),
  Schema.Struct({ kind: constant, value_type: Schema.Literal("user"), user_id: Id }),
  Schema.Struct({ kind: constant, value_type: Schema.Literal("record"), record_id: Id }),
  Schema.Struct({
    kind: constant,
    value_type: Schema.Literal("pdf"),
    pdf: tokens(pdfCounts)
  }),
  Schema.Struct({ kind: constant, value_type: Schema.Literal("date"), date: token }),
  Schema.Struct({ kind: constant, value_type: Schema.Literal("time"), time: token })
]).annotate({ identifier: "Constant" })
export type Constant = typeof Constant.Type

type TemplateItem = string | Reference | Constant
export type Template = ReadonlyArray<TemplateItem>
export const Template = wrapped(
  Schema.Union([text(sizes.definitionText), Reference, Constant]).annotate({ identifier: "TemplatePart" }),
  "TemplateValue",
  "Text: strings, references and constants in order; a bare string reads back as a one-item array"
)
/** Optional template; reads `[]` when left out. */
export const template = Template.pipe(withDefault<typeof Template>([]))

export type TemplateWithSecrets = ReadonlyArray<TemplateItem | SecretReference>
export const TemplateWithSecrets = wrapped(
  Schema.Union([text(sizes.definitionText), Reference, SecretReference, Constant]).annotate({
    identifier: "TemplatePartWithSecrets"
  }),
  "TemplateValueWithSecrets",
  "Text that may hold secrets"
)
export const templateWithSecrets = TemplateWithSecrets.pipe(withDefault<typeof TemplateWithSecrets>([]))

type CodeItem = string | Reference
export type Code = ReadonlyArray<CodeItem>
export const Code = wrapped(
  Schema.Union([text(sizes.definitionText), Reference]).annotate({ identifier: "CodePart" }),
  "CodeValue",
  "Code: strings and references in order, each reference bound as a variable; numbers are strings"
)
export const code = Code.pipe(withDefault<typeof Code>([]))

export type CodeWithSecrets = ReadonlyArray<CodeItem | SecretReference>
const CodeWithSecrets = wrapped(
  Schema.Union([text(sizes.definitionText), Reference, SecretReference]).annotate({
    identifier: "CodePartWithSecrets"
  }),
  "CodeValueWithSecrets",
  'Code that may use secrets, also by `secret("name")`'
)
export const codeWithSecrets = CodeWithSecrets.pipe(withDefault<typeof CodeWithSecrets>([]))

const currentDate = { kind: "variable", source: "global", global_type: "current_date" } as const

/** `base` plus or minus an amount of a unit; the default base, `current_date`, is written out on read. */
export const RelativeDate = Schema.Struct({
  base: Reference.pipe(withDefault<typeof Reference>(currentDate)),
  operator: tokens(["plus", "minus"]).pipe(withDefault("plus")),
  unit: tokens(["hour", "day", "week", "month"]).pipe(withDefault("day")),
  amount: Code
}).annotate({ identifier: "RelativeDate" })
export type RelativeDate = typeof RelativeDate.Type

/** Id, or a reference that gives one. */
export const IdOrReference = Schema.Union([Id, Reference])
export type IdOrReference = typeof IdOrReference.Type
