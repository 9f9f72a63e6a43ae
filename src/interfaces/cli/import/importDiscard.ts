// `organization import --discard`: an import that was broken off is taken back (docs/operations.md, "Take an organization's data along"). What it
// wrote lies within the ids that it reserved, which nobody else is given; it goes in batches, last written first, and a repeat goes on.
import { Console, Effect, Schema } from "effect"
import { Contents } from "../../../domain/records/files/Contents.ts"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import { countOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { FORMAT } from "../exportFiles.ts"
import { openExport } from "./exportSource.ts"
import type { IdKind } from "./IdBook.ts"
import { type ImportedKind, writeOrder } from "./importKinds.ts"
import { advance, forget, type ImportProgress, progressOf } from "./importProgress.ts"

const BATCH = 1_000
/** Each of them may hold hundreds of megabytes. */
const FILES = 5
const SAID_EVERY = 20_000

type Written = Exclude<ImportedKind, "organizations" | "people" | "secrets">

/** Column, and kind of its ids, by which a table's rows belong to this import. */
const ownerColumns: Readonly<Record<Written, readonly [column: string, ids: IdKind]>> = {
  users: ["user_id", "user"],
  workspaces: ["workspace_id", "workspace"],
  workspace_members: ["workspace_id", "workspace"],
  org_app_modes: ["org_id", "org"],
  org_factor_policies: ["org_id", "org"],
  org_app_policies: ["org_id", "org"],
  org_app_user_blocks: ["user_id", "user"],
  smtp_accounts: ["smtp_account_id", "smtp_account"],
  authentication_providers: ["authentication_provider_id", "provider"],
  apps: ["app_id", "app"],
  app_counters: ["app_id", "app"],
  fields: ["field_id", "field"],
  views: ["view_id", "view"],
  hooks: ["hook_id", "hook"],
  automations: ["automation_id", "automation"],
  automation_revisions: ["revision_id", "definition"],
  record_links: ["record_id", "record"],
  unique_values: ["field_id", "field"],
  revisions: ["record_id", "record"],
  comments: ["comment_id", "comment"],
  replies: ["reply_id", "reply"],
  file_links: ["record_id", "record"],
  files: ["file_id", "file"],
  records: ["record_id", "record"]
}
const kinds = writeOrder.filter((kind) => kind !== "contents").toReversed() as ReadonlyArray<Written>

const Key = Schema.Struct({ storage_key: Schema.String })
const PersonOf = Schema.Struct({ person_id: Schema.Int })

const begunOf = Effect.fnUntraced(function* (name: string) {
  const progress = yield* progressOf(name)
  if (progress === undefined)
    return yield* new InputInvalid({ message: "Nothing of this export has been imported here." })
  if (progress.result !== null)
    return yield* new InputInvalid({
      message: `This import is through: organization ${progress.org_id} is in use and is not taken back.`
    })
  return progress
})

export const discardImport = Effect.fn("organizationImport.discard")(function* (from: string, yes: boolean) {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const contents = yield* Contents
  const source = yield* openExport(from, FORMAT)
  const startedImport = yield* begunOf(source.name)
  const { org_id } = startedImport
  /** Rows of a kind; null: the export has none. */
  const conditionOf = (kind: Written) => ownBy(...ownerColumns[kind])
  const ownBy = (column: string, ids: IdKind) => {
    const block = startedImport.blocks[ids]
    return block === undefined
      ? null
      : sql`${sql(column)} BETWEEN ${block.first}::bigint AND ${block.first + block.high - block.low}::bigint`
  }
  const rows: Record<string, number> = {}
  if (!yes) {
    for (const kind of kinds) {
      const ownCondition = conditionOf(kind)
      rows[kind] =
        ownCondition === null
          ? 0
          : yield* countOf(sql`SELECT count(*)::int AS n FROM ${sql(kind)} WHERE ${ownCondition}`)
    }
    return { discarded: false, org_id, rows }
  }
  // Stops the import from here on, both one that is still running and a later one.
  const stopped: ImportProgress = { ...startedImport, discarding: true }
  yield* advance(source.name, startedImport, stopped)

  /** People that the import made: those who are nobody else here, and cannot sign in. */
  const people = (ids: ReadonlyArray<number>) => sql`
    DELETE FROM people p WHERE p.person_id = ANY(${ids.map(String)}::text[]::bigint[]) AND p.password_hash IS NULL
      AND NOT EXISTS (SELECT 1 FROM users u WHERE u.person_id = p.person_id)`
  const batchOf = Effect.fnUntraced(function* (kind: Written) {
    const ownCondition = conditionOf(kind)
    if (ownCondition === null) return 0
    const some = sql`ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql(kind)} WHERE ${ownCondition} ORDER BY ${sql(ownerColumns[kind][0])} LIMIT ${kind === "files" ? FILES : BATCH}::int))`
    if (kind === "files") {
      const deletedFiles = yield* rowsOf(Key)(sql`DELETE FROM files WHERE ${some} RETURNING storage_key`)
      yield* contents.remove(deletedFiles.map(({ storage_key }) => storage_key))
      return deletedFiles.length
    }
    if (kind === "users") {
      const deletedUsers = yield* rowsOf(PersonOf)(sql`DELETE FROM users WHERE ${some} RETURNING person_id`)
      yield* people(deletedUsers.map(({ person_id }) => person_id))
      return deletedUsers.length
    }
    return (yield* sql`DELETE FROM ${sql(kind)} WHERE ${some} RETURNING 1`).length
  }, sql.withTransaction)

  for (const kind of kinds) {
    let deletedCount = 0
    let reportedCount = 0
    for (;;) {
      const batch = yield* batchOf(kind)
      deletedCount += batch
      if (batch === 0) break
      if (deletedCount - reportedCount >= SAID_EVERY) {
        reportedCount = deletedCount
        yield* Console.error(`${kind}: ${deletedCount} gone`)
      }
    }
    rows[kind] = deletedCount
    if (deletedCount > reportedCount) yield* Console.error(`${kind}: ${deletedCount} gone`)
  }
  const counts = ownBy("app_id", "app")
  yield* sql.withTransaction(
    Effect.gen(function* () {
      // Deletes what the changes of the records left behind; housekeeping would delete it later.
      if (counts !== null) yield* sql`DELETE FROM record_counts WHERE ${counts}`
      yield* sql`DELETE FROM organization_storage WHERE org_id = ${org_id}`
      yield* sql`DELETE FROM organizations WHERE org_id = ${org_id}`
      yield* forget(source.name, stopped)
      const details = { by: "operator", org_id, from_org_id: source.orgId, rows }
      yield* audit.record({ event: "organization.import_discarded", details })
    })
  )
  return { discarded: true, org_id, rows }
})
