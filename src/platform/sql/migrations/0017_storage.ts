// What an organization's files take (decisions A23): counted by the database itself with every file that comes or goes, whoever
// writes it. In the order of organizations, so that two prunes cannot wait for each other.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE organization_storage (org_id bigint PRIMARY KEY, bytes bigint NOT NULL)`
  yield* sql`
    CREATE FUNCTION count_stored_files() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO organization_storage AS s (org_id, bytes)
      SELECT org_id, CASE WHEN TG_OP = 'INSERT' THEN sum(size) ELSE -sum(size) END
      FROM changed GROUP BY org_id ORDER BY org_id
      ON CONFLICT (org_id) DO UPDATE SET bytes = s.bytes + EXCLUDED.bytes;
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE TRIGGER files_stored AFTER INSERT ON files REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_stored_files()`
  yield* sql`
    CREATE TRIGGER files_gone AFTER DELETE ON files REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_stored_files()`
  yield* sql`INSERT INTO organization_storage (org_id, bytes) SELECT org_id, sum(size) FROM files GROUP BY org_id`
  // decisions A22: who renews a provider's token says so in the row, and holds no lock while its server takes its time.
  yield* sql`ALTER TABLE authentication_providers ADD COLUMN renewing_until timestamptz`
})
