// SQL of the change feed (migration 0040): who listens, since when all changes are kept, and which changes have become visible.
import { Effect, Schema } from "effect"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { SnapshotText } from "./Cursor.ts"

/** Time for which rows are still written and kept for a listener that was cut off. */
export const RESUMABLE_SECONDS = 300
/** A listener row that ends this soon is replaced: changes written while it is extended might be written after its end. */
const ENDING_SECONDS = 5

const FeedChange = Schema.Struct({
  org_id: Schema.Int,
  app_id: Schema.Int,
  /** Id of the transaction. */
  made_in: Schema.String,
  kind: Schema.Literals(["record", "app", "run", "delivery"]),
  detail: jsonb<Readonly<Record<string, unknown>>>()
})
export type FeedChange = typeof FeedChange.Type
export type ChangeKind = FeedChange["kind"]

const Snapshot = Schema.Struct({ snapshot: Schema.String })
const Since = Schema.Struct({ since: Schema.String })
const Began = Schema.Struct({ ...Since.fields, now: Schema.String })
/** Changes that have become visible, and the snapshot. */
const Seen = Schema.Struct({
  snapshot: Schema.String,
  change: Schema.NullOr(FeedChange),
  /** Organizations whose changes since `seen` are no longer complete, and since when they are. */
  unknown: Schema.NullOr(jsonb<Readonly<Record<string, string | null>>>())
})

export type Unknown = (typeof Seen.Type)["unknown"]

export const makeChangeRows = (sql: Sql) => {
  /** Renews a listener row; returns since when all changes are written for it and kept. */
  const renew = Effect.fnUntraced(function* (orgId: number) {
    yield* sql`
      DELETE FROM change_listeners
      WHERE org_id = ${orgId} AND until < clock_timestamp() + make_interval(secs => ${ENDING_SECONDS})`
    const { now, since } = (yield* rowOf(Began)(sql`
      SELECT change_listen(${orgId}, ${RESUMABLE_SECONDS})::text AS since, pg_current_xact_id()::text AS now`))!
    // Transactions that wrote before the listener row was committed did not see it, and may have begun later than this one.
    const [seen] =
      since === now
        ? yield* rowsOf(Since)(sql`
            UPDATE change_listeners SET since = greatest(since, pg_current_xact_id()) WHERE org_id = ${orgId}
            RETURNING since::text AS since`)
        : []
    return seen?.since ?? since
  })

  /**
   * Changes visible now and not in `seen`; without any, one row that is empty but for the snapshot. Changes deleted meanwhile are either
   * among them or reported as unknown.
   */
  const since = (seen: SnapshotText, orgIds: ReadonlyArray<number>, most: number) =>
    rowsOf(Seen)(sql`
      SELECT pg_current_snapshot()::text AS snapshot, CASE WHEN row_number() OVER (ORDER BY c.change_id) = 1 THEN (
          SELECT jsonb_object_agg(org_id, l.since::text) FROM unnest(${orgIds.map(String)}::text[]::bigint[]) AS org_id
          LEFT JOIN change_listeners l USING (org_id)
          WHERE l.since IS NULL OR l.since >= pg_snapshot_xmin(${seen}::text::pg_snapshot)) END AS unknown,
        CASE WHEN c.change_id IS NOT NULL THEN jsonb_build_object('org_id', c.org_id, 'app_id', c.app_id, 'made_in', c.made_in::text,
          'kind', c.kind, 'detail', c.detail) END AS change
      FROM (SELECT 1) one LEFT JOIN LATERAL (
        SELECT * FROM changes WHERE org_id = ANY(${orgIds.map(String)}::text[]::bigint[])
          AND (made_in >= pg_snapshot_xmax(${seen}::text::pg_snapshot)
            OR made_in = ANY(ARRAY(SELECT pg_snapshot_xip(${seen}::text::pg_snapshot))))
        ORDER BY change_id LIMIT ${most + 1}) c ON true
      ORDER BY c.change_id`)

  /** Current snapshot. */
  const current = Effect.map(
    rowOf(Snapshot)(sql`SELECT pg_current_snapshot()::text AS snapshot`),
    (row) => row!.snapshot
  )

  /** First transaction id above all that are open now or have been. */
  const latest = Effect.map(
    rowOf(Snapshot)(sql`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS snapshot`),
    (row) => BigInt(row!.snapshot)
  )

  return { renew, since, current, latest }
}
