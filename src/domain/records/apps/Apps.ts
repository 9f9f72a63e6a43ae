// Apps and their fields (developer-api.md 3.1): read, create, change all or nothing, reorder, delete with everything below.
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { defaultSwitches } from "../../../engine/outbox/Event.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import {
  NotFound,
  type RecordNotFound,
  type Restricted,
  type UniqueConflict,
  ValidationError
} from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import { slugOf } from "../../../platform/text/slug.ts"
import { Access, type AccessGrant } from "../../accounts/Access.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { levelAt, WorkspaceRole, WorkspaceType } from "../../accounts/levels.ts"
import { WorkspaceRemovalSubscribers } from "../../accounts/WorkspaceRemovalSubscribers.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { isCalculation } from "../calculations/calculationPlan.ts"
import { type AppDefinition, AppRow } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { makeRecalculations } from "../recalculation/recalculations.ts"
import { makeAppAudit } from "./appAudit.ts"
import { makeAppLocks } from "./appLocks.ts"
import type { AppCreate, AppListed, AppUpdate } from "./appSchemas.ts"
import { renderListedApp } from "./appSchemas.ts"
import { makeAppStatements } from "./appStatements.ts"
import { makeFieldAndAppRemovals } from "./fieldAndAppRemovals.ts"
import { reordered } from "./fieldOrder.ts"
import { makeFieldPlans } from "./fieldPlans.ts"
import { makeRelatedCalculations } from "./relatedCalculations.ts"
import { makeUniqueFields } from "./uniqueFields.ts"

const appsPerWorkspace = 500

const ListRow = Schema.Struct({
  ...AppRow.fields,
  workspace_name: Schema.String,
  type: WorkspaceType,
  member_role: Schema.NullOr(WorkspaceRole)
})

const Neighbour = Schema.Struct({ slug: Schema.String, position: Schema.Int })

const AppId = Schema.Struct({ app_id: Schema.Int })

const LockedApp = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int, name: Schema.String })

type Refused = NotFound | ValidationError

export class Apps extends Context.Service<
  Apps,
  {
    /** All reachable apps; with `workspaceId` those of one workspace. */
    readonly list: (
      caller: CallerShape,
      workspaceId: number | null
    ) => Effect.Effect<ReadonlyArray<typeof AppListed.Type>>
    readonly get: (grant: AccessGrant) => Effect.Effect<AppDefinition, NotFound>
    /** Distance of its calculations from its definition; none of an app that has no calculations. */
    readonly calculationState: (
      app: AppDefinition
    ) => Effect.Effect<{ readonly calculations_pending?: number; readonly calculations_job_id?: number | null }>
    readonly create: (
      caller: CallerShape,
      input: typeof AppCreate.Type
    ) => Effect.Effect<AppDefinition, Refused | RecordNotFound | Restricted>
    readonly update: (
      grant: AccessGrant,
      input: typeof AppUpdate.Type
    ) => Effect.Effect<AppDefinition, Refused | UniqueConflict>
    readonly reorder: (grant: AccessGrant, fieldIds: ReadonlyArray<number>) => Effect.Effect<AppDefinition, Refused>
    /** Answers the app as it was. */
    readonly remove: (grant: AccessGrant) => Effect.Effect<AppDefinition, NotFound>
  }
>()("millrace/records/Apps") {
  static readonly layer = Layer.effect(
    Apps,
    Effect.gen(function* () {
      const sql = yield* Sql
      const access = yield* Access
      const definitions = yield* Definitions
      const outbox = yield* Outbox
      const removals = yield* WorkspaceRemovalSubscribers
      const statements = yield* makeAppStatements
      const plan = yield* makeFieldPlans
      const { appsGo, fieldsGo } = yield* makeFieldAndAppRemovals
      const audited = yield* makeAppAudit
      const { switched } = yield* makeUniqueFields
      const related = yield* makeRelatedCalculations
      const recalculations = makeRecalculations(sql, yield* Jobs)
      const atomic = transact(sql)
      const { lockApps, lockingApps } = makeAppLocks(sql)
      const noApp = (id: number) => new NotFound({ message: `No app with id ${id}.` })
      const invalid = (message: string) => new ValidationError({ message })
      const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const jsonOrNull = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

      const list = Effect.fn("Apps.list")(function* (caller: CallerShape, workspaceId: number | null) {
        const rows = yield* rowsOf(ListRow)(sql`
            SELECT a.*, w.name AS workspace_name, w.type, m.role AS member_role
            FROM apps a JOIN workspaces w USING (workspace_id)
            LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ${caller.userId}
            WHERE a.org_id = ${caller.orgId} AND (${workspaceId}::bigint IS NULL OR a.workspace_id = ${workspaceId})
            ORDER BY a.workspace_id, a.position, a.app_id`)
        return rows.filter((row) => levelAt(caller, row).level > 0).map(renderListedApp)
      }, orSqlDefect)

      const current = (appId: number) =>
        Effect.flatMap(definitions.read(appId), Option.match({ onNone: () => noApp(appId), onSome: Effect.succeed }))

      /** No record of the app is written, no other definition change begins, until the transaction ends. */
      const lock = Effect.fnUntraced(function* (appId: number, others: Iterable<number> = []) {
        yield* lockApps(new Set([appId, ...others]))
        return yield* current(appId)
      })

      const create = Effect.fn("Apps.create")(
        (caller: CallerShape, input: typeof AppCreate.Type) =>
          atomic(
            lockingApps(
              Effect.fnUntraced(function* (others) {
                const { workspaceId } = yield* access.check(caller, "workspace", input.workspace_id, 5)
                yield* sql`SELECT 1 FROM workspaces WHERE workspace_id = ${workspaceId} FOR UPDATE`
                yield* lockApps(others)
                const neighbours = yield* rowsOf(Neighbour)(sql`
                SELECT slug, position FROM apps WHERE workspace_id = ${workspaceId}`)
                if (neighbours.length >= appsPerWorkspace) {
                  return yield* invalid(`A workspace has at most ${appsPerWorkspace} apps.`)
                }
                const changes = yield* plan(caller, null, input.fields ?? [], [])
                const createdAt = yield* currentTime
                const slug = freeSlug(slugOf(input.name), new Set(neighbours.map((app) => app.slug)))
                const position = Math.max(-1, ...neighbours.map((app) => app.position)) + 1
                const app = yield* rowOf(AppId)(sql`
                INSERT INTO apps (org_id, workspace_id, slug, name, item_name, description, icon, item_icon, position, created_on)
                VALUES (${caller.orgId}, ${workspaceId}, ${slug}, ${input.name}, ${input.item_name ?? input.name},
                  ${input.description ?? null}, ${jsonOrNull(input.icon)}::jsonb, ${jsonOrNull(input.item_icon)}::jsonb,
                  ${position}::int, ${createdAt})
                RETURNING app_id`)
                const appId = app!.app_id
                yield* sql`INSERT INTO app_counters (app_id) VALUES (${appId})`
                yield* sql`
                INSERT INTO views (app_id, name, is_default, layout, created_on)
                VALUES (${appId}, ${`All ${input.item_name ?? input.name}`.slice(0, 200)}, true, 'table', ${createdAt})`
                yield* statements.insertFields(appId, changes.created, createdAt)
                const createdApp = yield* related(caller, null, yield* current(appId), input.fields ?? [], others)
                yield* audited.created(createdApp, workspaceId)
                return createdApp
              })
            )
          ),
        orSqlDefect
      )

      const announce = ({ app_id, org_id }: AppDefinition) =>
        outbox.append([
          {
            type: "app.update",
            payload: {},
            org_id,
            app_id,
            record_id: null,
            switches: defaultSwitches,
            depth: 0,
            cause: null
          }
        ])

      const update = Effect.fn("Apps.update")(
        (grant: AccessGrant, input: typeof AppUpdate.Type) =>
          atomic(
            lockingApps(
              Effect.fnUntraced(function* (others) {
                const formerApp = yield* lock(grant.appId, others)
                const deletions = (input.fields_to_delete ?? []).map((field) => field.field_id)
                const changes = yield* plan(grant.caller, formerApp, input.fields ?? [], deletions)
                yield* fieldsGo(formerApp, changes.deleted)
                yield* statements.updateFields(changes.updated)
                yield* statements.insertFields(formerApp.app_id, changes.created, yield* currentTime)
                for (const options of changes.removedOptions) yield* statements.moveOptions(formerApp.app_id, options)
                const icon = input.icon === undefined ? formerApp.icon : input.icon
                const itemIcon = input.item_icon === undefined ? formerApp.item_icon : input.item_icon
                yield* sql`
                UPDATE apps SET version = version + 1, name = ${input.name ?? formerApp.name},
                  item_name = ${input.item_name ?? formerApp.item_name},
                  description = ${input.description === undefined ? formerApp.description : input.description},
                  icon = ${jsonOrNull(icon)}::jsonb, item_icon = ${jsonOrNull(itemIcon)}::jsonb
                WHERE app_id = ${formerApp.app_id}`
                const changedApp = yield* current(formerApp.app_id)
                const updatedApp = yield* related(grant.caller, formerApp, changedApp, input.fields ?? [], others)
                yield* switched(grant.caller, formerApp, updatedApp)
                yield* statements.retitle(formerApp, updatedApp)
                yield* recalculations.changed(grant.caller, formerApp, updatedApp)
                yield* announce(updatedApp)
                yield* audited.changed(formerApp, updatedApp, input)
                return updatedApp
              })
            )
          ),
        orSqlDefect
      )

      const reorder = Effect.fn("Apps.reorder")(
        (grant: AccessGrant, fieldIds: ReadonlyArray<number>) =>
          atomic(
            Effect.gen(function* () {
              const formerApp = yield* lock(grant.appId)
              const foreign = fieldIds.find((id) => !formerApp.byId.has(id))
              if (foreign !== undefined) return yield* invalid(`fields: the app has no field ${foreign}`)
              if (new Set(fieldIds).size < fieldIds.length) return yield* invalid("fields: name a field once only")
              yield* statements.updateFields(reordered(formerApp.fields, fieldIds))
              yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${formerApp.app_id}`
              const reorderedApp = yield* current(formerApp.app_id)
              yield* statements.retitle(formerApp, reorderedApp)
              yield* announce(reorderedApp)
              yield* audited.reordered(reorderedApp)
              return reorderedApp
            })
          ),
        orSqlDefect
      )

      const remove = Effect.fn("Apps.remove")(
        (grant: AccessGrant) =>
          atomic(
            Effect.tap(lock(grant.appId), (app) =>
              Effect.andThen(appsGo(app.org_id, [app.app_id]), audited.deleted([app]))
            )
          ),
        orSqlDefect
      )

      const removeAll = Effect.fn("Apps.removeAll")(function* (workspaceId: number) {
        const rows = yield* rowsOf(LockedApp)(sql`
          SELECT app_id, org_id, name FROM apps WHERE workspace_id = ${workspaceId} ORDER BY app_id FOR UPDATE`)
        yield* appsGo(
          rows[0]?.org_id ?? 0,
          rows.map((row) => row.app_id)
        )
        yield* audited.deleted(rows)
      })

      const calculationState = Effect.fn("Apps.calculationState")(function* (app: AppDefinition) {
        if (!app.fields.some(isCalculation)) return {}
        const { job_id, pending } = yield* recalculations.pendingOf(app.app_id)
        return { calculations_pending: pending, calculations_job_id: job_id }
      }, orSqlDefect)

      removals.register(removeAll)
      return Apps.of({ list, get: (grant) => current(grant.appId), calculationState, create, update, reorder, remove })
    })
  )
}

const freeSlug = (slug: string, taken: ReadonlySet<string>) => {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}
