// The kinds of rows of an import, in two orders (docs/operations.md, "Take an organization's data along").
import { importedAccounts } from "./importedAccounts.ts"
import { importedAutomations } from "./importedAutomations.ts"
import { importedContent } from "./importedContent.ts"
import { importedHooks } from "./importedHooks.ts"

export const importKinds = {
  ...importedAccounts,
  ...importedAutomations,
  ...importedHooks,
  ...importedContent
} as const
export type ImportedKind = keyof typeof importKinds

/** Order in which kinds are read before anything is written: children come after their parents, and contents before the files. */
export const readOrder: ReadonlyArray<ImportedKind | "contents"> = [
  ...([
    "organizations",
    "people",
    "users",
    "workspaces",
    "workspace_members",
    "org_app_modes",
    "org_factor_policies"
  ] as const),
  ...(["org_app_policies", "org_app_user_blocks", "smtp_accounts", "authentication_providers"] as const),
  ...(["apps", "app_counters", "fields", "views", "secrets", "hooks", "automations", "automation_revisions"] as const),
  ...([
    "records",
    "record_links",
    "unique_values",
    "revisions",
    "comments",
    "replies",
    "contents",
    "files",
    "file_links"
  ] as const)
]

/**
 * Order in which kinds are written, after the organization. Housekeeping removes records that have been in the trash for long, with all
 * that depends on them, and files that nothing links to. So records come last, and the links of files before the files.
 */
export const writeOrder: ReadonlyArray<ImportedKind | "contents"> = [
  ...([
    "users",
    "workspaces",
    "workspace_members",
    "org_app_modes",
    "org_factor_policies",
    "org_app_policies",
    "org_app_user_blocks"
  ] as const),
  ...(["smtp_accounts", "authentication_providers", "apps", "app_counters", "fields", "views", "hooks"] as const),
  ...([
    "automations",
    "automation_revisions",
    "record_links",
    "unique_values",
    "revisions",
    "comments",
    "replies"
  ] as const),
  ...(["file_links", "files", "contents", "records"] as const)
]
