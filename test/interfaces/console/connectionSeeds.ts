// Apps that people of the scene have connected, as an approval leaves them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Scene } from "../pages/chromium.ts"

/** An app that so many people have connected, the owner of the scene first. */
export const seedConnections = Effect.fnUntraced(function* (clientId: string, name: string, people: number) {
  const sql = yield* SqlClient.SqlClient
  const { orgId, userId } = yield* Scene
  yield* sql`
    INSERT INTO oauth_clients (client_id, kind, name, redirect_uris, created_on)
    VALUES (${clientId}, 'public', ${name}, '{https://client.example/callback}', now())`
  const userIds = [userId]
  for (let n = 1; n < people; n++) {
    const [person] = yield* sql<{ person_id: number }>`
      INSERT INTO people (email, name, created_on)
      VALUES (${`${clientId}-${n}@harbor.example`}, ${`Pilot ${n}`}, now()) RETURNING person_id`
    const [user] = yield* sql<{ user_id: number }>`
      INSERT INTO users (org_id, person_id, name, role, status, created_on)
      VALUES (${orgId}, ${person!.person_id}, ${`Pilot ${n}`}, 'member', 'active', now()) RETURNING user_id`
    userIds.push(user!.user_id)
  }
  for (const id of userIds)
    yield* sql`
      INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on, last_used_on, expires_on)
      VALUES (${clientId}, ${id}, ${orgId}, '{records:read,records:edit}', now(), now(), now(), now(), now() + interval '1 year')`
})
