// Loads the model against which a definition is validated: the live things that it names (developer-api.md 7.12). Things that a user in
// `seenBy` cannot see are left out (decisions A20, A21), so that they count as missing.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { withheldFrom } from "../../../platform/sharing/allowedUse.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { makeCommonAppLevels } from "../../accounts/commonAppLevels.ts"
import type { AppChange } from "../../records/apps/AppChangeSubscribers.ts"
import { type FieldTypeTag, fieldTypeTags, typeOf } from "../../records/fields/registry.ts"
import { SecretValues } from "../../secrets/SecretValues.ts"
import { readStored } from "../input/storedDefinition.ts"
import type { Definition } from "../model/Definition.ts"
import { inputsOf } from "../model/declaredInputs.ts"
import type { CallTarget, FieldModel, ValidationModel } from "../schema/ValidationModel.ts"
import { mentionsOf } from "../validation/definitionMentions.ts"
import { outputsOf } from "../validation/validateDefinition.ts"

export interface ValidationSubject extends Definition {
  readonly org_id: number
  readonly app_id: number
  readonly timezone: string
}

/** Things that the present transaction removes and that count as missing already. */
export interface Removed extends Pick<AppChange, "appIds" | "fieldIds"> {
  readonly automationIds: ReadonlyArray<number>
}
const nothing: Removed = { appIds: [], fieldIds: [], automationIds: [] }

const FieldRow = Schema.Struct({
  field_id: Schema.Int,
  app_id: Schema.Int,
  label: Schema.String,
  field_type: Schema.String,
  required: Schema.Boolean,
  always_hidden: Schema.Boolean,
  is_unique: Schema.Boolean,
  settings: jsonb<{
    readonly options?: ReadonlyArray<{ readonly id: number }>
    readonly referenced_apps?: ReadonlyArray<{ readonly app_id: number }>
  }>()
})
type FieldRow = typeof FieldRow.Type

/** Field types that lead from one app to another. */
const relationTypes = fieldTypeTags.filter((field_type) => typeOf({ field_type }).kind === "records")

const texts = (ids: Iterable<number>) => [...ids].map(String)

const App = Schema.Struct({ workspace_id: Schema.Int })

const AppId = Schema.Struct({ app_id: Schema.Int })

const UserId = Schema.Struct({ user_id: Schema.Int })

const NamedRecord = Schema.Struct({ record_id: Schema.Int, app_id: Schema.Int })

/** Users who all must see a thing for it to be in the model; empty: no restriction, for the service itself. */
export type SeenBy = ReadonlyArray<CallerShape>
export const everyone: SeenBy = []

/** Access level that these users need on the app of a called automation: workspace admin. */
const CALLABLE = 5

const CalledAutomation = Schema.Struct({
  automation_id: Schema.Int,
  app_id: Schema.Int,
  trigger: Schema.Unknown,
  actions: Schema.Unknown,
  format: Schema.Int
})

export class ValidationModels extends Context.Service<
  ValidationModels,
  {
    readonly load: (subject: ValidationSubject, seenBy: SeenBy, removed?: Removed) => Effect.Effect<ValidationModel>
  }
>()("millrace/automations/definitions/ValidationModels") {
  static readonly layer = Layer.effect(
    ValidationModels,
    Effect.gen(function* () {
      const sql = yield* Sql
      const secrets = yield* SecretValues
      const { scheduleMinimumSeconds } = yield* AppConfig
      const levelsOn = makeCommonAppLevels(sql)

      const secretsOf = Effect.fnUntraced(function* (
        { app_id, org_id }: ValidationSubject,
        names: ReadonlyArray<string>
      ) {
        const none = { there: new Set<string>(), withheld: new Set<string>() }
        if (names.length === 0) return none
        const app = yield* rowOf(App)(sql`SELECT workspace_id FROM apps WHERE app_id = ${app_id}`)
        return app === undefined
          ? none
          : yield* secrets.known({ orgId: org_id, workspaceId: app.workspace_id, appId: app_id }, names)
      })

      const load = Effect.fn("ValidationModels.load")(function* (
        subject: ValidationSubject,
        seenBy: SeenBy,
        removed: Removed = nothing
      ) {
        const { app_id, org_id } = subject
        const mentions = mentionsOf(subject)
        const users = new Set([...mentions.users, ...mentions.literals])
        const records = new Set([...mentions.records, ...mentions.literals])
        const goneApps = new Set(removed.appIds)
        const goneFields = new Set(removed.fieldIds)
        const goneAutomations = new Set(removed.automationIds)
        const fieldsNamed = rowsOf(FieldRow)(sql`
            SELECT f.field_id, f.app_id, f.label, f.field_type, f.required, f.always_hidden, f."unique" AS is_unique,
              f.settings FROM fields f JOIN apps a USING (app_id)
            WHERE a.org_id = ${org_id} AND (f.field_id = ANY(${texts(mentions.fields)}::text[]::bigint[])
              OR (f.field_type = ANY(${relationTypes}::text[]) AND (f.app_id = ${app_id}
                OR f.settings @> ${JSON.stringify({ referenced_apps: [{ app_id }] })}::jsonb)))`)
        const [apps, fields, found, live, targets] = yield* Effect.all([
          rowsOf(AppId)(sql`
              SELECT app_id FROM apps WHERE org_id = ${org_id} AND app_id = ANY(${texts([app_id, ...mentions.apps])}::text[]::bigint[])`),
          fieldsNamed,
          rowsOf(UserId)(sql`
              SELECT user_id FROM users
              WHERE org_id = ${org_id} AND status <> 'removed' AND user_id = ANY(${texts(users)}::text[]::bigint[])`),
          rowsOf(NamedRecord)(sql`
              SELECT record_id, app_id FROM records
              WHERE org_id = ${org_id} AND deleted_on IS NULL AND record_id = ANY(${texts(records)}::text[]::bigint[])`),
          rowsOf(CalledAutomation)(sql`
              SELECT automation_id, app_id, trigger, actions, format FROM automations
              WHERE org_id = ${org_id} AND deleted_on IS NULL
                AND automation_id = ANY(${texts(mentions.automations)}::text[]::bigint[])`)
        ])
        const { there, withheld } = yield* secretsOf(subject, [...mentions.secrets])
        const by = { appId: app_id }
        const named = [...apps, ...fields, ...live, ...targets].map((row) => row.app_id)
        const related = fields.flatMap(({ settings }) => settings.referenced_apps?.map((app) => app.app_id) ?? [])
        const levelOn = yield* levelsOn(seenBy, [...named, ...related])
        const isVisible = (appId: number) => !goneApps.has(appId) && levelOn(appId) > 0
        const kept = fields
          .filter((field) => !goneFields.has(field.field_id) && isVisible(field.app_id))
          .map(fieldModel)
        return {
          app_id,
          timezone: subject.timezone,
          apps: new Set(apps.map((row) => row.app_id).filter(isVisible)),
          fields: new Map(kept.map((field) => [field.field_id, field])),
          edge_app_ids: new Set([...edgesOf(app_id, kept)].filter((id) => levelOn(id) > 0)),
          users: new Set(found.map((row) => row.user_id)),
          records: new Set(live.filter((row) => levelOn(row.app_id) > 0).map((row) => row.record_id)),
          automations: new Map(
            targets
              .filter((row) => !goneAutomations.has(row.automation_id) && levelOn(row.app_id) >= CALLABLE)
              .map((row): [number, CallTarget] => [row.automation_id, targetOf(row)])
          ),
          secrets: there,
          withheld: {
            secrets: withheld,
            providers: yield* withheldFrom(sql, "provider", org_id, [...mentions.providers], by),
            mail_accounts: yield* withheldFrom(sql, "mail_account", org_id, [...mentions.mailAccounts], by)
          },
          now: yield* Clock.currentTimeMillis,
          min_spacing_ms: scheduleMinimumSeconds * 1000
        } satisfies ValidationModel
      }, orSqlDefect)
      return ValidationModels.of({ load })
    })
  )
}

const targetOf = (row: {
  automation_id: number
  app_id: number
  trigger: unknown
  actions: unknown
  format: number
}): CallTarget => {
  const { actions, trigger } = readStored({ ...row, filter: null }).definition
  const { app_id, automation_id: id } = row
  return { id, app_id, trigger_type: trigger?.type ?? null, inputs: inputsOf(trigger), outputs: outputsOf(actions) }
}

const fieldModel = (row: FieldRow): FieldModel => ({
  field_id: row.field_id,
  app_id: row.app_id,
  label: row.label,
  field_type: row.field_type as FieldTypeTag,
  required: row.required,
  always_hidden: row.always_hidden,
  is_unique: row.is_unique,
  option_ids: new Set(row.settings.options?.map((option) => option.id)),
  referenced_app_ids: new Set(row.settings.referenced_apps?.map((app) => app.app_id))
})

/** Returns the apps that are one relation away, in either direction. */
const edgesOf = (app_id: number, fields: ReadonlyArray<FieldModel>): ReadonlySet<number> => {
  const edges = new Set<number>()
  for (const field of fields) {
    if (field.app_id === app_id) for (const other of field.referenced_app_ids) edges.add(other)
    else if (field.referenced_app_ids.has(app_id)) edges.add(field.app_id)
  }
  return edges
}
