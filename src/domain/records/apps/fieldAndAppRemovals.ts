// Deletes fields and apps with their contents (developer-api.md 3.1). Notifies other modules first, in the same transaction.
import { Effect } from "effect"
import type { RelationSettings } from "../fields/kinds/relationFields.ts"
import type { Field } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { AppChangeSubscribers } from "./AppChangeSubscribers.ts"
import { makeAppStatements } from "./appStatements.ts"

export const makeFieldAndAppRemovals = Effect.gen(function* () {
  const changed = yield* AppChangeSubscribers
  const statements = yield* makeAppStatements

  const fieldsGo = Effect.fnUntraced(function* ({ app_id, org_id }: AppDefinition, fields: ReadonlyArray<Field>) {
    if (fields.length === 0) return
    const pointed = fields
      .filter((field) => typeOf(field).refersTo === "records")
      .flatMap((field) => [app_id, ...(field.settings as RelationSettings).referenced_apps.map((app) => app.app_id)])
    const fieldIds = fields.map((field) => field.field_id)
    yield* changed.notify({ orgId: org_id, appIds: [], fieldIds, relatedAppIds: [...new Set(pointed)] })
    yield* statements.deleteFields(app_id, fields)
  })

  const appsGo = Effect.fnUntraced(function* (orgId: number, appIds: ReadonlyArray<number>) {
    if (appIds.length === 0) return
    yield* changed.notify({ orgId, appIds, fieldIds: [], relatedAppIds: [] })
    for (const appId of appIds) yield* statements.deleteApp(appId)
  })

  return { fieldsGo, appsGo }
})
