// What a caller may write of a hook's settings (decisions W11): each member alone, what is left out stays.
import { Schema } from "effect"
import { list, text } from "../../ground/bounds/sized.ts"
import { HookType, hookTypes } from "./Hook.ts"

export const SettingsInput = Schema.Struct({
  description: Schema.optionalKey(text(1_000)),
  paused: Schema.optionalKey(Schema.Boolean.annotate({ description: "Events wait, for seven days at most" })),
  types: Schema.optionalKey(
    list(HookType, hookTypes.length).annotate({
      description: "The events that are sent, the hook's own type among them"
    })
  )
})
export type SettingsInput = typeof SettingsInput.Type
