// What the database itself notes while a schedule goes on: all events that are written, and limits that a commit exceeds.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Automations } from "./automationWorld.ts"

/** The check of a limit runs as the last thing of a transaction, and sees all that has been committed before. */
export const observe = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, slots: number) {
  yield* sql.unsafe(`DO $observed$ BEGIN
    CREATE TABLE observed_events (event_id bigint, type text, app_id bigint, record_id bigint, workflow boolean, depth int, payload jsonb);
    CREATE TABLE observed_faults (what text);
    CREATE TABLE observed_runs (number bigint GENERATED ALWAYS AS IDENTITY, run_id bigint, fence bigint);
    CREATE FUNCTION note_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO observed_runs (run_id, fence) VALUES (new.run_id, new.fence);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_beginning AFTER INSERT ON runs FOR EACH ROW EXECUTE FUNCTION note_run();
    CREATE TRIGGER note_start AFTER UPDATE ON runs FOR EACH ROW WHEN (old.fence = 1 AND new.fence > 1) EXECUTE FUNCTION note_run();
    CREATE TRIGGER note_end AFTER UPDATE ON runs FOR EACH ROW WHEN (old.completed_on IS NULL AND new.completed_on IS NOT NULL)
      EXECUTE FUNCTION note_run();
    CREATE FUNCTION observe_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO observed_events VALUES (new.event_id, new.type, new.app_id, new.record_id, new.workflow, new.depth, new.payload);
      RETURN NULL;
    END $$;
    CREATE TRIGGER observe_event AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION observe_event();
    CREATE FUNCTION observe_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO observed_faults
      SELECT format('%s runs of automation %s are under way at once, not %s', count(*), a.automation_id, a.concurrency ->> 'at_most')
      FROM runs r JOIN automations a USING (automation_id)
      WHERE r.automation_id = new.automation_id AND a.concurrency IS NOT NULL AND r.completed_on IS NULL AND r.debounced_until IS NULL
        AND r.turn_wanted_on IS NULL AND r.wait_why IS DISTINCT FROM 'called_run'
        AND ((a.concurrency ->> 'per_record')::boolean IS NOT TRUE OR r.record_id IS NOT DISTINCT FROM new.record_id)
      GROUP BY a.automation_id, a.concurrency HAVING count(*) > (a.concurrency ->> 'at_most')::int;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER observe_run AFTER INSERT OR UPDATE ON runs DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (new.completed_on IS NULL) EXECUTE FUNCTION observe_run();
    CREATE FUNCTION observe_place() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO observed_faults SELECT format('%s concurrency slots are taken at once, not ${slots}', count(*)) FROM run_places
      HAVING count(*) > ${slots};
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER observe_place AFTER INSERT ON run_places DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION observe_place();
  END $observed$`)
})

/** What is noted of three runs that begin at once, where two may. The next schedule clears it away. */
export const notedFaults = (sql: SqlClient.SqlClient, { automations, main, orgId }: Automations) =>
  Effect.gen(function* () {
    const { id } = automations[0]!
    yield* sql`UPDATE automations SET concurrency = '{"at_most": 2}' WHERE automation_id = ${id}`
    const runs = yield* sql<{ run_id: string }>`
      INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
      SELECT ${orgId}, ${main.appId}, ${id}, 1, n, 'regular', 'running', true, 1, '{}', now() FROM generate_series(1, 3) AS n
      RETURNING run_id::text`
    for (const [slot, { run_id }] of runs.entries())
      yield* sql`INSERT INTO run_places (run_id, org_id, taken_on, slot) VALUES (${run_id}::bigint, ${orgId}, now(), ${slot + 1})`
    const rows = yield* sql<{ what: string }>`SELECT DISTINCT what FROM observed_faults ORDER BY what`
    yield* sql`DELETE FROM run_places`
    yield* sql`DELETE FROM runs`
    return rows.map(({ what }) => what)
  })
