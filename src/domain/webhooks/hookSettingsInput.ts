// What a caller may write of a hook's settings (decisions W11): each member alone, what is left out stays.
import { Schema } from "effect"
import { anything, list, sizes, text } from "../../ground/bounds/sized.ts"
import { HookType, hookTypes } from "./Hook.ts"

export const SettingsInput = Schema.Struct({
  description: Schema.optionalKey(text(1_000)),
  paused: Schema.optionalKey(Schema.Boolean.annotate({ description: "Events wait, for seven days at most" })),
  types: Schema.optionalKey(
    list(HookType, hookTypes.length).annotate({
      description: "The events that are sent, the hook's own type among them"
    })
  ),
  filter: Schema.optionalKey(
    Schema.NullOr(anything(sizes.definitionValues)).annotate({
      description: "The filter tree of automations, over the record of the event; null sends all"
    })
  ),
  only_fields: Schema.optionalKey(
    list(Schema.Int, sizes.fields).annotate({
      description: "Of `record.update` only those that change one of these fields; empty for all"
    })
  )
})
export type SettingsInput = typeof SettingsInput.Type
