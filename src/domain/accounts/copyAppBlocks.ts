// Copies app blocks to the new user of a person who returns to an organization: a re-invited person gets a new user id (decisions O15).
import type { Sql } from "../../platform/sql/Sql.ts"

/** Parts of a `WITH` in which `u` is the new user. Moves the blocks: once lifted under the new id, they are gone for good. */
export const copyAppBlocks = (sql: Sql) => sql`
  former AS (
    DELETE FROM org_app_user_blocks b USING users f, u
    WHERE f.org_id = u.org_id AND f.person_id = u.person_id AND f.user_id <> u.user_id AND b.user_id = f.user_id
    RETURNING u.user_id, b.client_id),
  carried AS (INSERT INTO org_app_user_blocks (user_id, client_id) SELECT DISTINCT user_id, client_id FROM former)`
