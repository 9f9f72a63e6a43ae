// The trace that a change belongs to, with every row that hands the change on (docs/architecture/flow.md, "Traces"): null where it is not
// sampled, which costs nothing. Columns without a default are added without a look at the table. Whoever works beside this takes the
// four tables in all orders: they are locked together, and given back where that takes longer than anybody should wait behind it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    DO $$
    BEGIN
      PERFORM set_config('lock_timeout', '200ms', true);
      FOR attempt IN 1..100 LOOP
        BEGIN
          LOCK TABLE outbox, webhook_deliveries, automation_events, runs IN ACCESS EXCLUSIVE MODE;
          EXIT;
        EXCEPTION WHEN lock_not_available THEN
          PERFORM pg_sleep(0.1 * random());
        END;
      END LOOP;
      PERFORM set_config('lock_timeout', '0', true);
    END $$`
  yield* sql`ALTER TABLE outbox ADD COLUMN traceparent text`
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN traceparent text`
  yield* sql`ALTER TABLE automation_events ADD COLUMN traceparent text`
  yield* sql`ALTER TABLE runs ADD COLUMN traceparent text`
})
