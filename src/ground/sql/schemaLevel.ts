// Where the schema stands beside what this release knows of it: the same, behind (migrations are missing), or ahead (a newer release
// has been here).
import { Effect, Schema } from "effect"
import { migrations } from "./migrations/index.ts"
import { rowsOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

const Applied = Schema.Struct({ migration_id: Schema.Int, name: Schema.String })

const known = Object.keys(migrations)
const idOf = (name: string) => Number.parseInt(name, 10)
const newest = Math.max(...known.map(idOf))

interface SchemaStanding {
  /** Names of what this release has and the database has not. */
  readonly missing: ReadonlyArray<string>
  /** Names of what the database has and this release does not know. */
  readonly ahead: ReadonlyArray<string>
}

export const schemaStanding = Effect.gen(function* () {
  const sql = yield* Sql
  const rows = yield* rowsOf(Applied)(sql`SELECT migration_id, name FROM effect_sql_migrations ORDER BY migration_id`)
  const applied = new Set(rows.map(({ migration_id }) => migration_id))
  return {
    missing: known.filter((name) => !applied.has(idOf(name))),
    ahead: rows
      .filter(({ migration_id }) => migration_id > newest)
      .map(({ migration_id, name }) => `${String(migration_id).padStart(4, "0")}_${name}`)
  } satisfies SchemaStanding
})

/** For /health/ready. */
export const schemaHealth = schemaStanding.pipe(
  Effect.timeout("2 seconds"),
  Effect.match({
    onFailure: () => ({ ok: false, detail: "cannot be read" }),
    onSuccess: ({ ahead, missing }) => {
      if (missing.length > 0) return { ok: false, detail: `lacks ${missing.join(", ")}` }
      if (ahead.length > 0) return { ok: true, detail: `is ahead of this release by ${ahead.join(", ")}` }
      return { ok: true, detail: `is at ${known.at(-1)}` }
    }
  })
)
