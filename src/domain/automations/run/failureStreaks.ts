// Whether the runs of an automation fail. Its owner is told by mail when they begin to, and not again until one has succeeded;
// simulations and cancelled runs say nothing. While all of them fail, or none does, a run's end writes nothing here.
import { Clock, Effect } from "effect"
import type { Sql } from "../../../ground/sql/Sql.ts"

export const makeFailing = (sql: Sql) => ({
  /** In the transaction in which the runs have ended as failed. */
  begin: (runIds: ReadonlyArray<string>) =>
    runIds.length === 0
      ? Effect.void
      : Effect.flatMap(
          Clock.currentTimeMillis,
          (millis) => sql`
            WITH ended AS (
              SELECT DISTINCT ON (automation_id) automation_id, org_id, run_id, error_message FROM runs
              WHERE run_id = ANY(${runIds}::text[]::bigint[]) AND type <> 'simulation' ORDER BY automation_id, run_id
            ), begun AS (
              INSERT INTO automation_failing AS f (automation_id, failing)
              SELECT automation_id, true FROM ended e WHERE NOT EXISTS (
                SELECT 1 FROM automation_failing known WHERE known.automation_id = e.automation_id AND known.failing)
              ORDER BY automation_id
              ON CONFLICT (automation_id) DO UPDATE SET failing = true WHERE NOT f.failing
              RETURNING automation_id
            )
            INSERT INTO automation_notices (automation_id, org_id, kind, cause, run_id, created_on)
            SELECT automation_id, org_id, 'failing', coalesce(error_message, 'The run failed.'), run_id, ${new Date(millis)}
            FROM begun JOIN ended USING (automation_id)`
        ),
  /** Part of the statement that ends runs; `fenced` says which of them are well. */
  over: sql`
    UPDATE automation_failing SET failing = false
    WHERE failing AND automation_id IN (SELECT automation_id FROM fenced WHERE well)`
})
