// Column types in the schemas of rows. Numbers of all widths come as numbers (./Int8.ts), `numeric` and everything selected `::text` as
// texts, instants as dates: `Schema.Int`, `Schema.Finite`, `Schema.String`, `Schema.Boolean`, `Schema.Date`, `Schema.Uint8Array`.
import { Schema } from "effect"

/**
 * Object or list in a jsonb column that only this service writes, from a value of the same type. The schema checks that it is one, but not
 * its members: a record's cells would cost more to walk than all of its row, and definitions are read by the schemas of their module. Data
 * that others wrote is `Schema.Unknown` here.
 */
export const jsonb = <T extends object>() => Schema.ObjectKeyword as unknown as Schema.Codec<T>

/**
 * Instant in the rows of long lists, from a timestamptz column, for which the driver makes a date. `Schema.Date` asks each value for its
 * class, in an effect of its own: a sixth of what a page of records allocates for its rows.
 */
export const instant = Schema.ObjectKeyword as unknown as Schema.Codec<Date>
