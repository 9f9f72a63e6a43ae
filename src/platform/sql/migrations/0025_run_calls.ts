// The runs that a step has called and waits for (developer-api.md 7.13 `wait_for_result`): one row a call, made with it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `called_run_id` or `refused` is set when the target's actor has decided; `ready`: its workflow may be started by the caller's.
  yield* sql`
    CREATE TABLE run_calls (
      run_id bigint NOT NULL REFERENCES runs ON DELETE CASCADE,
      path text NOT NULL,
      iteration text NOT NULL,
      record_id bigint NOT NULL,
      call_id bigint GENERATED ALWAYS AS IDENTITY,
      called_run_id bigint,
      refused text,
      ready boolean NOT NULL DEFAULT false,
      PRIMARY KEY (run_id, path, iteration, record_id)
    )`
  yield* sql`CREATE INDEX run_calls_called ON run_calls (called_run_id) WHERE called_run_id IS NOT NULL`
})
