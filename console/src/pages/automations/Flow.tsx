// The flow of an automation in words: trigger, filter, steps; loops and branches hold theirs.

import type { AnswerOf } from "@millrace/client"
import type { ReactNode } from "react"
import { useLabels } from "./useLabels.ts"

type Automation = AnswerOf<"automations.get">["automation"]
type Action = Automation["actions"][number]

interface BlockProps {
  readonly sign: string
  readonly title: string
  readonly off?: boolean | undefined
  readonly children?: ReactNode
}
const Block = ({ sign, title, off = false, children }: BlockProps) => (
  <li className="step">
    <span className="mark" aria-hidden="true">
      {sign}
    </span>
    <div>
      <p>
        <strong>{title}</strong>
        {off && <small> · switched off</small>}
      </p>
      {children}
    </div>
  </li>
)

interface StepsProps {
  readonly actions: ReadonlyArray<Action>
  readonly label: (type: string) => string
}
const Steps = ({ actions, label }: StepsProps) =>
  actions.map((action, at) => {
    const inner = "action_rows" in action.config ? action.config.action_rows : undefined
    const other = "else_action_rows" in action.config ? action.config.else_action_rows : undefined
    return (
      <Block
        key={action.id ?? at}
        sign={String(at + 1)}
        title={action.custom_name ?? label(action.type)}
        off={action.deactivate}
      >
        {action.custom_name !== undefined && <p className="muted">{label(action.type)}</p>}
        {inner !== undefined && inner.length > 0 && (
          <ol className="steps">
            <Steps actions={inner} label={label} />
          </ol>
        )}
        {other !== undefined && other.length > 0 && (
          <>
            <p className="muted">Otherwise</p>
            <ol className="steps">
              <Steps actions={other} label={label} />
            </ol>
          </>
        )}
      </Block>
    )
  })

export const Flow = ({ automation }: { readonly automation: Automation }) => {
  const label = useLabels()
  const { actions, filter, trigger } = automation
  return (
    <section className="card" aria-labelledby="flow">
      <h2 id="flow">What it does</h2>
      <ol className="steps">
        <Block sign="▸" title={trigger === null ? "No trigger yet" : label(trigger.type)} />
        {filter !== null && filter.rows.length > 0 && (
          <Block
            sign="?"
            title={`Only if ${filter.operator === "and" ? "all" : "one"} of ${filter.rows.length} conditions hold`}
          />
        )}
        <Steps actions={actions} label={label} />
      </ol>
      {actions.length === 0 && <p className="muted">It has no steps yet.</p>}
    </section>
  )
}
