// Which of the 35 types does what to a run (design: automations as durable executions), derived from the registry.
import { type ActionType, actionSpec, actionTypes } from "../actions/registry.ts"
import type { StepKind } from "../model/Plan.ts"

const control: Partial<Record<ActionType, StepKind>> = {
  delay: "wait",
  conditional: "branch",
  for_loop: "loop",
  exit: "exit"
}

const kindFromSpec = (type: ActionType): StepKind => {
  const spec = actionSpec(type)
  if (spec.outside === true) return "outside"
  if (spec.calls === "automation_called") return "call"
  return control[type] ?? "database"
}

export const kinds = Object.fromEntries(actionTypes.map((type) => [type, kindFromSpec(type)])) as Readonly<
  Record<ActionType, StepKind>
>

/** Leaf actions cost a credit (7.11 rule 5); branches and loops cost none. */
export const costs = (type: ActionType): boolean => actionSpec(type).group === "action"

/** Types whose success leaves no log entry (7.11). */
export const quietTypes: ReadonlySet<ActionType> = new Set<ActionType>([
  "conditional",
  "for_loop",
  "create_pdf",
  "collected_records_collect_referenced_records"
])
