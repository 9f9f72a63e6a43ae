// Where a process writes to see whether Postgres takes writes (decisions P12). A row for each of a few slots, written over and over.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE liveness (slot integer PRIMARY KEY, written_on timestamptz NOT NULL) WITH (fillfactor = 50)`
})
