// Arguments that several tools share.
import { Schema } from "effect"

export const id = (description: string) => Schema.Int.check(Schema.isGreaterThan(0)).annotate({ description })

export const optional = Schema.optionalKey
export const text = (description: string) => Schema.String.check(Schema.isMaxLength(25_000)).annotate({ description })
export const flag = (description: string) => optional(Schema.Boolean.annotate({ description }))

/** A page small enough for a model to read; the API's own limits are higher (developer-api.md 1.4). */
export const page = {
  limit: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 })).annotate({
      description: "20 unless given."
    })
  ),
  cursor: optional(text("From the page before."))
}
export const pageDefaults = { limit: 20 }

/** developer-api.md 1.9. */
export const switches = {
  hook: flag("Sends webhooks (true)."),
  workflow: flag("Fires automations (true).")
}
