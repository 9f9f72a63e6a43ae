// Rows of automations: finds, locks, inserts and changes them. A change locks the app first, then the automation.
import { Effect, Schema } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { NotFound } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { FORMAT } from "../input/storedDefinition.ts"
import type { AnyTrigger, Definition } from "../model/Definition.ts"
import { mentionsOf } from "../validation/definitionMentions.ts"
import type { Draft } from "./automationDrafts.ts"
import { json } from "./automationRevisions.ts"
import { InboundAddresses } from "./InboundAddresses.ts"
import { type AutomationRow, automationColumns, readRow, StoredAutomation } from "./StoredAutomation.ts"

const InboundToken = Schema.Struct({ hash: Schema.Uint8Array, sealed: Schema.Uint8Array })

/** Ids that a definition names, stored so that a rename or removal of one of them finds the automation. */
const namedIds = (definition: Definition) => {
  const mentions = mentionsOf(definition)
  return {
    fields: [...mentions.fields].map(String),
    apps: [...mentions.apps].map(String),
    automations: [...mentions.automations].map(String)
  }
}

export const makeAutomationRows = Effect.gen(function* () {
  const sql = yield* Sql
  const inbound = yield* InboundAddresses
  const audit = yield* AuditLog
  const columns = sql.literal(automationColumns)

  const find = Effect.fnUntraced(function* (id: number, lock: boolean) {
    const row = yield* rowOf(StoredAutomation)(sql`
      SELECT ${columns} FROM automations x JOIN apps a USING (app_id)
      WHERE x.automation_id = ${id} AND x.deleted_on IS NULL ${sql.literal(lock ? "FOR UPDATE OF x" : "")}`)
    return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
  })

  const lockApp = Effect.fnUntraced(function* (appId: number) {
    const rows = yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} FOR NO KEY UPDATE`
    if (rows.length === 0) return yield* new NotFound({ message: `No app with id ${appId}.` })
  })

  const countIn = (appId: number) =>
    countOf(sql`SELECT count(*)::int AS n FROM automations WHERE app_id = ${appId} AND deleted_on IS NULL`)

  const insert = Effect.fnUntraced(function* ({ appId, caller, orgId }: AccessGrant, draft: Draft, now: Date) {
    const token = draft.trigger?.type === "webhook_received" ? inbound.mint() : null
    const named = namedIds(draft)
    const insertedRow = yield* rowOf(StoredAutomation)(sql`
      WITH x AS (
        INSERT INTO automations (org_id, app_id, owner_id, name, description, timezone, on_failure_automation_id, concurrency,
          debounce_ms, pause_after_failures, tags, revision_id, trigger, filter, actions, format, field_ids, app_ids, automation_ids, inbound_hash,
          inbound_sealed, created_on, updated_on)
        VALUES (${orgId}, ${appId}, ${caller.userId}, ${draft.name}, ${draft.description}, ${draft.timezone},
          ${draft.on_failure_automation_id}, ${json(draft.concurrency)}::jsonb, ${draft.debounce_ms},
          ${draft.pause_after_failures}, ${draft.tags}::text[],
          nextval(pg_get_serial_sequence('automation_revisions', 'revision_id')),
          ${json(draft.trigger)}::jsonb, ${json(draft.filter)}::jsonb, ${json(draft.actions)}::jsonb,
          ${FORMAT}, ${named.fields}::text[]::bigint[], ${named.apps}::text[]::bigint[], ${named.automations}::text[]::bigint[],
          ${token?.hash ?? null}::bytea, ${token?.sealed ?? null}::bytea, ${now}, ${now})
        RETURNING *)
      SELECT ${columns} FROM x JOIN apps a USING (app_id)`)
    return readRow(insertedRow!)
  })

  /**
   * Keeps the inbound token while the trigger stays `webhook_received`, creates one when it becomes that, and drops it when it changes
   * (7.9).
   */
  const keptToken = Effect.fnUntraced(function* (before: AutomationRow, trigger: AnyTrigger | null) {
    if (trigger?.type !== "webhook_received") return { hash: null, sealed: null }
    if (before.trigger?.type !== "webhook_received") return inbound.mint()
    const kept = yield* rowOf(InboundToken)(sql`
      SELECT inbound_hash AS hash, inbound_sealed AS sealed FROM automations WHERE automation_id = ${before.automation_id}`)
    return kept!
  })

  const change = Effect.fnUntraced(function* (before: AutomationRow, draft: Draft, ownerId: number, now: Date) {
    const named = namedIds(draft)
    const token = yield* keptToken(before, draft.trigger)
    const updatedRow = yield* rowOf(StoredAutomation)(sql`
      WITH x AS (
        UPDATE automations SET owner_id = ${ownerId}, name = ${draft.name}, description = ${draft.description},
          timezone = ${draft.timezone}, on_failure_automation_id = ${draft.on_failure_automation_id},
          concurrency = ${json(draft.concurrency)}::jsonb, debounce_ms = ${draft.debounce_ms},
          pause_after_failures = ${draft.pause_after_failures}, tags = ${draft.tags}::text[],
          trigger = ${json(draft.trigger)}::jsonb, filter = ${json(draft.filter)}::jsonb,
          actions = ${json(draft.actions)}::jsonb, format = ${FORMAT}, version = version + 1,
          revision_id = nextval(pg_get_serial_sequence('automation_revisions', 'revision_id')),
          field_ids = ${named.fields}::text[]::bigint[], app_ids = ${named.apps}::text[]::bigint[],
          automation_ids = ${named.automations}::text[]::bigint[],
          inbound_hash = ${token.hash}::bytea, inbound_sealed = ${token.sealed}::bytea, updated_on = ${now}
        WHERE automation_id = ${before.automation_id} RETURNING *)
      SELECT ${columns} FROM x JOIN apps a USING (app_id)`)
    return readRow(updatedRow!)
  })

  /** Saves tags alone: the version stays, and with it the revision and everything that runs. */
  const changeTags = Effect.fnUntraced(function* (id: number, tags: ReadonlyArray<string>, now: Date) {
    yield* sql`UPDATE automations SET tags = ${tags}::text[], updated_on = ${now} WHERE automation_id = ${id}`
    return yield* find(id, false)
  })

  /** Records a change of owner: the audit log gets both owners, and the former one gets a mail (decisions A20). */
  const handedOver = Effect.fnUntraced(function* (before: AutomationRow, after: AutomationRow, now: Date) {
    const { automation_id, org_id, owner_id } = after
    yield* audit.record({
      event: "automation.owner_changed",
      orgId: org_id,
      userId: owner_id,
      details: { automation_id, owner: owner_id, former_owner: before.owner_id }
    })
    yield* sql`
      INSERT INTO automation_notices (automation_id, org_id, kind, cause, user_id, created_on)
      SELECT ${automation_id}, ${org_id}, 'taken_over', name, ${before.owner_id}, ${now} FROM users WHERE user_id = ${owner_id}`
  })

  return { find, lockApp, countIn, insert, change, changeTags, handedOver }
})
