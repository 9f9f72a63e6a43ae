// Stores the bytes of files in Postgres, in chunks, so that every process can read them and one backup contains them.
import { Context, Effect, Layer, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

const CHUNK = 256 * 1024
/** More bytes than a chunk has. */
const WHOLE = 2 ** 30

/** Bytes of a content that follow each other. */
export interface Span {
  readonly start: number
  readonly length: number
}

const Chunk = Schema.Struct({ bytes: Schema.Uint8Array })

const ChunkPlace = Schema.Struct({ part: Schema.Int, before: Schema.Int })

export class Contents extends Context.Service<
  Contents,
  {
    /** Writes the chunks in the caller's transaction; answers the size in bytes. */
    readonly write: <E, R>(
      key: string,
      content: Stream.Stream<Uint8Array, E, R>
    ) => Effect.Effect<number, E | SqlError, R>
    /** Reads the complete content, or a span of it. */
    readonly read: (key: string, span?: Span) => Stream.Stream<Uint8Array>
    readonly bytes: (key: string) => Effect.Effect<Uint8Array>
    readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  }
>()("millrace/records/Contents") {
  static readonly layer = Layer.effect(
    Contents,
    Effect.gen(function* () {
      const sql = yield* Sql

      const insert = Effect.fnUntraced(function* (key: string, part: number, bytes: Uint8Array) {
        yield* sql`INSERT INTO file_chunks (storage_key, part, bytes) VALUES (${key}, ${part}, ${bytes})`
      })

      const write = <E, R>(key: string, content: Stream.Stream<Uint8Array, E, R>) =>
        Effect.gen(function* () {
          let bufferedChunks: Array<Uint8Array> = []
          let heldBytes = 0
          let part = 0
          let size = 0
          const flush = Effect.suspend(() => {
            const bytes = new Uint8Array(Buffer.concat(bufferedChunks))
            bufferedChunks = []
            heldBytes = 0
            return insert(key, part++, bytes)
          })
          yield* Stream.runForEach(content, (chunk) => {
            bufferedChunks.push(chunk)
            heldBytes += chunk.length
            size += chunk.length
            return heldBytes >= CHUNK ? flush : Effect.void
          })
          if (heldBytes > 0) yield* flush
          return size
        })

      /** A part of a chunk; it is stored as it is (`STORAGE EXTERNAL`), so that Postgres reads no more of it than the part. */
      const pieceOf = (key: string, part: number, skip: number, most: number) =>
        rowsOf(Chunk)(sql`
          SELECT substring(bytes FROM ${skip + 1}::int FOR ${Math.min(most, WHOLE)}::int) AS bytes
          FROM file_chunks WHERE storage_key = ${key} AND part = ${part}`).pipe(
          Effect.map((rows) => rows[0]?.bytes),
          orSqlDefect
        )

      /** Streams from byte `skip` of a chunk until `left` bytes are sent or no chunk is left. */
      const from = (key: string, part: number, skip: number, left: number) =>
        Stream.unfold({ part, skip, left }, (at) =>
          at.left <= 0
            ? Effect.succeed(undefined)
            : Effect.map(pieceOf(key, at.part, at.skip, at.left), (piece) =>
                piece === undefined
                  ? undefined
                  : ([piece, { part: at.part + 1, skip: 0, left: at.left - piece.length }] as const)
              )
        )

      /** Chunks have the sizes in which they arrived: sums their sizes to find the one with a byte. */
      const holding = (key: string, byte: number) =>
        rowsOf(ChunkPlace)(sql`
          SELECT part, through - size AS before FROM (
            SELECT part, octet_length(bytes) AS size, sum(octet_length(bytes)) OVER (ORDER BY part) AS through
            FROM file_chunks WHERE storage_key = ${key}) chunks
          WHERE through > ${byte} ORDER BY part LIMIT 1`).pipe(
          Effect.map((rows) => rows[0]),
          orSqlDefect
        )

      const readSpan = (key: string, { start, length }: Span) =>
        Effect.map(holding(key, start), (found) =>
          found === undefined ? Stream.empty : from(key, found.part, start - found.before, length)
        )

      const read = (key: string, span?: Span) =>
        span === undefined ? from(key, 0, 0, Number.POSITIVE_INFINITY) : Stream.unwrap(readSpan(key, span))

      const bytes = (key: string) =>
        Effect.map(Stream.runCollect(read(key)), (parts) => new Uint8Array(Buffer.concat([...parts])))

      const remove = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
        if (keys.length > 0) yield* sql`DELETE FROM file_chunks WHERE storage_key = ANY(${[...keys]}::text[])`
      })

      return Contents.of({ write, read, bytes, remove })
    })
  )
}
