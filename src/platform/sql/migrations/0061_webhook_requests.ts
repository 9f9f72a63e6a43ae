// The request around the payload of an inbound webhook (developer-api.md 7.9): its headers and query, and its body as it was sent where
// the definition uses it. What stands under the name of a credential is sealed (`model/sealedValues.ts`).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhook_payloads ADD COLUMN raw_body text`
  yield* sql`ALTER TABLE webhook_catches ADD COLUMN raw_body text, ADD COLUMN request jsonb`
})
