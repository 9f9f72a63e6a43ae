// How the rows of each table are keyed by their organization: by its own `org_id`, or by a column that leads to a table that is. Together
// they say which rows an organization is made of (docs/scaling.md, "Past one Postgres"). Whoever adds a table says it here.

/** `org_id`, or a column and the table whose rows it names there: by its key, which is called the same. */
export type OrganizationPath = "org_id" | readonly [column: string, parent: string]

const by = (column: string, parent: string, ...tables: ReadonlyArray<string>) =>
  Object.fromEntries(tables.map((table) => [table, [column, parent] as const]))

export const organizationPaths: Readonly<Record<string, OrganizationPath>> = {
  ...Object.fromEntries(
    [
      ...["actors", "apps", "audit_log", "authentication_providers", "automation_events", "automation_inbox"],
      ...[
        "automation_notices",
        "automations",
        "calculation_changes",
        "calendar_due",
        "change_listeners",
        "changes",
        "connections",
        "files"
      ],
      ...["hooks", "jobs", "mails", "org_app_modes", "org_app_policies", "org_factor_policies", "organization_storage"],
      ...[
        "organizations",
        "outbox",
        "records",
        "run_credits",
        "run_places",
        "runs",
        "search_entries",
        "secrets",
        "smtp_accounts",
        "users"
      ],
      ...["webhook_notices", "workspaces"]
    ].map((table) => [table, "org_id"] as const)
  ),
  ...by("user_id", "users", "api_credentials", "authorization_codes", "idempotency_keys", "org_app_user_blocks"),
  ...by("user_id", "users", "invitations", "rate_windows", "session_tokens"),
  ...by("user_id", "invitations", "invitation_notices"),
  ...by("connection_id", "connections", "access_tokens", "refresh_tokens"),
  ...by("workspace_id", "workspaces", "workspace_members"),
  ...by(
    "app_id",
    "apps",
    "app_counters",
    "calculation_days",
    "calculation_relations",
    "comments",
    "field_indexes",
    "fields",
    "pair_indexes",
    "record_counts",
    "views"
  ),
  ...by("app_id", "apps", "webhook_bundles", "webhook_commands", "webhook_windows"),
  ...by("comment_id", "comments", "replies"),
  ...by("field_id", "fields", "former_fields", "record_key_counts", "unique_values"),
  ...by("job_id", "jobs", "converted_cells"),
  ...by("record_id", "records", "file_links", "record_keys", "record_links", "record_pairs", "revisions"),
  ...by("file_id", "files", "file_holds"),
  ...by("storage_key", "files", "file_chunks"),
  ...by("automation_id", "automations", "automation_failing", "automation_revisions", "automation_schedules"),
  ...by("automation_id", "automations", "catch_windows", "webhook_catches", "weblinks"),
  ...by("run_id", "runs", "run_calls", "run_items", "run_ledger", "run_logs", "run_outputs", "run_pages"),
  ...by("run_id", "runs", "run_triggers", "run_variables", "run_waits"),
  ...by("hook_id", "hooks", "hook_mismatches", "hook_statistics", "hook_verifications", "hook_windows"),
  ...by("hook_id", "hooks", "webhook_attempts", "webhook_deliveries", "webhook_queue", "webhook_replays")
}

/** Columns of paths that may be null, and what such a row is of. */
export const ofNoOrganization: Readonly<Record<string, string>> = {
  actors: "housekeeping and what else works for the whole installation",
  audit_log: "people and operators, before or without an organization",
  jobs: "what operators begin",
  mails: "links for people, who may be in several organizations",
  run_waits: "a caller that waits for a run that is not there yet, for minutes"
}

/** Found by what values name, not by a column. */
export const namedInValues: Readonly<Record<string, string>> = {
  webhook_payloads: "run_triggers.data, outbox.payload and webhook_catches.payload_id name it"
}

type Home =
  | "each cell has its own"
  | "the directory's, copied into cells"
  | "of one sign-in, in the cell where it began"

/** What belongs to no organization, and where it is once there are several databases. */
export const ofTheInstallation: Readonly<Record<string, Home>> = {
  effect_sql_migrations: "each cell has its own",
  installation: "each cell has its own",
  installation_epoch: "each cell has its own",
  liveness: "each cell has its own",
  relay_attempts: "each cell has its own",
  schema_level: "each cell has its own",
  oauth_rate_windows: "each cell has its own",
  people: "the directory's, copied into cells",
  factors: "the directory's, copied into cells",
  recovery_codes: "the directory's, copied into cells",
  oauth_clients: "the directory's, copied into cells",
  factor_notices: "of one sign-in, in the cell where it began",
  one_time_links: "of one sign-in, in the cell where it began",
  sessions: "of one sign-in, in the cell where it began",
  authorization_requests: "of one sign-in, in the cell where it began"
}

/** The condition by which rows of a table are an organization's, as SQL over its columns. */
export const belongsTo = (table: string, orgId: number): string => {
  const path = organizationPaths[table]
  if (path === undefined) throw new Error(`${table} is not keyed by organization`)
  if (path === "org_id") return `${table}.org_id = ${orgId}`
  const [column, parent] = path
  return `${table}.${column} IN (SELECT ${parent}.${column} FROM ${parent} WHERE ${belongsTo(parent, orgId)})`
}
