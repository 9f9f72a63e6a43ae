// Reads and writes int8 columns as JavaScript numbers: every id and count stays far below 2^53. The 64-bit ids that the API shows as
// strings (run ids, revision ids) are selected with `::text`.
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

const INT8 = 20
const INT8_ARRAY = 1016
const WORD = 2 ** 32

const half = (bytes: Uint8Array, at: number) =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!

/** Codecs of the driver, with int8 read as `number` and written from `number` or `bigint`. */
export const registry: PgTypes.Registry = PgTypes.makeRegistry()

registry.register<number>(
  INT8,
  {
    encode: (value) => {
      const bytes = new Uint8Array(8)
      new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
      return Result.succeed(bytes)
    },
    // Decodes by halves: a page of records has hundreds of these, and each bigint would be an object that is thrown away.
    decode: (b) => Result.succeed(half(b, 0) * WORD + (half(b, 4) >>> 0))
  },
  { arrayOid: INT8_ARRAY }
)
