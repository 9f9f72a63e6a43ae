// What a table must have beside its columns: something that ends its rows, and an index under each reference that is followed when the
// other side goes. Whoever adds a table says here how its rows end.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { JobName } from "../../../src/domain/housekeeping/jobs.ts"
import { layerDatabase } from "../../support/database.ts"

const removedBy: Record<JobName, ReadonlyArray<string>> = {
  oauth: [
    "access_tokens",
    "authorization_codes",
    "authorization_requests",
    "connections",
    "oauth_clients",
    "oauth_rate_windows",
    "one_time_links",
    "refresh_tokens",
    "session_tokens",
    "sessions"
  ],
  webhooks: [
    "hook_statistics",
    "hook_windows",
    "webhook_attempts",
    "webhook_deliveries",
    "webhook_replays",
    "webhook_windows"
  ],
  changes: ["change_listeners", "changes"],
  counts: ["record_counts"],
  indexes: ["field_indexes", "pair_indexes", "record_key_counts", "record_keys", "record_pairs"],
  calculations: [],
  records: ["file_chunks", "files", "record_links", "records", "revisions", "search_entries", "unique_values"],
  runs: [
    "file_holds",
    "run_calls",
    "run_items",
    "run_ledger",
    "run_logs",
    "run_outputs",
    "run_pages",
    "run_triggers",
    "run_variables",
    "runs",
    "webhook_payloads"
  ],
  mails: ["mails"],
  credits: ["run_credits"],
  weblinks: ["weblinks"],
  audit: ["audit_log"],
  jobs: ["converted_cells", "jobs"],
  idempotency: ["idempotency_keys"]
}

/** Rows that stand for work: they go with its result. */
const goneWhenDone = [
  "automation_events",
  "automation_inbox",
  "automation_notices",
  "calculation_changes",
  "calendar_due",
  "factor_notices",
  "invitation_notices",
  "outbox",
  "run_places",
  "run_waits",
  "webhook_bundles",
  "webhook_commands",
  "webhook_notices",
  "webhook_queue"
]

/** What people or operators made, until they remove it; its parts go with it. */
const removedByHand = [
  "app_counters",
  "apps",
  "authentication_providers",
  "automation_revisions",
  "automations",
  "comments",
  "factors",
  "fields",
  "file_links",
  "former_fields",
  "hook_mismatches",
  "hook_verifications",
  "hooks",
  "org_app_policies",
  "org_app_user_blocks",
  "org_factor_policies",
  "recovery_codes",
  "replies",
  "secrets",
  "smtp_accounts",
  "views",
  "workspace_members",
  "workspaces"
]

/** At most one row for each of what they tell about. */
const oneForEach = [
  "actors",
  "automation_failing",
  "automation_schedules",
  "calculation_days",
  "calculation_relations",
  "catch_windows",
  "effect_sql_migrations",
  "installation",
  "installation_epoch",
  "invitations",
  "liveness",
  "org_app_modes",
  "organization_storage",
  "rate_windows",
  "relay_attempts",
  "schema_level",
  "webhook_catches"
]

/** Kept for good, so that ids and authors stay known: nothing refers to a user, a person or an organization in vain. */
const forGood = ["api_credentials", "organizations", "people", "users"]

const listedTables = [...Object.values(removedBy).flat(), ...goneWhenDone, ...removedByHand, ...oneForEach, ...forGood]

interface Reference {
  readonly table: string
  readonly parent: string
  readonly columns: ReadonlyArray<string>
  readonly indexed: boolean
}

layer(layerDatabase, { excludeTestServices: true })("tables", (it) => {
  it.effect("each says how its rows end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`
        SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
      assert.deepStrictEqual(listedTables.toSorted(), tables.map(({ name }) => name).toSorted())
    })
  )

  it.effect("each reference to rows that go has an index that begins with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const references = yield* sql<Reference>`
        SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS parent,
          ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = ANY(c.conkey)) AS columns,
          EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = ANY(c.conkey)) AS indexed
        FROM pg_constraint c WHERE c.contype = 'f' AND c.conparentid = 0`
      assert.isAbove(references.length, 30)
      const bare = references.filter(({ indexed, parent }) => !indexed && !forGood.includes(parent))
      assert.deepStrictEqual(bare, [])
    })
  )
})
