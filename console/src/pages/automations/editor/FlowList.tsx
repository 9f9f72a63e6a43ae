// The flow on a narrow screen: a list, with the steps of a branch below it.
import { useEditor } from "./context.ts"
import { type Branch, branchesOf, type Place, type Steps, stepsIn } from "./model/steps.ts"
import { PlusButton } from "./PlusButton.tsx"
import { FilterCard, StepCard, TriggerCard } from "./StepCard.tsx"

interface RowsProps {
  readonly steps: Steps
  readonly parent: string | null
  readonly branch: Branch
  readonly prefix: string
  readonly add: (place: Place) => void
}
const Rows = ({ add, branch, parent, prefix, steps }: RowsProps) => (
  <ol className="flow-list">
    {steps.map((step, index) => {
      const number = `${prefix}${index + 1}`
      return (
        <li key={step.id}>
          <StepCard step={step} number={number} />
          {branchesOf(step.type).map((inner) => {
            const list = stepsIn(step, inner)
            if (list === undefined) return null
            const words = step.type === "for_loop" ? "For each" : inner === "action_rows" ? "If so" : "Otherwise"
            return (
              <fieldset className="flow-branch" key={inner} aria-label={words}>
                <span className="branch-name">{words}</span>
                <Rows
                  steps={list}
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
      <PlusButton place={{ parent, branch, index: steps.length }} add={add} />
    </li>
  </ol>
)

export const FlowList = ({ add }: { readonly add: (place: Place) => void }) => {
  const { draft } = useEditor()
  return (
    <div className="flow-narrow">
      <TriggerCard />
      <FilterCard />
      <Rows steps={draft.now.actions} parent={null} branch="action_rows" prefix="" add={add} />
    </div>
  )
}
