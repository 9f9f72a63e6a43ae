// Shapes of a field's conversion, sent and answered (developer-api.md 11.4).
import { Schema } from "effect"
import { token } from "../../platform/bounds/sized.ts"
import { FieldConfig } from "../records/apps/appSchemas.ts"
import { FieldUsage } from "../usage/usageSchemas.ts"

/** Values that an answer shows of each kind. */
export const SHOWN = 100
export const FieldConvert = Schema.Struct({
  field_type: token,
  config: Schema.optionalKey(
    Schema.Struct({ ...FieldConfig.fields, label: Schema.optionalKey(FieldConfig.fields.label) }).annotate({
      identifier: "FieldConvertConfig",
      description: "What is left out stays as it is"
    })
  ),
  dry_run: Schema.optionalKey(Schema.Boolean.annotate({ description: "Tell what would become of the values" }))
}).annotate({ identifier: "FieldConvert" })
export type FieldConvert = typeof FieldConvert.Type

const count = (description: string) => Schema.Int.annotate({ description })

export const ConversionOutcome = Schema.Struct({
  records: count("Records of the app, those in the trash included"),
  converted: count("Values that convert"),
  unconvertible: count("Values that do not: they stay in the revision before, and the field is empty"),
  empty: count("Records without a value"),
  failures: Schema.Array(
    Schema.Struct({ record_id: Schema.Int, value: Schema.String, reason: Schema.String }).annotate({
      identifier: "ConversionFailure"
    })
  ).annotate({ description: `The first ${SHOWN} that do not convert` }),
  samples: Schema.Array(
    Schema.Struct({ record_id: Schema.Int, before: Schema.String, after: Schema.String }).annotate({
      identifier: "ConversionSample"
    })
  ).annotate({ description: "Some that convert" }),
  new_options: Schema.Array(Schema.String).annotate({ description: "Options that would be added" })
}).annotate({ identifier: "ConversionOutcome" })
export type ConversionOutcome = typeof ConversionOutcome.Type

export const FieldConversion = Schema.Struct({
  job_id: Schema.NullOr(Schema.Int).annotate({
    description: "The job that converts, or that tries a dry run of many records; null: the outcome is here"
  }),
  outcome: Schema.NullOr(ConversionOutcome),
  used_by: Schema.NullOr(FieldUsage).annotate({
    description: "What uses the field; null without the scope `apps:read`"
  })
}).annotate({ identifier: "FieldConversion" })
export type FieldConversion = typeof FieldConversion.Type
