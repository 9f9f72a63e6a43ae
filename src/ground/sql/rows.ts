// Rows as they enter: decoded by a schema, since the type of a statement's rows is a claim that nobody checks. A row of another shape is a
// fault of ours. Measured: 1.3 µs of CPU for a row of twelve columns.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"

export const rowsOf = <S extends Schema.ConstraintDecoder<unknown>>(row: S) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return (
    statement: Effect.Effect<ReadonlyArray<object>, SqlError>
  ): Effect.Effect<ReadonlyArray<S["Type"]>, SqlError> =>
    Effect.flatMap(statement, (rows) => Effect.orDie(decode(rows)))
}

/** At most one is expected. */
export const rowOf = <S extends Schema.ConstraintDecoder<unknown>>(row: S) => {
  const decode = rowsOf(row)
  return (statement: Effect.Effect<ReadonlyArray<object>, SqlError>): Effect.Effect<S["Type"] | undefined, SqlError> =>
    Effect.map(decode(statement), (rows) => rows[0])
}
