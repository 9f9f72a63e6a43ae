// The state of the flow from that of the editor, made anew only in the parts that changed.
import { useMemo } from "react"
import type { ActionType, TriggerType } from "./catalogue.ts"
import type { EditorValue } from "./context.ts"
import { useNewFlowStore } from "./flowStore.ts"
import { shapeOf } from "./model/layout.ts"
import { flat } from "./model/steps.ts"

const countText = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

const labelsOf = (types: ReadonlyArray<ActionType | TriggerType>) => {
  const labels = new Map(types.map(({ label, type }) => [type, label]))
  return (type: string) => labels.get(type) ?? type.replaceAll("_", " ")
}

const troublesOf = (problems: EditorValue["problems"]) => {
  const parts = new Set(problems.map(({ at }) => at))
  return new Map(
    [...parts].map((part) => {
      const ownProblems = problems.filter(({ at }) => at === part)
      const errors = ownProblems.filter(({ tone }) => tone === "bad").length
      return [part, errors > 0 ? countText(errors, "error") : countText(ownProblems.length, "warning")]
    })
  )
}

interface FlowInput extends Omit<EditorValue, "retryTypes" | "earlierSteps"> {
  readonly folded: ReadonlySet<string>
  readonly fold: (id: string) => void
}
export const useFlowState = ({
  actions,
  app: { app_id },
  apps,
  choose,
  chosen,
  draft: { now: definition },
  fold,
  folded,
  problems,
  triggers
}: FlowInput) => {
  const label = useMemo(() => labelsOf([...actions, ...triggers]), [actions, triggers])
  const names = useMemo(() => ({ label, apps }), [apps, label])
  const steps = useMemo(
    () => new Map(flat(definition.actions).map(({ step }) => [step.id, step])),
    [definition.actions]
  )
  const shape = useMemo(() => shapeOf(definition.actions, folded), [definition.actions, folded])
  const troubles = useMemo(() => troublesOf(problems), [problems])
  const state = useMemo(
    () => ({ definition, app_id, steps, shape, folded, chosen, names, troubles, choose, fold }),
    [app_id, choose, chosen, definition, fold, folded, names, shape, steps, troubles]
  )
  return useNewFlowStore(state)
}
