// Chooses the kind of a new step: by a click, or by typing a part of its name and Enter.
import { useState } from "react"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Search } from "../../../ui/Search.tsx"
import { useEditor } from "./context.ts"
import { StepIcon } from "./StepIcon.tsx"

const families: ReadonlyArray<readonly [name: string, types: RegExp]> = [
  ["Flow", /^(?:conditional|for_loop|delay|exit)$/],
  ["Mail and documents", /^(?:send_email|collected_records_send_email|create_pdf)$/],
  ["The record", /^(?:record_create|current_record_(?:update|delete|restore|get|comment))/],
  ["Collections", /^(?:collect|filter_record|sort_record|clear_record|referenced_records|rollup)/],
  ["Code and requests", /^(?:custom_|http_call|authenticated_http)/],
  ["Calls, links and pages", /./]
]

interface AddStepProps {
  readonly add: (type: string) => void
  readonly close: () => void
}
export const AddStep = ({ add, close }: AddStepProps) => {
  const { actions } = useEditor()
  const [wanted, setWanted] = useState("")
  const words = wanted.trim().toLowerCase()
  // Kinds whose name starts with the words come before those whose description mentions them.
  const matchingActions = actions
    .filter(({ description, label }) => `${label} ${description}`.toLowerCase().includes(words))
    .toSorted(
      (one, other) =>
        Number(other.label.toLowerCase().startsWith(words)) - Number(one.label.toLowerCase().startsWith(words))
    )
  const familyOf = (type: string) => families.find(([, types]) => types.test(type))![0]
  return (
    <Dialog title="Add a step" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const firstAction = matchingActions[0]
          if (firstAction !== undefined) add(firstAction.type)
        }}
      >
        <Search label="Find a step" value={wanted} onChange={setWanted} count={`${matchingActions.length} kinds`} />
      </form>
      <div className="menu-list">
        {families.map(([name]) => {
          const familyActions = matchingActions.filter(({ type }) => familyOf(type) === name)
          return familyActions.length === 0 ? null : (
            <section key={name} aria-label={name}>
              <h3>{name}</h3>
              <ul className="plain">
                {familyActions.map(({ description, label, type }) => (
                  <li key={type}>
                    <button type="button" className="quiet small" title={description} onClick={() => add(type)}>
                      <StepIcon type={type} size={16} />
                      {label}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
        {matchingActions.length === 0 && <p className="muted">No kind of step is called so.</p>}
      </div>
    </Dialog>
  )
}
