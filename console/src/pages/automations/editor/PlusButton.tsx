// Adds a step at a place of the flow; its name says where. A step that is dragged lands here (useStepDrag.ts).
import { memo } from "react"
import { plusButton as texts } from "../../../texts/automations/editorSteps.ts"
import { useFlow } from "./flowStore.ts"
import type { Place, Step } from "./model/steps.ts"

interface PlusButtonProps {
  readonly place: Place
  /** The step before it in its list, if there is one. */
  readonly after: string | undefined
  readonly add: (place: Place) => void
}
export const PlusButton = memo(({ add, after, place }: PlusButtonProps) => {
  const words = useFlow(({ names, steps }) => {
    const nameOf = (step: Step | undefined) => (step === undefined ? "" : step.custom_name || names.label(step.type))
    if (after !== undefined) return texts.addAStepAfter(nameOf(steps.get(after)))
    const owner = place.parent === null ? undefined : steps.get(place.parent)
    const branch = place.branch === "else_action_rows" ? texts.otherwise : texts.first
    return owner === undefined
      ? texts.addTheFirstStep
      : texts.addAStepBranchOf(owner.type === "for_loop" ? texts.inside : branch, nameOf(owner))
  })
  return (
    <button
      type="button"
      className="plus nopan"
      aria-label={words}
      title={words}
      data-place={JSON.stringify(place)}
      onClick={() => add(place)}
    >
      +
    </button>
  )
})
