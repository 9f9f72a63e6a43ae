// States of automations and their transitions (developer-api.md 7.2): activate, pause, delete; break when something that the definition
// needs is removed; pause when the owner loses workspace admin. A break notifies the owner by mail, and hooks of its event type. Each
// transition appends the command that updates schedules, due dates and actors.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { trouble } from "../../../engine/outbox/Event.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Conflict, NotFound, type OwnerLost } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { type UserChange, UserChangeSubscribers } from "../../accounts/UserChangeSubscribers.ts"
import { type AppChange, AppChangeSubscribers } from "../../records/apps/AppChangeSubscribers.ts"
import { FORMAT } from "../input/storedDefinition.ts"
import { makeAutomationAudit } from "../model/automationAudit.ts"
import { automationChanged } from "../model/automationChanged.ts"
import { makeAutomationSwitch } from "../model/automationSwitch.ts"
import type { BrokenReason } from "../schema/ValidationModel.ts"
import { mentionsOf } from "../validation/definitionMentions.ts"
import { isValid, validate } from "../validation/validateDefinition.ts"
import { Automations } from "./Automations.ts"
import { statusOf } from "./automationStatus.ts"
import type { AutomationView } from "./automationView.ts"
import { DefinitionChecks } from "./DefinitionChecks.ts"
import { isAdmin, Standing, standingColumns } from "./ownerStillAdmin.ts"
import { type AutomationRow, automationColumns, readRow, StoredAutomation } from "./StoredAutomation.ts"
import { everyone, type Removed, ValidationModels } from "./ValidationModels.ts"

/** Definitions of another format that one transaction reads. */
const READ_AT_ONCE = 100

type Answer<E> = Effect.Effect<AutomationView, E>

const OwnedAutomation = Schema.Struct({ ...StoredAutomation.fields, ...Standing.fields })

export class AutomationTransitions extends Context.Service<
  AutomationTransitions,
  {
    /** Validates anew and activates; `Conflict.errors` says what is invalid. */
    readonly activate: (grant: AccessGrant) => Answer<NotFound | Conflict | OwnerLost>
    readonly pause: (grant: AccessGrant) => Answer<NotFound>
    readonly remove: (grant: AccessGrant) => Answer<NotFound>
    /** Breaks the automations that need something which the caller's transaction removes; the removed rows may still exist. */
    readonly breakDependents: (removed: Removed, relatedAppIds?: ReadonlyArray<number>) => Effect.Effect<void>
    /** Breaks automations whose definitions this release cannot read any more. Returns their number. */
    readonly breakUnreadable: () => Effect.Effect<number>
  }
>()("millrace/automations/definitions/AutomationTransitions") {
  static readonly layer = Layer.effect(
    AutomationTransitions,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const models = yield* ValidationModels
      const checks = yield* DefinitionChecks
      const { view } = yield* Automations
      const audited = yield* makeAutomationAudit
      const automationSwitch = yield* makeAutomationSwitch
      const columns = sql.literal(automationColumns)
      const from = sql.literal("FROM automations x JOIN apps a USING (app_id)")

      const find = Effect.fnUntraced(function* (id: number, lock: boolean) {
        const row = yield* rowOf(StoredAutomation)(sql`
          SELECT ${columns} ${from} WHERE x.automation_id = ${id} AND x.deleted_on IS NULL ${sql.literal(lock ? "FOR UPDATE OF x" : "")}`)
        return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
      })
      /**
       * Locks the app against other changes of its automations, and the apps that the definition names against removal; call it before any
       * lock of an automation.
       */
      const lockApps = Effect.fnUntraced(function* (row: AutomationRow) {
        const named = [...mentionsOf(row).apps].map(String)
        yield* sql`SELECT 1 FROM apps WHERE app_id = ${row.app_id} FOR NO KEY UPDATE`
        yield* sql`
          SELECT 1 FROM apps WHERE app_id = ANY(${named}::text[]::bigint[]) OR app_id IN (
            SELECT app_id FROM fields WHERE field_id = ANY(${[...mentionsOf(row).fields].map(String)}::text[]::bigint[]))
          ORDER BY app_id FOR KEY SHARE`
      })

      const activate = Effect.fn("AutomationTransitions.activate")(
        function* (grant: AccessGrant) {
          const unlockedRow = yield* find(grant.id, false)
          yield* lockApps(unlockedRow)
          const row = yield* find(grant.id, true)
          if (row.revision_id !== unlockedRow.revision_id) {
            return yield* new Conflict({ message: "The automation was changed at the same moment; try again." })
          }
          const { errors } = yield* checks.of(row, grant.caller, "activate")
          if (!isValid(errors)) return yield* new Conflict({ message: whyNot(errors), errors })
          if (statusOf(row) === "active") return yield* view(row)
          const nowDate = DateTime.toDate(yield* DateTime.now)
          yield* automationSwitch.activate(row, nowDate)
          return yield* view(yield* find(grant.id, false))
        },
        sql.withTransaction,
        orSqlDefect
      )

      const pause = Effect.fn("AutomationTransitions.pause")(
        function* (grant: AccessGrant) {
          yield* automationSwitch.pause(yield* find(grant.id, true), DateTime.toDate(yield* DateTime.now))
          return yield* view(yield* find(grant.id, false))
        },
        sql.withTransaction,
        orSqlDefect
      )

      const remove = Effect.fn("AutomationTransitions.remove")(
        function* (grant: AccessGrant) {
          yield* sql`SELECT 1 FROM apps WHERE app_id = ${grant.appId} FOR NO KEY UPDATE`
          const row = yield* find(grant.id, true)
          const nowDate = DateTime.toDate(yield* DateTime.now)
          yield* sql`
            UPDATE automations SET deleted_on = ${nowDate}, inbound_hash = NULL, inbound_sealed = NULL WHERE automation_id = ${grant.id}`
          yield* breakDependents({ appIds: [], fieldIds: [], automationIds: [grant.id] })
          yield* outbox.append([automationChanged(row, "deleted")])
          yield* audited("automation.deleted", row)
          return yield* view(row)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const breakRow = Effect.fnUntraced(function* (
        row: AutomationRow,
        errors: ReadonlyArray<BrokenReason>,
        now: Date
      ) {
        yield* sql`
          UPDATE automations SET broken = true, broken_reason = ${JSON.stringify({ errors })}::jsonb, updated_on = ${now}
          WHERE automation_id = ${row.automation_id}`
        yield* sql`
          INSERT INTO automation_notices (automation_id, org_id, kind, cause, created_on)
          VALUES (${row.automation_id}, ${row.org_id}, 'broken', ${why(errors)}, ${now})`
        const payload = { automation_id: row.automation_id, reason: decisive(errors)[0]!.code }
        yield* outbox.append([
          ...(row.paused ? [] : [automationChanged(row, "broken")]),
          trouble(row, { type: "automation.broken", payload })
        ])
      })

      const breakUnreadable = Effect.fn("AutomationTransitions.breakUnreadable")(function* () {
        let broken = 0
        let lastId: number | undefined = 0
        while (lastId !== undefined) {
          const page: { readonly last: number | undefined; readonly broken: number } = yield* unreadablePage(lastId)
          lastId = page.last
          broken += page.broken
        }
        return broken
      }, orSqlDefect)
      const unreadablePage = Effect.fnUntraced(function* (after: number) {
        const rows = yield* rowsOf(StoredAutomation)(sql`
          SELECT ${columns} ${from} WHERE x.deleted_on IS NULL AND NOT x.broken AND x.format <> ${FORMAT}
            AND x.automation_id > ${after} ORDER BY x.automation_id LIMIT ${READ_AT_ONCE}::int FOR UPDATE OF x`)
        const nowDate = DateTime.toDate(yield* DateTime.now)
        let broken = 0
        for (const storedRow of rows) {
          yield* Effect.yieldNow
          const row = readRow(storedRow)
          if (row.unreadable.length === 0) continue
          yield* breakRow(row, row.unreadable, nowDate)
          broken++
        }
        return { last: rows.length < READ_AT_ONCE ? undefined : rows.at(-1)!.automation_id, broken }
      }, sql.withTransaction)

      const breakDependents = Effect.fn("AutomationTransitions.breakDependents")(function* (
        removed: Removed,
        relatedAppIds: ReadonlyArray<number> = [],
        /** Fields that have another type by now. */
        convertedFieldIds: ReadonlyArray<number> = []
      ) {
        const fieldIds = [...removed.fieldIds, ...convertedFieldIds]
        const rows = yield* rowsOf(StoredAutomation)(sql`
            SELECT ${columns} ${from} WHERE x.deleted_on IS NULL AND NOT x.broken
              AND x.app_id <> ALL(${removed.appIds.map(String)}::text[]::bigint[])
              AND (x.field_ids && ${fieldIds.map(String)}::text[]::bigint[]
                OR x.app_ids && ${removed.appIds.map(String)}::text[]::bigint[]
                OR x.field_ids && ARRAY(SELECT field_id FROM fields WHERE app_id = ANY(${removed.appIds.map(String)}::text[]::bigint[]))
                OR x.automation_ids && ${removed.automationIds.map(String)}::text[]::bigint[]
                OR x.app_id = ANY(${relatedAppIds.map(String)}::text[]::bigint[]))
            ORDER BY x.automation_id FOR UPDATE OF x`)
        const nowDate = DateTime.toDate(yield* DateTime.now)
        for (const row of rows.map(readRow)) {
          const errors = validate(row, yield* models.load(row, everyone, removed)).filter((error) =>
            isAbout(error, { ...removed, fieldIds })
          )
          if (!isValid(errors)) yield* breakRow(row, errors, nowDate)
        }
      }, orSqlDefect)

      const onAppChange = Effect.fnUntraced(function* (change: AppChange) {
        if (change.appIds.length > 0) {
          const deletedRows = yield* rowsOf(StoredAutomation)(sql`
              SELECT ${columns} ${from} WHERE x.deleted_on IS NULL AND x.app_id = ANY(${change.appIds.map(String)}::text[]::bigint[])`)
          yield* outbox.append(deletedRows.map((row) => automationChanged(row, "deleted")))
        }
        const removedIds = { appIds: change.appIds, fieldIds: change.fieldIds, automationIds: [] }
        yield* breakDependents(removedIds, change.relatedAppIds, change.convertedFieldIds)
      }, orSqlDefect)

      const onUserChange = Effect.fnUntraced(function* ({ orgId, userId }: UserChange) {
        const rows = yield* rowsOf(OwnedAutomation)(sql`
            SELECT ${columns}, ${sql.literal(standingColumns)}
            ${from} JOIN users u ON u.user_id = x.owner_id JOIN workspaces w USING (workspace_id)
              LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id
            WHERE x.org_id = ${orgId} AND x.owner_id = ${userId} AND x.deleted_on IS NULL AND NOT x.paused
            ORDER BY x.automation_id FOR UPDATE OF x`)
        const nowDate = DateTime.toDate(yield* DateTime.now)
        for (const row of rows) if (!isAdmin(row)) yield* automationSwitch.pause(readRow(row), nowDate)
      }, orSqlDefect)

      const users = yield* UserChangeSubscribers
      users.register((change) => (change.kind === "renamed" ? Effect.void : onUserChange(change)))
      const apps = yield* AppChangeSubscribers
      apps.register(onAppChange)
      return AutomationTransitions.of({ activate, pause, remove, breakDependents, breakUnreadable })
    })
  )
}

/** True if the removed things cause the error. Other errors existed before and do not break the automation. */
const isAbout = (error: BrokenReason, { appIds, automationIds, fieldIds }: Removed): boolean =>
  error.code === "action_app_invalid" ||
  (error.field_id !== undefined && (fieldIds.includes(error.field_id) || appIds.length > 0)) ||
  (error.app_id !== undefined && appIds.includes(error.app_id)) ||
  (error.automation_id !== undefined && automationIds.includes(error.automation_id))

const decisive = (errors: ReadonlyArray<BrokenReason>) => errors.filter((error) => error.deactivated !== true)

const why = (errors: ReadonlyArray<BrokenReason>): string => {
  const decisiveErrors = decisive(errors)
  return `${decisiveErrors[0]!.message}${decisiveErrors.length > 1 ? ` (and ${decisiveErrors.length - 1} more)` : ""}`
}
const whyNot = (errors: ReadonlyArray<BrokenReason>): string => `The automation does not validate: ${why(errors)}`
