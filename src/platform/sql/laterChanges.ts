// Runs changes of large tables next to the service instead of in a migration: indexes that are built without blocking writes, back-fills in
// batches, logs that begin their weeks. Progress is stored with each batch, so that an interrupted change goes on where it was
// (CONTRIBUTING.md, "Change a large table").
import { Clock, Effect, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { LATER_LOCK } from "./advisoryLocks.ts"
import { beginWeeks, type LaterWeeks, weeksBegun } from "./laterWeeks.ts"
import { rowOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

export type LaterChange =
  | {
      readonly kind: "index"
      /** Name of the index. */
      readonly name: string
      /** SQL behind `CREATE INDEX CONCURRENTLY <name>`: `ON records (app_id, created_on)`. */
      readonly on: string
      readonly unique?: boolean
    }
  | {
      readonly kind: "backfill"
      readonly name: string
      /** Changes one short batch of some thousand rows behind a key, in a transaction. Null: nothing is left. */
      readonly batch: (
        after: number
      ) => Effect.Effect<{ readonly last: number; readonly rows: number } | null, SqlError, SqlClient.SqlClient>
    }
  | LaterWeeks

/** Reports the progress of a change, for people. */
type Tell = (line: string) => Effect.Effect<void>

const PREFIX = "later/"
/** Pause between batches, so that other work comes first. */
const PAUSE = "20 millis"
const TELL_EVERY_MILLIS = 5_000

const Kept = Schema.Struct({ value: Schema.String })
const Progress = Schema.fromJsonString(Schema.Struct({ after: Schema.Int, rows: Schema.Int, done: Schema.Boolean }))
type Progress = typeof Progress.Type
const decode = Schema.decodeUnknownEffect(Progress)
const Locked = Schema.Struct({ locked: Schema.Boolean })
const Found = Schema.Struct({ valid: Schema.Boolean })
const Built = Schema.Struct({ share: Schema.NullOr(Schema.Int) })

const progressOf = Effect.fnUntraced(function* (name: string) {
  const sql = yield* Sql
  const kept = yield* rowOf(Kept)(sql`SELECT value FROM installation WHERE name = ${PREFIX + name}`)
  const begin: Progress = { after: 0, rows: 0, done: false }
  return kept === undefined ? begin : yield* Effect.orDie(decode(kept.value))
})

const keep = (name: string, progress: Progress) =>
  Effect.flatMap(
    Sql,
    (sql) => sql`
      INSERT INTO installation (name, value) VALUES (${PREFIX + name}, ${JSON.stringify(progress)})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`
  )

const backfill = Effect.fnUntraced(function* (change: Extract<LaterChange, { kind: "backfill" }>, tell: Tell) {
  const sql = yield* Sql
  let progress = yield* progressOf(change.name)
  let reportedAt = yield* Clock.currentTimeMillis
  while (!progress.done) {
    progress = yield* sql.withTransaction(
      Effect.gen(function* () {
        const { after, rows } = progress
        const batchResult = yield* change.batch(after)
        const next: Progress =
          batchResult === null
            ? { after, rows, done: true }
            : { after: batchResult.last, rows: rows + batchResult.rows, done: false }
        yield* keep(change.name, next)
        return next
      })
    )
    const nowMillis = yield* Clock.currentTimeMillis
    if (nowMillis - reportedAt > TELL_EVERY_MILLIS) {
      reportedAt = nowMillis
      yield* tell(`${change.name}: ${progress.rows} rows, up to ${progress.after}`)
    }
    yield* Effect.sleep(PAUSE)
  }
  yield* tell(`${change.name}: done, ${progress.rows} rows`)
})

const readIndex = (name: string) =>
  Effect.flatMap(Sql, (sql) =>
    rowOf(Found)(sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident(${name}))`)
  )

/** Reports progress over a connection of its own, since the building one is silent meanwhile. */
const telling = (name: string, tell: Tell) =>
  Effect.flatMap(Sql, (sql) =>
    rowOf(Built)(sql`
      SELECT (100 * blocks_done / nullif(blocks_total, 0))::int AS share FROM pg_stat_progress_create_index
      WHERE index_relid = to_regclass(quote_ident(${name}))`)
  ).pipe(
    Effect.flatMap((built) => (built?.share == null ? Effect.void : tell(`${name}: ${built.share} % of the table`))),
    Effect.delay(TELL_EVERY_MILLIS),
    Effect.repeat(Schedule.forever)
  )

const index = Effect.fnUntraced(function* (change: Extract<LaterChange, { kind: "index" }>, tell: Tell) {
  const sql = yield* Sql
  const { name, on, unique } = change
  const existingIndex = yield* readIndex(name)
  if (existingIndex?.valid === true) return
  // Drops an index whose build was broken off: Postgres keeps it up to date, and no query uses it.
  if (existingIndex !== undefined) yield* sql.unsafe(`DROP INDEX CONCURRENTLY "${name}"`)
  const build = sql.unsafe(`CREATE ${unique === true ? "UNIQUE " : ""}INDEX CONCURRENTLY "${name}" ${on}`)
  yield* Effect.raceFirst(build, telling(name, tell))
  yield* tell(`${name}: done`)
})

const isPending = (change: LaterChange) => {
  if (change.kind === "index") return Effect.map(readIndex(change.name), (there) => there?.valid !== true)
  if (change.kind === "weeks") return Effect.map(weeksBegun(change), (begun) => !begun)
  return Effect.map(progressOf(change.name), ({ done }) => !done)
}

/** Names of the changes that are not done. */
export const laterPending = Effect.fnUntraced(function* (changes: ReadonlyArray<LaterChange>) {
  const pendingChanges = yield* Effect.filter(changes, isPending)
  return pendingChanges.map(({ name }) => name)
})

const make = (change: LaterChange, tell: Tell) => {
  if (change.kind === "index") return index(change, tell)
  if (change.kind === "weeks")
    return Effect.flatMap(beginWeeks(change), (begun) => (begun ? tell(`${change.name}: done`) : Effect.void))
  return backfill(change, tell)
}

/** Makes the changes that are left, one after another; false if another process is at it. */
export const runLater = Effect.fnUntraced(function* (changes: ReadonlyArray<LaterChange>, tell: Tell) {
  const sql = yield* Sql
  return yield* Effect.scoped(
    Effect.gen(function* () {
      // Reserves the connection, since the lock is the session's.
      const connection = yield* sql.reserve
      const rows = yield* connection.execute(`SELECT pg_try_advisory_lock(${LATER_LOCK}) AS locked`, [], undefined)
      const { locked } = yield* Effect.orDie(Schema.decodeUnknownEffect(Locked)(rows[0]))
      if (!locked) return false
      yield* Effect.addFinalizer(() =>
        Effect.ignore(connection.execute(`SELECT pg_advisory_unlock(${LATER_LOCK})`, [], undefined))
      )
      for (const change of changes) yield* make(change, tell)
      return true
    })
  )
})
