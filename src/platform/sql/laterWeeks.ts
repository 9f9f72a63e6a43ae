// Splits a log that was large before it had weeks (migrations/0037_id_weeks.ts), next to the running service. Its ids are bounded and the
// bound is validated while all goes on. The existing rows become the part before the first week, without being read again.
import { Effect, Schema } from "effect"
import { rowOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

export interface LaterWeeks {
  readonly kind: "weeks"
  /** Table that is partitioned by ids, with all rows in its default partition until then. */
  readonly name: string
  /** Sequence of its ids. */
  readonly ids: string
  /** Functions of the schema that give it weeks: `_bound` and `_begin`. */
  readonly by: "id_weeks" | "run_weeks"
}

const Begun = Schema.Struct({ begun: Schema.Boolean })
const Former = Schema.Struct({ part: Schema.String })

export const weeksBegun = Effect.fnUntraced(function* ({ name }: LaterWeeks) {
  const sql = yield* Sql
  const row = yield* rowOf(Begun)(sql`
    SELECT EXISTS (SELECT FROM pg_inherits JOIN pg_partitioned_table ON partrelid = inhparent
      WHERE inhparent = to_regclass(${name}) AND inhrelid <> partdefid) AS begun`)
  return row!.begun
})

/** Gives the table its weeks. @returns true if there was something to do */
export const beginWeeks = Effect.fnUntraced(function* (change: LaterWeeks) {
  const sql = yield* Sql
  const { by, ids, name } = change
  if (yield* weeksBegun(change)) return false
  const former = yield* rowOf(Former)(sql`SELECT ${sql(`${by}_bound`)}(${name}::regclass, ${ids}::regclass) AS part`)
  yield* sql.unsafe(`ALTER TABLE ${former!.part} VALIDATE CONSTRAINT id_weeks_bound`)
  yield* sql`SELECT ${sql(`${by}_begin`)}(${name}::regclass, ${ids}::regclass)`
  return true
})
