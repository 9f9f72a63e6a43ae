// Why a hook's filter can no longer be used (decisions W13): its events pass unfiltered then, and wait, since the hook is paused.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE hooks ADD COLUMN filter_problem text`
})
