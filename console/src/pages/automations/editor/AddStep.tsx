// Chooses the kind of a new step: by a click, or by typing a part of its name and Enter.
import { useState } from "react"
import { addStep as texts } from "../../../texts/automations/editorSteps.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Search } from "../../../ui/Search.tsx"
import { useEditor } from "./context.ts"
import { StepIcon } from "./StepIcon.tsx"

const families: ReadonlyArray<readonly [name: string, types: RegExp]> = [
  [texts.flow, /^(?:conditional|for_loop|delay|exit)$/],
  [texts.mailAndDocuments, /^(?:send_email|collected_records_send_email|create_pdf)$/],
  [texts.theRecord, /^(?:record_create|current_record_(?:update|delete|restore|get|comment))/],
  [texts.collections, /^(?:collect|filter_record|sort_record|clear_record|referenced_records|rollup)/],
  [texts.codeAndRequests, /^(?:custom_|http_call|authenticated_http)/],
  [texts.callsLinksAndPages, /./]
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
    <Dialog title={texts.addAStep} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const firstAction = matchingActions[0]
          if (firstAction !== undefined) add(firstAction.type)
        }}
      >
        <Search
          label={texts.findAStep}
          value={wanted}
          onChange={setWanted}
          count={texts.countKinds(matchingActions.length)}
        />
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
        {matchingActions.length === 0 && <p className="muted">{texts.noKindOfStep}</p>}
      </div>
    </Dialog>
  )
}
