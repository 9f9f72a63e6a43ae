// The flow of an automation in sentences: trigger, filter, steps; loops and branches hold theirs.
import type { ReactNode } from "react"
import { flow as texts } from "../../texts/automations/automations.ts"
import { Tag } from "../../ui/Tag.tsx"
import { conditionSentence, type Names } from "./editor/model/conditionSentence.ts"
import type { Definition } from "./editor/model/definition.ts"
import { stepSentence } from "./editor/model/stepSentence.ts"
import { branchesOf, type Step, type Steps, stepsIn } from "./editor/model/steps.ts"
import { triggerSentence } from "./editor/model/triggerSentence.ts"
import { StepIcon } from "./editor/StepIcon.tsx"

/** Words about a part in a comparison, by `trigger`, `filter` or the id of a step. */
type Marks = ReadonlyMap<string, string>

interface BlockProps {
  readonly type: string
  readonly title: string
  readonly about?: string | undefined
  readonly off?: boolean | undefined
  readonly mark?: string | undefined
  readonly children?: ReactNode
}
const Block = ({ about, children, mark, off = false, title, type }: BlockProps) => (
  <li className="step">
    <span className="mark">
      <StepIcon type={type} />
    </span>
    <div>
      <p>
        <strong>{title}</strong>
        {off && <small> {texts.switchedOff}</small>} {mark !== undefined && <Tag tone="warn">{mark}</Tag>}
      </p>
      {about !== undefined && <p className="muted">{about}</p>}
      {children}
    </div>
  </li>
)

interface StepsProps {
  readonly steps: Steps
  readonly names: Names
  readonly marks: Marks
}
const Rows = ({ marks, names, steps }: StepsProps) => (
  <ol className="steps">
    {steps.map((step) => (
      <Row key={step.id} step={step} names={names} marks={marks} />
    ))}
  </ol>
)

const Row = ({ marks, names, step }: Omit<StepsProps, "steps"> & { readonly step: Step }) => {
  const sentence = stepSentence(step, names)
  return (
    <Block
      type={step.type}
      title={step.custom_name || sentence}
      about={step.custom_name ? sentence : undefined}
      off={step.deactivate}
      mark={marks.get(step.id)}
    >
      {branchesOf(step.type).map((branch) => {
        const inner = stepsIn(step, branch) ?? []
        if (inner.length === 0) return null
        return (
          <div key={branch}>
            {branch === "else_action_rows" && <p className="muted">{texts.otherwise}</p>}
            <Rows steps={inner} names={names} marks={marks} />
          </div>
        )
      })}
    </Block>
  )
}

interface FlowProps {
  readonly definition: Pick<Definition, "trigger" | "filter" | "actions">
  readonly app_id: number
  readonly names: Names
  readonly marks?: Marks
}
const unmarked: Marks = new Map()
export const Flow = ({ app_id, definition: { actions, filter, trigger }, marks = unmarked, names }: FlowProps) => {
  const condition = conditionSentence(filter, names)
  return (
    <>
      <ol className="steps">
        <Block type={trigger?.type ?? ""} title={triggerSentence(trigger, app_id, names)} mark={marks.get("trigger")} />
        {condition !== "" && (
          <Block type="filter" title={texts.onlyIfCondition(condition)} mark={marks.get("filter")} />
        )}
      </ol>
      <Rows steps={actions} names={names} marks={marks} />
      {actions.length === 0 && <p className="muted">{texts.itHasNoStepsYet}</p>}
    </>
  )
}
