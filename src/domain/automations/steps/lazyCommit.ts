// Decides which commits of steps need not wait for the disk (docs/architecture.md). A crash of the database server may lose a database
// step, since nothing outside has seen it, and it is executed again. The same holds for the end of a run, unless Temporal or a caller
// learns of it.
import type { PlanNode } from "../model/Plan.ts"
import { isPlain, type RunContext } from "../run/RunContext.ts"
import type { Commit } from "../run/RunRow.ts"

export const lazyOf = (context: RunContext, { action, kind }: PlanNode, last: boolean): Commit["lazy"] => {
  const { type } = context.revision.definition.trigger ?? {}
  const awaited = !isPlain(context) || type === "webhook_received" || type === "weblink_clicked"
  if (kind !== "database" || (last && awaited)) return null
  return { apps: action.config["trigger_webhooks"] === true ? [action.config["app_id"] ?? context.run.app_id] : [] }
}
