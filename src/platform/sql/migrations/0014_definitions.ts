// By which format of the schemas a definition was written (src/domain/automations/input/storedDefinition.ts): another one is read anew.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automations ADD COLUMN format integer NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE automation_revisions ADD COLUMN format integer NOT NULL DEFAULT 0`
})
