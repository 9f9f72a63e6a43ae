// Adds a step at a place of the flow; its name says where.
import { useEditor, useLabels } from "./context.ts"
import { listAt, type Place, stepOf } from "./model/steps.ts"

interface PlusButtonProps {
  readonly place: Place
  readonly add: (place: Place) => void
}
export const PlusButton = ({ add, place }: PlusButtonProps) => {
  const { draft } = useEditor()
  const label = useLabels()
  const { actions } = draft.now
  const previousStep = listAt(actions, place)[place.index - 1]
  const owner = place.parent === null ? undefined : stepOf(actions, place.parent)
  const nameOf = (step: typeof owner) => (step === undefined ? "" : step.custom_name || label(step.type))
  const branch = place.branch === "else_action_rows" ? "otherwise" : "first"
  const words =
    previousStep !== undefined
      ? `Add a step after ${nameOf(previousStep)}`
      : owner === undefined
        ? "Add the first step"
        : `Add a step ${owner.type === "for_loop" ? "inside" : branch} of ${nameOf(owner)}`
  return (
    <button type="button" className="plus nopan" aria-label={words} title={words} onClick={() => add(place)}>
      +
    </button>
  )
}
