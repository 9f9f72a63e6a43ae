// Column types in the schemas of rows. Numbers of all widths come as numbers (./Int8.ts), `numeric` and everything selected `::text` as
// texts, instants as dates: `Schema.Int`, `Schema.Finite`, `Schema.String`, `Schema.Boolean`, `Schema.Date`, `Schema.Uint8Array`.
import { Schema } from "effect"

/**
 * An object or a list in a jsonb column that this house alone writes, from a value of the same type. That it is one is looked at; its
 * members are not: a record's cells would cost more to walk than all of its row, and what a definition has in it is read by the
 * schemas of its room. Whatever others wrote is `Schema.Unknown` here.
 */
export const jsonb = <T extends object>() => Schema.ObjectKeyword as unknown as Schema.Codec<T>
