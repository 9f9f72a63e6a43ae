// A part of the flow: a button that chooses it, with its name, its kind and how much is wrong with it.

import { useEditor, useLabels } from "./context.ts"
import type { FilterGroup } from "./model/definition.ts"
import { countOf } from "./model/filterTree.ts"
import type { Step } from "./model/steps.ts"

interface CardProps {
  readonly id: string
  readonly sign: string
  readonly title: string
  readonly about?: string | undefined
  readonly off?: boolean | undefined
}
const Card = ({ about, id, off = false, sign, title }: CardProps) => {
  const { choose, chosen, problems } = useEditor()
  const stepProblems = problems.filter(({ at }) => at === id)
  const errors = stepProblems.filter(({ tone }) => tone === "bad").length
  const problemText =
    stepProblems.length === 0
      ? ""
      : errors > 0
        ? `${errors} ${errors === 1 ? "error" : "errors"}`
        : `${stepProblems.length} to look at`
  return (
    <button
      type="button"
      className={`step-card nopan${off ? " off" : ""}`}
      aria-current={chosen === id ? "step" : undefined}
      data-step={id}
      onClick={() => choose(id)}
    >
      <span className="mark" aria-hidden="true">
        {sign}
      </span>
      <span className="step-words">
        <strong>{title}</strong>
        <small>{off ? "Switched off" : about}</small>
      </span>
      {problemText !== "" && <span className={`tag ${errors > 0 ? "bad" : "warn"}`}>{problemText}</span>}
    </button>
  )
}

export const TriggerCard = () => {
  const { draft } = useEditor()
  const label = useLabels()
  const { trigger } = draft.now
  return (
    <Card id="trigger" sign="▸" title={trigger === null ? "Choose a trigger" : label(trigger.type)} about="Trigger" />
  )
}

const conditions = (filter: FilterGroup | null | undefined) => {
  const count = countOf(filter)
  return count === 0 ? "" : `${count} ${count === 1 ? "condition" : "conditions"}`
}

export const FilterCard = () => {
  const { draft } = useEditor()
  const { filter } = draft.now
  return <Card id="filter" sign="?" title={conditions(filter) || "Always"} about="Goes on only if" />
}

export const StepCard = ({ number, step }: { readonly number: string; readonly step: Step }) => {
  const label = useLabels()
  const { config, custom_name, deactivate, id, type } = step
  const about =
    type === "conditional"
      ? conditions(config["condition"] as FilterGroup | null) || "Always"
      : custom_name === undefined
        ? undefined
        : label(type)
  return <Card id={id} sign={number} title={custom_name || label(type)} about={about} off={deactivate} />
}
