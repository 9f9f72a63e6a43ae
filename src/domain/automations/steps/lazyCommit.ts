// Which commits of steps need not wait for the disk (docs/architecture.md): a database step may be lost with the server's last
// moments, since nothing outside has seen it, and it is done again. The end of a run may too, unless Temporal or a caller is told.
import type { PlanNode } from "../model/Plan.ts"
import { isPlain, type RunContext } from "../run/RunContext.ts"
import type { Commit } from "../run/RunRow.ts"

export const lazyOf = (context: RunContext, { action, kind }: PlanNode, last: boolean): Commit["lazy"] => {
  const { type } = context.revision.definition.trigger ?? {}
  const awaited = !isPlain(context) || type === "webhook_received" || type === "weblink_clicked"
  if (kind !== "database" || (last && awaited)) return null
  return { apps: action.config["trigger_webhooks"] === true ? [action.config["app_id"] ?? context.run.app_id] : [] }
}
