// Compares the schema with the one that this release knows: equal, behind (migrations are missing), or ahead (a newer release has been
// here). Decides if this release may work on one that is ahead (./migrations/index.ts, `oldestBeside`).
import { Effect, Schema } from "effect"
import { migrations, oldestBeside } from "./migrations/index.ts"
import { rowOf, rowsOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

const Made = Schema.Struct({ migrations: Schema.Boolean, level: Schema.Boolean })
const Applied = Schema.Struct({ migration_id: Schema.Int, name: Schema.String })
const Level = Schema.Struct({ oldest: Schema.Int })

const migrationNames = Object.keys(migrations)
const idOf = (name: string) => Number.parseInt(name, 10)
const numbered = (id: number) => String(id).padStart(4, "0")
const newest = Math.max(...migrationNames.map(idOf))

/** Error of a release too old for this schema: working all the same it could write what others cannot read. */
class SchemaAhead extends Schema.TaggedError<SchemaAhead>()("SchemaAhead", {
  ahead: Schema.Array(Schema.String),
  oldest: Schema.Int
}) {
  override get message() {
    return `The database has been brought to ${this.ahead.at(-1)} by a newer release. This one knows its schema up to ${migrationNames.at(-1)} and may not work beside it: take a release that knows ${numbered(this.oldest)} or later.`
  }
}

interface SchemaStanding {
  /** Names of the migrations that this release has and the database has not. */
  readonly missing: ReadonlyArray<string>
  /** Names of the migrations that the database has and this release does not know. */
  readonly ahead: ReadonlyArray<string>
  /** Newest migration that every release working on it must know. */
  readonly oldest: number
}

export const schemaStanding = Effect.gen(function* () {
  const sql = yield* Sql
  const existingTables = yield* rowOf(Made)(sql`
    SELECT to_regclass('effect_sql_migrations') IS NOT NULL AS migrations, to_regclass('schema_level') IS NOT NULL AS level`)
  const rows =
    existingTables?.migrations === true
      ? yield* rowsOf(Applied)(sql`SELECT migration_id, name FROM effect_sql_migrations ORDER BY migration_id`)
      : []
  const level = existingTables?.level === true ? yield* rowOf(Level)(sql`SELECT oldest FROM schema_level`) : undefined
  const applied = new Set(rows.map(({ migration_id }) => migration_id))
  return {
    missing: migrationNames.filter((name) => !applied.has(idOf(name))),
    ahead: rows
      .filter(({ migration_id }) => migration_id > newest)
      .map(({ migration_id, name }) => `${numbered(migration_id)}_${name}`),
    oldest: level?.oldest ?? 0
  } satisfies SchemaStanding
})

const tooOld = ({ oldest }: SchemaStanding) => oldest > newest

/** Warns, or refuses, before a process works on a schema that is ahead. */
export const mayWork = Effect.fnUntraced(function* (standing: SchemaStanding) {
  const { ahead, oldest } = standing
  if (tooOld(standing)) return yield* new SchemaAhead({ ahead, oldest })
  if (ahead.length > 0)
    yield* Effect.logWarning(
      `the schema is ahead of this release by ${ahead.join(", ")}: a newer release has been here, and this one may work beside it`
    )
})

/** Bars older releases from starting. Runs with the migrations that require it. */
export const raiseLevel = Effect.flatMap(
  Sql,
  (sql) => sql`UPDATE schema_level SET oldest = ${idOf(oldestBeside)} WHERE oldest < ${idOf(oldestBeside)}`
)

/** Schema state for /health/ready. */
export const schemaHealth = schemaStanding.pipe(
  Effect.timeout("2 seconds"),
  Effect.match({
    onFailure: () => ({ ok: false, detail: "cannot be read" }),
    onSuccess: (standing) => {
      const { ahead, missing, oldest } = standing
      if (missing.length > 0) return { ok: false, detail: `lacks ${missing.join(", ")}` }
      if (ahead.length === 0) return { ok: true, detail: `is at ${migrationNames.at(-1)}` }
      const detail = `is ahead of this release by ${ahead.join(", ")}`
      if (!tooOld(standing)) return { ok: true, detail }
      return { ok: false, detail: `${detail}; this process must end: who works on it must know ${numbered(oldest)}` }
    }
  })
)
