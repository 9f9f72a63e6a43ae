// int8 columns travel as JavaScript numbers: every id and count stays far below 2^53.
// The 64-bit ids that the API shows as strings (run ids, revision ids) are selected with `::text`.
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

const INT8 = 20
const INT8_ARRAY = 1016

/** The driver's codecs with int8 read as `number` and written from `number` or `bigint`. */
export const registry: PgTypes.Registry = PgTypes.makeRegistry()

registry.register<number>(
  INT8,
  {
    encode: (value) => {
      const bytes = new Uint8Array(8)
      new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
      return Result.succeed(bytes)
    },
    decode: (bytes) => Result.succeed(Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0)))
  },
  { arrayOid: INT8_ARRAY }
)
