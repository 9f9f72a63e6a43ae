// decisions, "The second step": the operator's way back in for who has lost theirs.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed as cli } from "../../support/processes.ts"

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH p AS (INSERT INTO people (email, name, created_on) VALUES ('a@example.com', 'A', now()) RETURNING person_id),
    f AS (INSERT INTO factors (person_id, kind, name, secret, created_on) SELECT person_id, 'totp', 'Phone', 'x', now() FROM p),
    c AS (INSERT INTO recovery_codes (person_id, code_hash) SELECT person_id, 'h' FROM p)
    INSERT INTO sessions (token_hash, person_id, pending_person_id, created_on, last_seen_on, expires_on)
    SELECT t::bytea, CASE t WHEN 'a' THEN person_id END, CASE t WHEN 'b' THEN person_id END, now(), now(), now() + interval '1 day'
    FROM p, unnest(ARRAY['a', 'b']) t`
})
const remainingCounts = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
  SELECT (SELECT count(*)::int FROM factors) AS factors, (SELECT count(*)::int FROM recovery_codes) AS codes,
    (SELECT count(*)::int FROM sessions) AS sessions`
)

describe("npm run cli -- person reset-factors", () => {
  it.live("removes every second step of a person, signs them out, and says so in the audit log", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const pool = layerOn(databaseUrl, 1)
      yield* Effect.provide(seed, pool)
      const stray = yield* cli(databaseUrl, "person", "reset-factors", "nobody@example.com")
      assert.match(stray.err, /No person with the address nobody@example.com/)
      const resetResult = yield* cli(databaseUrl, "person", "reset-factors", "A@example.com", "--json")
      assert.deepInclude(JSON.parse(resetResult.out), { email: "a@example.com", factors_removed: 1 }, resetResult.err)
      assert.deepStrictEqual(yield* Effect.provide(remainingCounts, pool), [{ factors: 0, codes: 0, sessions: 0 }])
      const log = yield* cli(databaseUrl, "audit", "read", "--event", "person.factors_reset", "--json")
      assert.deepStrictEqual(JSON.parse(log.out)[0].details, { by: "operator", factors: 1 }, log.err)
      // A worker mails it (test/domain/accounts/factorNotices.test.ts).
      const notices = yield* Effect.provide(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT p.email, n.news->>'type' AS type FROM factor_notices n JOIN people p USING (person_id)`
        ),
        pool
      )
      assert.deepStrictEqual(notices, [{ email: "a@example.com", type: "reset" }])
    }).pipe(Effect.scoped)
  )
})
