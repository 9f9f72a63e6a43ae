// A part of the flow: a button that chooses it, with its name, its kind and how much is wrong with it.

import { useEditor, useLabels } from "./context.ts"
import type { FilterGroup } from "./model/definition.ts"
import { countOf } from "./model/filterTree.ts"
import { wordsOfChoice } from "./model/formWords.ts"
import type { Config, Step } from "./model/steps.ts"

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
        : `${stepProblems.length} ${stepProblems.length === 1 ? "warning" : "warnings"}`
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

/** Method and host, by which several requests are told apart. */
const requestWords = ({ http_call_type, http_call_url }: Config) => {
  const start = Array.isArray(http_call_url) ? http_call_url[0] : http_call_url
  const host = typeof start === "string" ? /^https?:\/\/(?:[^/?#@]*@)?([^/?#\s]+)/i.exec(start)?.[1] : undefined
  if (typeof http_call_type !== "string" || host === undefined) return undefined
  return `${wordsOfChoice("http_call_type", http_call_type)} ${host}`
}

export const StepCard = ({ number, step }: { readonly number: string; readonly step: Step }) => {
  const label = useLabels()
  const { config, custom_name, deactivate, id, type } = step
  const about =
    type === "conditional"
      ? conditions(config["condition"] as FilterGroup | null) || "Always"
      : custom_name === undefined
        ? requestWords(config)
        : label(type)
  return <Card id={id} sign={number} title={custom_name || label(type)} about={about} off={deactivate} />
}
