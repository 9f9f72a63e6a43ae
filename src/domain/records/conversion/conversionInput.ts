// Input and position of a conversion's job, as the database keeps them (developer-api.md 11.4).
import { Schema } from "effect"

const Option = Schema.Struct({
  id: Schema.Int,
  text: Schema.String,
  color: Schema.String,
  means_completed: Schema.optionalKey(Schema.Boolean)
})

/** Definition of a field, as far as a conversion decides or compares it. */
const Shape = Schema.Struct({
  field_type: Schema.String,
  label: Schema.String,
  description: Schema.NullOr(Schema.String),
  required: Schema.Boolean,
  hidden_if_empty: Schema.Boolean,
  always_hidden: Schema.Boolean,
  settings: Schema.Unknown
})

export const ConversionInput = Schema.Struct({
  app_id: Schema.Int,
  field_id: Schema.Int,
  dry_run: Schema.Boolean,
  /** Type and settings that the field had as the job began. */
  from: Schema.Struct({ field_type: Schema.String, settings: Schema.Unknown }),
  to: Shape
})
export type ConversionInput = typeof ConversionInput.Type

const Counts = Schema.Struct({ converted: Schema.Int, unconvertible: Schema.Int, empty: Schema.Int })
export type ConversionCounts = typeof Counts.Type
const noCounts: ConversionCounts = { converted: 0, unconvertible: 0, empty: 0 }

export const ConversionPosition = Schema.Struct({
  /** `app_record_id` of the last record that was read. */
  after: Schema.Int,
  /** True if all records have been read: what has changed since is left. */
  read: Schema.Boolean,
  options: Schema.Array(Option),
  counts: Counts
})
export type ConversionPosition = typeof ConversionPosition.Type
export const atStart: ConversionPosition = { after: 0, read: false, options: [], counts: noCounts }
