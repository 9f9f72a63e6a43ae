// Schemas of what would be deleted or break with a field or an app, shown before it is removed (developer-api.md 3.1, 7.2).
import { Schema } from "effect"

const AutomationRef = Schema.Struct({
  automation_id: Schema.Int,
  name: Schema.String,
  app_id: Schema.Int,
  app_name: Schema.String
}).annotate({ identifier: "AutomationUse" })
const ViewRef = Schema.Struct({ view_id: Schema.Int, name: Schema.String }).annotate({ identifier: "ViewUse" })
const HookRef = Schema.Struct({ hook_id: Schema.Int, host: Schema.String }).annotate({ identifier: "HookUse" })
const FieldRef = Schema.Struct({
  field_id: Schema.Int,
  label: Schema.String,
  app_id: Schema.Int,
  app_name: Schema.String
}).annotate({ identifier: "RelationUse" })

export const UseRows = { automations: AutomationRef, views: ViewRef, hooks: HookRef, relations: FieldRef }

const automations = Schema.Array(AutomationRef)
const otherCount = Schema.Int.annotate({ description: "Automations of apps that the caller does not administer" })

export const FieldUsage = Schema.Struct({
  field_id: Schema.Int,
  records: Schema.Int.annotate({ description: "Records with a value in it, the trash included" }),
  views: Schema.Array(ViewRef).annotate({
    description: "Views that filter, sort or group by it, or are laid out by it"
  }),
  other_views: Schema.Int.annotate({ description: "Private views of others that do so" }),
  automations: automations.annotate({ description: "Automations that name it, and would break" }),
  other_automations: otherCount,
  hooks: Schema.Array(HookRef).annotate({ description: "Hooks that filter by it, or are told of it alone" })
}).annotate({ identifier: "FieldUsage" })
export type FieldUsage = typeof FieldUsage.Type

export const AppUsage = Schema.Struct({
  app_id: Schema.Int,
  records: Schema.Int,
  trashed_records: Schema.Int,
  comments: Schema.Int,
  views: Schema.Int,
  hooks: Schema.Int,
  own_automations: Schema.Int.annotate({ description: "Automations of the app itself, which go with it" }),
  automations: automations.annotate({ description: "Automations of other apps that name it, and would break" }),
  other_automations: otherCount,
  relations: Schema.Array(FieldRef).annotate({
    description: "Relation fields of other apps that the caller administers, which would no longer offer its records"
  })
}).annotate({ identifier: "AppUsage" })
export type AppUsage = typeof AppUsage.Type
