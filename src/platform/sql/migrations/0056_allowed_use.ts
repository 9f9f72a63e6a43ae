// Who may use what belongs to an organization (decisions A26; ../../sharing/allowedUse.ts): the workspaces whose apps may use a secret, a mail account
// or a provider; null for all. What is there already may be used where it is used at this moment, by definitions, runs that go on, and
// hooks, and nowhere else.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Definitions in force, and those of runs that have not ended. */
const definitions = `
  SELECT x.org_id, p.workspace_id, p.app_id, x.actions FROM automations x JOIN apps p USING (app_id) WHERE x.deleted_on IS NULL
  UNION ALL
  SELECT DISTINCT ON (v.revision_id) r.org_id, p.workspace_id, p.app_id, v.actions
  FROM runs r JOIN automation_revisions v USING (revision_id) JOIN apps p ON p.app_id = r.app_id WHERE r.completed_on IS NULL`

/** Names by reference, and those that the source of a script calls for (domain/secrets/secretNames.ts). */
const namedSecrets = `
  SELECT DISTINCT d.org_id, d.workspace_id, d.app_id, n.name FROM (${definitions}) d CROSS JOIN LATERAL (
    SELECT s ->> 'name' AS name FROM jsonb_path_query(d.actions, '$.** ? (@.kind == "variable" && @.source == "secret")') s
    UNION
    SELECT m[1] FROM jsonb_path_query(d.actions, '$.** ? (@.type == "custom_code")') step
    CROSS JOIN LATERAL (
      SELECT string_agg(CASE jsonb_typeof(i.item) WHEN 'string' THEN i.item #>> '{}' ELSE ' ' END, '' ORDER BY i.n) AS source
      FROM jsonb_array_elements(CASE jsonb_typeof(step #> '{config,code}') WHEN 'array' THEN step #> '{config,code}' ELSE '[]' END)
        WITH ORDINALITY i (item, n)) text
    CROSS JOIN LATERAL regexp_matches(text.source,
      '(?<![A-Za-z0-9_])secret\\s*\\(\\s*["''\`]([A-Za-z_][A-Za-z0-9_.-]{0,99})["''\`]\\s*\\)', 'g') m
  ) n WHERE n.name IS NOT NULL`

/** A step's member that names an account or a provider by its id. */
const namedBy = (key: string) => `
  SELECT d.workspace_id, (i #>> '{}')::numeric AS id
  FROM (${definitions}) d CROSS JOIN LATERAL jsonb_path_query(d.actions, '$.**.config.${key} ? (@.type() == "number")') i`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // What the release before adds meanwhile may be used by nobody until somebody says who may.
  for (const table of ["secrets", "smtp_accounts", "authentication_providers"])
    yield* sql.unsafe(`ALTER TABLE ${table} ADD COLUMN allowed_workspaces bigint[] DEFAULT '{}'`)

  // An app's or a workspace's own secret of the name is what is used there.
  yield* sql.unsafe(`
    UPDATE secrets s SET allowed_workspaces = used.workspaces FROM (
      SELECT n.org_id, n.name, array_agg(DISTINCT n.workspace_id) AS workspaces FROM (${namedSecrets}) n
      WHERE NOT EXISTS (
        SELECT FROM secrets nearer WHERE nearer.name = n.name AND (nearer.app_id = n.app_id OR nearer.workspace_id = n.workspace_id))
      GROUP BY n.org_id, n.name) used
    WHERE s.org_id = used.org_id AND s.name = used.name AND s.workspace_id IS NULL AND s.app_id IS NULL`)

  yield* sql.unsafe(`
    UPDATE smtp_accounts s SET allowed_workspaces = used.workspaces FROM (
      SELECT id, array_agg(DISTINCT workspace_id) AS workspaces FROM (
        ${namedBy("smtp_account_id")}
        UNION ALL
        SELECT d.workspace_id, account.smtp_account_id FROM (${definitions}) d
        JOIN smtp_accounts account ON account.org_id = d.org_id AND account.is_default
        WHERE d.actions @? '$.** ? (@.type == "send_email" || @.type == "collected_records_send_email") 
          ? (!exists(@.config.smtp_account_id ? (@.type() == "number")))'
      ) u GROUP BY id) used
    WHERE s.smtp_account_id = used.id`)

  yield* sql.unsafe(`
    UPDATE authentication_providers s SET allowed_workspaces = used.workspaces FROM (
      SELECT id, array_agg(DISTINCT workspace_id) AS workspaces FROM (
        ${namedBy("authentication_provider_id")}
        UNION ALL
        SELECT p.workspace_id, (h.sending #>> '{authentication,authentication_provider_id}')::numeric
        FROM hooks h JOIN apps p USING (app_id) WHERE h.sending #>> '{authentication,type}' = 'oauth2'
      ) u GROUP BY id) used
    WHERE s.authentication_provider_id = used.id`)
})
