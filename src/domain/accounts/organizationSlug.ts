// Slugs of organizations, unique over the installation: a name that is taken gets the first number that is not.
import { Effect, Schema } from "effect"
import { SLUG_LOCK } from "../../platform/sql/advisoryLocks.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { slugOf } from "../../platform/text/slug.ts"

const Free = Schema.Struct({ slug: Schema.String })

/** Free slug for a new organization. Call it in the transaction that creates it: concurrent creations wait for it. */
export const freeSlug = Effect.fnUntraced(function* (sql: Sql, name: string) {
  const base = slugOf(name)
  yield* sql`SELECT pg_advisory_xact_lock(${SLUG_LOCK})`
  const row = yield* rowOf(Free)(sql`
    SELECT c.slug FROM (
      SELECT n, CASE n WHEN 1 THEN ${base}::text ELSE ${base} || '-' || n END AS slug
      FROM generate_series(1, 1 + (SELECT count(*) FROM organizations WHERE starts_with(slug, ${base}))) n
    ) c
    WHERE NOT EXISTS (SELECT 1 FROM organizations o WHERE o.slug = c.slug) ORDER BY c.n LIMIT 1`)
  return row!.slug
})
