// Which history of the database this is: its epoch, how far it has come, and by what a database that was put back is known.
// The facts are filled in at the first start, so that a database made from a template is not taken for a copy.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `mark` only grows, also from one epoch to the next. `told`: Temporal has heard of this epoch. `written_xid`: who wrote the row,
  // which a row that was restored or copied cannot show in its xmin.
  yield* sql`
    CREATE TABLE installation_epoch (
      singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      epoch integer NOT NULL CHECK (epoch > 0),
      epoch_key text NOT NULL,
      mark bigint NOT NULL,
      told boolean NOT NULL,
      facts jsonb,
      written_xid bigint,
      reason text NOT NULL,
      began_on timestamptz NOT NULL
    )`
  yield* sql`
    INSERT INTO installation_epoch (epoch, epoch_key, mark, told, reason, began_on) VALUES (1, '', 0, false, 'the first', now())`
})
