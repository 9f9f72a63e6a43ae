// Page of a list (developer-api.md 1.4): `{ total, cursor, <collection> }`, whose collection is called as its resource. The `total` is
// counted on the first page; the `cursor` of the last one is null.
import { Schema } from "effect"

export const pageOf = <K extends string, Item extends Schema.Top, Total extends Schema.Top = typeof Schema.Int>(
  collection: K,
  item: Item,
  total: Total = Schema.Int as Schema.Top as Total
) =>
  Schema.Struct({ total, cursor: Schema.NullOr(Schema.String), [collection]: Schema.Array(item) } as {
    total: Total
    cursor: Schema.NullOr<typeof Schema.String>
  } & Record<K, Schema.$Array<Item>>)
