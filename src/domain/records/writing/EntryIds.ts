// Ids for entries of checklist, email, phone and link fields, drawn from the database in blocks of a thousand.
import { Context, Effect, Layer, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

const BLOCK = 1000

const Block = Schema.Struct({ start: Schema.Int })

export class EntryIds extends Context.Service<
  EntryIds,
  {
    /** A source of at least `count` ids. */
    readonly reserve: (count: number) => Effect.Effect<() => number>
  }
>()("millrace/records/EntryIds") {
  static readonly layer = Layer.effect(
    EntryIds,
    Effect.gen(function* () {
      const sql = yield* Sql
      let reservedIds: Array<number> = []
      const draw = (blocks: number) =>
        Effect.map(
          rowsOf(Block)(sql`SELECT nextval('entry_ids') AS start FROM generate_series(1, ${blocks}::int)`),
          (rows) => {
            reservedIds = reservedIds.concat(
              rows.flatMap(({ start }) => Array.from({ length: BLOCK }, (_, i) => start + i))
            )
          }
        ).pipe(orSqlDefect)
      const take = (count: number) => {
        const takenIds = reservedIds.slice(0, count)
        reservedIds = reservedIds.slice(count)
        let next = 0
        return () => takenIds[next++]!
      }
      const reserve = (count: number): Effect.Effect<() => number> =>
        count <= reservedIds.length
          ? Effect.sync(() => take(count))
          : Effect.flatMap(draw(Math.ceil(count / BLOCK)), () => reserve(count))
      return EntryIds.of({ reserve })
    })
  )
}
