// The flow as a list, with the steps of a branch below it: on a narrow screen, and for who prefers to read it so.
import { memo } from "react"
import { flowList as texts } from "../../../texts/automations/editorSteps.ts"
import { useFlow, useFlowStore } from "./flowStore.ts"
import { type Branch, branchesOf, type Place, type Steps, stepsIn } from "./model/steps.ts"
import { PlusButton } from "./PlusButton.tsx"
import { FilterCard, StepCard, TriggerCard } from "./StepCard.tsx"

interface RowsProps {
  readonly steps: Steps
  readonly folded: ReadonlySet<string>
  readonly parent: string | null
  readonly branch: Branch
  readonly prefix: string
  readonly add: (place: Place) => void
}
const Rows = ({ add, branch, folded, parent, prefix, steps }: RowsProps) => (
  <ol className="flow-list">
    {steps.map((step, index) => {
      const number = `${prefix}${index + 1}`
      return (
        <li key={step.id}>
          <StepCard id={step.id} number={number} />
          {(folded.has(step.id) ? [] : branchesOf(step.type)).map((inner) => {
            const list = stepsIn(step, inner)
            if (list === undefined) return null
            const words =
              step.type === "for_loop" ? texts.forEach : inner === "action_rows" ? texts.ifSo : texts.otherwise
            return (
              <fieldset className="flow-branch" key={inner} aria-label={words}>
                <span className="branch-name">{words}</span>
                <Rows
                  steps={list}
                  folded={folded}
                  parent={step.id}
                  branch={inner}
                  prefix={`${number}${inner === "action_rows" ? "" : "b"}.`}
                  add={add}
                />
              </fieldset>
            )
          })}
        </li>
      )
    })}
    <li>
      <PlusButton place={{ parent, branch, index: steps.length }} after={steps.at(-1)?.id} add={add} />
    </li>
  </ol>
)

export const FlowList = memo(({ add }: { readonly add: (place: Place) => void }) => {
  useFlow(({ shape }) => shape)
  const { definition, folded } = useFlowStore().read()
  return (
    <div className="flow-narrow">
      <TriggerCard />
      <FilterCard />
      <Rows steps={definition.actions} folded={folded} parent={null} branch="action_rows" prefix="" add={add} />
    </div>
  )
})
