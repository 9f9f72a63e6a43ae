// Warns about a schedule before it runs (developer-api.md 7.5 rule 2, 7.13 `warnings`): it has ended, or it names days of the month and of
// the week and so comes due on more days than its author may mean.
import type { Definition } from "../model/Definition.ts"
import type { ValidationModel, Warning } from "../schema/ValidationModel.ts"
import { checkSchedule, dueOnEither, neverDue } from "../triggers/periodic/scheduleChecks.ts"

const warningOf = (code: "schedule_over" | "schedule_days_either", message: string): Warning => ({
  ...{ code, message },
  ...{ block_id: "trigger", action_id: null }
})

export function* scheduleWarnings({ trigger }: Pick<Definition, "trigger">, model: ValidationModel): Iterable<Warning> {
  if (trigger?.type !== "periodic") return
  // Mistakes are reported as errors instead.
  if ([...checkSchedule(trigger.config, model)].length > 0) return
  const overMessage = neverDue(trigger.config, model)
  if (overMessage !== undefined) yield warningOf("schedule_over", overMessage)
  if (dueOnEither(trigger.config))
    yield warningOf(
      "schedule_days_either",
      "`cron_expression` names days of the month and of the week: it comes due on days that are either of them, as in cron."
    )
}
