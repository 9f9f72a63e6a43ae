// Schema of an organization's usage and limits in the API (decisions, "The console").
import { Schema } from "effect"

const limited = (used: string) => ({
  used: Schema.Int.annotate({ description: used }),
  limit: Schema.Int.annotate({ description: "The organization's own, or else that of the installation" })
})

export const OrganizationUsage = Schema.Struct({
  actions: Schema.Struct({
    ...limited("Credits that automations have used in the present hour, UTC (developer-api.md 7.11 rule 5)"),
    hours: Schema.Array(Schema.Struct({ from: Schema.String, used: Schema.Int })).annotate({
      description: "The last 24 hours, the present one at the end"
    })
  }),
  mails: Schema.Struct(limited("Mails of automations in the last 24 hours")),
  storage: Schema.Struct({
    used_bytes: Schema.Int.annotate({ description: "All files, those of records in the trash included" }),
    limit_bytes: Schema.Int
  }),
  users: Schema.Int.annotate({ description: "Those who are not deactivated" }),
  apps: Schema.Int,
  records: Schema.Int.annotate({ description: "Without those in the trash" }),
  automations: Schema.Int,
  hooks: Schema.Int
}).annotate({ identifier: "OrganizationUsage" })
export type OrganizationUsage = typeof OrganizationUsage.Type
