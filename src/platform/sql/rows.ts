// Decodes rows by a schema as they enter, since the type of a statement's rows is a claim that nobody checks. A row of another shape is a
// fault of ours: a defect that names the statement and the column, never a value that is wrong further in. Effect compiles the decoders:
// under a microsecond for a row (docs/benchmarks.md, "Measured choices").
import { Cause, Effect, Exit, Schema } from "effect"
import { enable } from "effect/schema/SchemaJITCompiler"
import type { SqlError } from "effect/sql/SqlError"
import type { Undecoded } from "./Sql.ts"

type RowSchema = Schema.ConstraintDecoder<object>
type Decode<A> = (rows: unknown) => Exit.Exit<ReadonlyArray<A>, Schema.SchemaError>

/** Defect of a statement whose rows do not match their schema. */
export class RowMismatch extends Schema.TaggedError<RowMismatch>()("RowMismatch", {
  /** Text of the statement, with `$1` for each value. */
  statement: Schema.String,
  issue: Schema.String
}) {
  override get message() {
    return `${this.issue} in the rows of: ${this.statement}`
  }
}

const mismatch = (statement: Undecoded, issue: Schema.SchemaError) =>
  new RowMismatch({
    statement: statement.compile()[0].split(/\s+/).join(" ").trim(),
    issue: issue.message.split(/\s+/).join(" ")
  })

const decoders = new WeakMap<RowSchema, Decode<any>>()

const decoderOf = <S extends RowSchema>(row: S): Decode<S["Type"]> => {
  const cachedDecoder = decoders.get(row)
  if (cachedDecoder !== undefined) return cachedDecoder
  const rows = Schema.Array(row)
  enable(rows.ast)
  const decode = Schema.decodeUnknownExit(rows)
  decoders.set(row, decode)
  return decode
}

const decodeRows = <S extends RowSchema>(
  row: S,
  statement: Undecoded,
  rows: unknown
): Exit.Exit<ReadonlyArray<S["Type"]>> => {
  const decoded = decoderOf(row)(rows)
  return Exit.isSuccess(decoded)
    ? Exit.succeed(decoded.value)
    : Exit.die(mismatch(statement, Cause.squash(decoded.cause) as Schema.SchemaError))
}

/** Decodes all rows. Make the schema once, at module level: its decoder is cached with it. */
export const rowsOf =
  <S extends RowSchema>(row: S) =>
  (statement: Undecoded): Effect.Effect<ReadonlyArray<S["Type"]>, SqlError> =>
    Effect.flatMap(statement, (rows) => decodeRows(row, statement, rows))

/**
 * Rows by a column, for a statement that serves several callers: a row is decoded, once, when somebody asks for it. One that does not match
 * the schema fails those who ask for it, and nobody else.
 */
export const rowsByKey =
  <S extends RowSchema, A>(row: S, key: string & keyof S["Type"], use: (row: S["Type"]) => A) =>
  (statement: Undecoded): Effect.Effect<ReadonlyMap<number, Effect.Effect<A>>, SqlError> =>
    Effect.map(statement, (rows) => {
      const decodeOnce = (values: object): Effect.Effect<A> => {
        let result: Exit.Exit<A> | undefined
        return Effect.suspend(() => {
          result ??= Exit.map(decodeRows(row, statement, [values]), ([only]) => use(only!))
          return result
        })
      }
      return new Map(rows.map((values) => [Number(Reflect.get(values, key)), decodeOnce(values)]))
    })

/** Decodes a statement that returns at most one row. */
export const rowOf =
  <S extends RowSchema>(row: S) =>
  (statement: Undecoded): Effect.Effect<S["Type"] | undefined, SqlError> =>
    Effect.map(rowsOf(row)(statement), (rows) => rows[0])

const Count = Schema.Struct({ n: Schema.Int })

/** Result of a statement `SELECT count(*)::int AS n`. */
export const countOf = (statement: Undecoded): Effect.Effect<number, SqlError> =>
  Effect.map(rowsOf(Count)(statement), (rows) => rows[0]!.n)
