// Status of an automation (developer-api.md 7.2): active is neither paused nor broken; a draft has never been activated.
import type { AutomationRow } from "./StoredAutomation.ts"

export const statuses = ["draft", "active", "paused", "broken"] as const
export type Status = (typeof statuses)[number]

export const statusOf = (row: Pick<AutomationRow, "paused" | "broken" | "activated_on">): Status =>
  row.broken ? "broken" : !row.paused ? "active" : row.activated_on === null ? "draft" : "paused"

/** SQL conditions on `automations x` for each status. */
export const statusCondition: Record<Status, string> = {
  broken: "x.broken",
  active: "NOT x.broken AND NOT x.paused",
  draft: "NOT x.broken AND x.paused AND x.activated_on IS NULL",
  paused: "NOT x.broken AND x.paused AND x.activated_on IS NOT NULL"
}
