// A part of the flow: a button that chooses it, with an icon, a sentence, its name and how much is wrong with it. Steps that hold others can be
// folded.
import { memo } from "react"
import { stepCard as texts } from "../../../texts/automations/editorSteps.ts"
import { useFlow } from "./flowStore.ts"
import { conditionSentence } from "./model/conditionSentence.ts"
import { stepSentence } from "./model/stepSentence.ts"
import { branchesOf, flat } from "./model/steps.ts"
import { triggerSentence } from "./model/triggerSentence.ts"
import { StepIcon } from "./StepIcon.tsx"
import { StepResultBadge } from "./sample/StepResultBadge.tsx"

interface CardProps {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly about: string
  readonly off?: boolean | undefined
}
const Card = ({ about, id, off = false, title, type }: CardProps) => {
  const choose = useFlow((state) => state.choose)
  const isChosen = useFlow((state) => state.chosen === id)
  const trouble = useFlow((state) => state.troubles.get(id) ?? "")
  return (
    <button
      type="button"
      className={`step-card nopan${off ? " off" : ""}`}
      aria-current={isChosen ? "step" : undefined}
      data-step={id}
      title={title}
      onClick={() => choose(id)}
    >
      <span className="step-icon">
        <StepIcon type={type} />
      </span>
      <span className="step-words">
        <strong>{title}</strong>
        <small>{off ? texts.aboutSwitchedOff(about) : about}</small>
      </span>
      <StepResultBadge id={id} />
      {trouble !== "" && <span className={`tag ${trouble.includes("error") ? "bad" : "warn"}`}>{trouble}</span>}
    </button>
  )
}

export const TriggerCard = () => {
  const trigger = useFlow((state) => state.definition.trigger)
  const app_id = useFlow((state) => state.app_id)
  const names = useFlow((state) => state.names)
  const title = trigger === null ? texts.chooseATrigger : triggerSentence(trigger, app_id, names)
  return <Card id="trigger" type={trigger?.type ?? ""} title={title} about={texts.trigger} />
}

export const FilterCard = () => {
  const filter = useFlow((state) => state.definition.filter)
  const names = useFlow((state) => state.names)
  const condition = conditionSentence(filter, names)
  return (
    <Card
      id="filter"
      type="filter"
      title={condition === "" ? texts.always : texts.onlyIfCondition(condition)}
      about={texts.filter}
    />
  )
}

const FoldButton = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const fold = useFlow((state) => state.fold)
  const isFolded = useFlow((state) => state.folded.has(id))
  const words = `${isFolded ? texts.expand : texts.collapse} ${name}`
  return (
    <button
      type="button"
      className="fold nopan"
      aria-expanded={!isFolded}
      aria-label={words}
      title={texts.wordsC(words)}
      onClick={() => fold(id)}
    >
      {isFolded ? "▸" : "▾"}
    </button>
  )
}

interface StepCardProps {
  readonly id: string
  readonly number: string
}
export const StepCard = memo(({ id, number }: StepCardProps) => {
  const step = useFlow((state) => state.steps.get(id))
  const names = useFlow((state) => state.names)
  const isFolded = useFlow((state) => state.folded.has(id))
  // A step that was just deleted, until the flow is laid out without it.
  if (step === undefined) return null
  const sentence = stepSentence(step, names)
  const label = names.label(step.type)
  const inside = isFolded ? texts.countInside(flat([step]).length - 1) : ""
  return (
    <div className="step-node">
      <Card
        id={id}
        type={step.type}
        title={step.custom_name || sentence}
        about={`${number} · ${step.custom_name ? sentence : label}${inside}`}
        off={step.deactivate}
      />
      {branchesOf(step.type).length > 0 && <FoldButton id={id} name={step.custom_name || label} />}
    </div>
  )
})
