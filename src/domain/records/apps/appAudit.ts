// Records changes of apps and their fields in the audit log (decisions P14): ids together with current or former names, since a deleted one
// has no other name left.
import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../../platform/audit/auditKinds.ts"
import type { Field } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

type App = Pick<AppDefinition, "app_id" | "org_id" | "name">

/** Audited settings of an app itself; its fields have entries of their own. */
const settings = ["name", "item_name", "description", "icon", "item_icon"] as const

export const makeAppAudit = Effect.map(AuditLog, (audit) => {
  const entry = (
    event: Extract<AuditKind, `app.${string}` | `field.${string}`>,
    { app_id, org_id }: App,
    details: Readonly<Record<string, unknown>>
  ) => ({ event, orgId: org_id, details: { app_id, ...details } })
  const ofField =
    (event: Extract<AuditKind, `field.${string}`>, app: App) =>
    ({ field_id, field_type, label }: Field) =>
      entry(event, app, { field_id, label, field_type })
  const record = audit.recordAll

  return {
    created: (app: AppDefinition, workspaceId: number) =>
      record([
        entry("app.created", app, { name: app.name, workspace_id: workspaceId }),
        ...app.fields.map(ofField("field.added", app))
      ]),
    /** @param input what was sent of the app */
    changed: (before: AppDefinition, after: AppDefinition, input: Readonly<Record<string, unknown>>) => {
      const changed = settings.filter(
        (name) => input[name] !== undefined && !isDeepStrictEqual(before[name], after[name])
      )
      return record([
        ...(changed.length === 0 ? [] : [entry("app.changed", after, { name: after.name, changed })]),
        ...before.fields.filter(({ field_id }) => !after.byId.has(field_id)).map(ofField("field.removed", after)),
        ...after.fields.filter(({ field_id }) => !before.byId.has(field_id)).map(ofField("field.added", after)),
        ...after.fields
          .filter((field) => {
            const former = before.byId.get(field.field_id)
            return former !== undefined && !isDeepStrictEqual({ ...former, position: field.position }, field)
          })
          .map(ofField("field.changed", after))
      ])
    },
    reordered: (app: AppDefinition) => record([entry("app.changed", app, { name: app.name, changed: ["fields"] })]),
    deleted: (apps: ReadonlyArray<App>) => record(apps.map((app) => entry("app.deleted", app, { name: app.name })))
  }
})
