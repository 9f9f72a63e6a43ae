// Adds rows from before the index of search (developer-api.md 11.1, migration 0073) to it, a batch at a time.
import { Effect, Schema } from "effect"
import { rowOf } from "./rows.ts"
import { Sql } from "./Sql.ts"
import { entriesBehind, type SearchedKind } from "./searchSources.ts"

/** Their writers wait meanwhile. */
const BATCH = 1_000

const Filled = Schema.Struct({ last: Schema.NullOr(Schema.String), rows: Schema.Int })

export const fillSearch = (kind: SearchedKind) =>
  Effect.fnUntraced(function* (after: number) {
    const sql = yield* Sql
    const filled = yield* rowOf(Filled)(sql.unsafe(entriesBehind(kind, after, BATCH)))
    return filled?.last == null ? null : { last: Number(filled.last), rows: filled.rows }
  })
