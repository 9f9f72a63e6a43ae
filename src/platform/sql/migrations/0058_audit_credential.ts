// With which credential something was done (decisions P14): null in what is there already, in refusals, and where the service itself acted.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const FORMER = "source_address, details, count"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE audit_log ADD COLUMN credential text, ADD COLUMN credential_id bigint`
  // What finds its month late takes these along: the function as it is, with two columns more (0051).
  const [{ definition } = { definition: "" }] = yield* sql<{ definition: string }>`
    SELECT pg_get_functiondef('audit_log_keep(integer)'::regprocedure) AS definition`
  if (!definition.includes(FORMER)) return yield* Effect.die("audit_log_keep is not as 0051 made it")
  yield* sql.unsafe(definition.replaceAll(FORMER, `${FORMER}, credential, credential_id`))
})
