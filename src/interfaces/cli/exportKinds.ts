// Lists the tables that an export of an organization holds, and those that it leaves out (docs/operations.md, "Take an organization's data
// along"). A test compares both lists with the tables of the database.
import type { Statement } from "effect/sql"
import type { Sql } from "../../platform/sql/Sql.ts"

export interface ExportKind {
  /** Rows of the organization, of a table `t`. */
  readonly of: (sql: Sql, org: number) => Statement.Fragment
  /** Sort key of the rows, unique, with a column's type where that is not bigint (`expression::type`). */
  readonly key: ReadonlyArray<string>
}

type Of = ExportKind["of"]
const ofOrg: Of = (sql, org) => sql`t.org_id = ${org}`
/**
 * Select the organization through the parent row, with a scalar subquery for each row, as pages come in the order of their keys. A query
 * that the planner can turn into a join reads all rows of the organization again for every page. It takes a comparison outside of the
 * subquery for rare, and then sorts all rows for one page.
 */
const ofApp: Of = (sql, org) => sql`(SELECT a.org_id = ${org} FROM apps a WHERE a.app_id = t.app_id)`
const ofRecord: Of = (sql, org) => sql`(SELECT r.org_id = ${org} FROM records r WHERE r.record_id = t.record_id)`
/** Selects from tables that have no index by organization. */
const ofOrgInOrder: Of = (sql, org) => sql`(SELECT t.org_id = ${org})`
const ofUser: Of = (sql, org) => sql`(SELECT u.org_id = ${org} FROM users u WHERE u.user_id = t.user_id)`

/** Parents before what refers to them, as an import wants them. */
export const exportKinds: Readonly<Record<string, ExportKind>> = {
  organizations: { of: ofOrg, key: ["org_id"] },
  people: {
    of: (sql, org) => sql`(SELECT true FROM users u WHERE u.person_id = t.person_id AND u.org_id = ${org} LIMIT 1)`,
    key: ["person_id"]
  },
  users: { of: ofOrg, key: ["user_id"] },
  workspaces: { of: ofOrg, key: ["workspace_id"] },
  workspace_members: { of: ofUser, key: ["workspace_id", "user_id"] },
  org_app_modes: { of: ofOrg, key: ["org_id"] },
  org_factor_policies: { of: ofOrg, key: ["org_id"] },
  org_app_policies: { of: ofOrg, key: ["org_id", "client_id::text"] },
  org_app_user_blocks: { of: ofUser, key: ["user_id", "client_id::text"] },
  smtp_accounts: { of: ofOrg, key: ["smtp_account_id"] },
  authentication_providers: { of: ofOrg, key: ["authentication_provider_id"] },
  apps: { of: ofOrg, key: ["app_id"] },
  app_counters: { of: ofApp, key: ["app_id"] },
  fields: { of: ofApp, key: ["field_id"] },
  views: { of: ofApp, key: ["view_id"] },
  secrets: { of: ofOrg, key: ["secret_id"] },
  hooks: { of: ofOrg, key: ["hook_id"] },
  automations: { of: ofOrg, key: ["automation_id"] },
  automation_revisions: {
    of: (sql, org) => sql`(SELECT a.org_id = ${org} FROM automations a WHERE a.automation_id = t.automation_id)`,
    key: ["revision_id"]
  },
  records: { of: ofOrgInOrder, key: ["record_id"] },
  record_links: { of: ofRecord, key: ["record_id", "field_id", "target_id"] },
  unique_values: { of: ofRecord, key: ["field_id", "value::text"] },
  revisions: { of: ofRecord, key: ["record_id", "revision"] },
  comments: { of: ofApp, key: ["comment_id"] },
  replies: {
    of: (sql, org) => sql`(SELECT a.org_id = ${org} FROM comments c JOIN apps a USING (app_id)
      WHERE c.comment_id = t.comment_id)`,
    key: ["reply_id"]
  },
  files: { of: ofOrgInOrder, key: ["file_id"] },
  file_links: {
    of: ofRecord,
    key: ["record_id", "file_id", "coalesce(field_id, 0)", "coalesce(comment_id, 0)", "coalesce(reply_id, 0)"]
  }
}

/** Columns that are in no file though their kind is: ids of events of this installation, and connections of its apps; and every `bytea`, hashes and what its key encrypts. */
export const omitted: Readonly<Record<string, ReadonlyArray<string>>> = {
  people: ["password_hash"],
  hooks: ["former_secrets", "sealed", "events_from", "connection_id", "connection_ended_on", "record_withheld_on"],
  automations: ["events_from", "paused_reason"]
}

export interface LeftOut {
  readonly what: string
  readonly why: string
  readonly tables: ReadonlyArray<string>
}

/** Tables that an export leaves out, and why. */
export const leftOut: ReadonlyArray<LeftOut> = [
  {
    what: "passwords, second steps, recovery codes, tokens, keys, sessions, invitations, clients, connections, stored answers",
    why: "hashes are of no use elsewhere, and whoever holds them can try guesses; people set a password anew",
    tables: [
      ...[
        "access_tokens",
        "api_credentials",
        "authorization_codes",
        "authorization_requests",
        "connections",
        "factors",
        "factor_notices"
      ],
      ...[
        "idempotency_keys",
        "invitation_notices",
        "invitations",
        "oauth_clients",
        "oauth_rate_windows",
        "one_time_links",
        "rate_windows"
      ],
      ...["recovery_codes", "refresh_tokens", "session_tokens", "sessions"]
    ]
  },
  {
    what: "values of secrets, secrets of webhooks, passwords of mail accounts, tokens of providers, inbound addresses",
    why: "they are encrypted with the key of this installation; their names are here, so that they can be entered anew",
    tables: []
  },
  {
    what: "types that converted fields had",
    why: "history of their former values stays where it was written",
    tables: ["former_fields"]
  },
  {
    what: "runs and their logs, jobs, deliveries, mails, due dates, what waits",
    why: "they are of the past or of the moment; automations count from their activation",
    tables: [
      ...["actors", "automation_events", "automation_failing", "automation_inbox", "automation_notices"],
      ...[
        "automation_schedules",
        "calendar_due",
        "catch_windows",
        "change_listeners",
        "changes",
        "file_holds",
        "hook_mismatches",
        "hook_verifications"
      ],
      ...["calculation_changes", "converted_cells", "hook_windows", "jobs", "mails", "outbox", "relay_attempts"],
      ...["run_calls", "run_credits", "run_items", "run_ledger", "run_logs", "run_outputs", "run_pages", "run_places"],
      ...["run_triggers", "run_variables", "run_waits", "runs", "webhook_attempts", "webhook_catches"],
      ...[
        "webhook_bundles",
        "webhook_commands",
        "webhook_deliveries",
        "webhook_notices",
        "webhook_payloads",
        "webhook_queue"
      ],
      ...["hook_statistics", "webhook_replays", "webhook_windows", "weblinks"]
    ]
  },
  { what: "the audit log", why: "append-only: `audit read --org` prints it", tables: ["audit_log"] },
  {
    what: "facts of the installation, and what is counted or kept otherwise",
    why: "contents of files are below files/",
    tables: [
      "calculation_days",
      "calculation_relations",
      "effect_sql_migrations",
      "field_indexes",
      "file_chunks",
      "liveness",
      "installation",
      "installation_epoch",
      "organization_storage",
      "pair_indexes",
      "record_counts",
      "record_key_counts",
      "record_keys",
      "record_pairs",
      "schema_level",
      "search_entries"
    ]
  }
]
