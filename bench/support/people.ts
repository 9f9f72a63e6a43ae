// Many users with tokens, straight into the database: the subject of the rows that look a token up on every request.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allScopes } from "../../src/domain/accounts/Scope.ts"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"

/** Tokens of so many users of the organization, all owners. */
export const seedPeople = Effect.fnUntraced(
  function* (orgId: number, count: number) {
    const sql = yield* SqlClient.SqlClient
    const tokens = Array.from({ length: count }, () => randomToken("svc_pat_"))
    const rows = tokens.map((token, i) => ({
      i,
      hash: Buffer.from(hashToken(token)).toString("hex"),
      hint: token.slice(-4)
    }))
    yield* sql`
    WITH i AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (i int, hash text, hint text)),
    p AS (
      INSERT INTO people (email, name, created_on)
      SELECT 'bench-' || ${orgId}::text || '-' || i || '@millrace.example', 'Person ' || i, now() FROM i RETURNING person_id, email
    ), u AS (
      INSERT INTO users (org_id, person_id, name, role, status, created_on)
      SELECT ${orgId}::bigint, person_id, email, 'owner', 'active', now() FROM p RETURNING user_id, name
    )
    INSERT INTO api_credentials (user_id, kind, token_hash, hint, name, scopes, content_selection, workspace_ids, app_ids, created_on)
    SELECT user_id, 'personal_access_token', decode(hash, 'hex'), hint, 'bench', ${[...allScopes]}::text[], 'all', '{}', '{}', now()
    FROM i JOIN u ON u.name = 'bench-' || ${orgId}::text || '-' || i || '@millrace.example'`
    yield* sql`ANALYZE`
    return tokens
  },
  Effect.catchTag("SqlError", Effect.die)
)
