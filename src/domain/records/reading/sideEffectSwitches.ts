// Side-effect switches of writes, in the query (developer-api.md 1.9): notifications, webhooks, automations.
import { Schema, SchemaTransformation } from "effect"

/** The words `true` and `false`. */
export const Flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (word) => word === "true", encode: (flag) => (flag ? "true" : "false") })
  )
)
const flag = Schema.optionalKey(Flag)

export const switchQuery = { silent: flag, hook: flag, workflow: flag }
export const switchesOf = (query: {
  readonly silent?: boolean
  readonly hook?: boolean
  readonly workflow?: boolean
}) => ({
  silent: query.silent ?? false,
  hook: query.hook ?? true,
  workflow: query.workflow ?? true
})
