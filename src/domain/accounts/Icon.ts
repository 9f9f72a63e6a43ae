// Icons of apps, their items and workspaces (developer-api.md 2.2, 3.1).
import { Schema } from "effect"

export const Icon = Schema.Union([
  Schema.Struct({ type: Schema.Literal("graphic"), id: Schema.String.check(Schema.isMaxLength(100)) }),
  Schema.Struct({ type: Schema.Literal("emoji"), emoji: Schema.String.check(Schema.isMaxLength(32)) })
]).annotate({ identifier: "Icon" })
export type Icon = typeof Icon.Type
