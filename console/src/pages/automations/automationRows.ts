// Rows of the table of automations and their order.
import type { AnswerOf, ItemOf } from "@millrace/client"
import { automationRows as texts } from "../../texts/automations/automationsWords.ts"
import { automationStates } from "./automationStates.ts"
import type { Names } from "./editor/model/conditionSentence.ts"
import { triggerSentence } from "./editor/model/triggerSentence.ts"

export type Automation = ItemOf<"automations.listOrg">
export type Summary = AnswerOf<"automationRuns.summary">["summaries"][number]

export interface AutomationRow {
  readonly automation: Automation
  readonly app: string
  readonly trigger: string
  readonly owner: string
  readonly summary: Summary | undefined
  /** Part of its finished runs that failed; undefined if none has finished. */
  readonly errorRate: number | undefined
}

export const columns = texts.columns
export type Column = keyof typeof columns
export interface Order {
  readonly column: Column
  readonly isDescending: boolean
}

/** @param owners names by user, undefined while they are loading */
export const rowOf = (
  automation: Automation,
  names: Names,
  owners: ReadonlyMap<number, string> | undefined,
  summaries: ReadonlyMap<number, Summary>
): AutomationRow => {
  const { app_id, id, owner_id, trigger } = automation
  const summary = summaries.get(id)
  const finished = (summary?.completed ?? 0) + (summary?.failed ?? 0)
  return {
    automation,
    app: names.apps.get(app_id)?.name ?? texts.appAppId(app_id),
    trigger: triggerSentence(trigger as Parameters<typeof triggerSentence>[0], app_id, names),
    owner: owners === undefined ? "" : (owners.get(owner_id) ?? texts.userOwnerId(owner_id)),
    summary,
    errorRate: summary === undefined || finished === 0 ? undefined : summary.failed / finished
  }
}

const valueOf = (row: AutomationRow, column: Column): string | number => {
  switch (column) {
    case "name":
      return row.automation.name
    case "state":
      return automationStates[row.automation.status].words
    case "last":
      return row.summary?.last_run?.created_at ?? ""
    case "errors":
      return row.errorRate ?? -1
    default:
      return row[column]
  }
}

const collator = new Intl.Collator(undefined, { numeric: true })
const compared = (one: string | number, other: string | number) =>
  typeof one === "number" && typeof other === "number" ? one - other : collator.compare(String(one), String(other))

/** Rows in order of a column, equal ones as they came. */
export const ordered = (rows: ReadonlyArray<AutomationRow>, order: Order | undefined): ReadonlyArray<AutomationRow> => {
  if (order === undefined) return rows
  const sign = order.isDescending ? -1 : 1
  return rows.toSorted((one, other) => sign * compared(valueOf(one, order.column), valueOf(other, order.column)))
}
