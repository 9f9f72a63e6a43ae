// Edits a condition on any earlier value: its operators follow the type of the value in the last test (model/valueConditions.ts).
import { useId } from "react"
import { valueCondition as texts } from "../../../../texts/automations/editorForm.ts"
import { ConditionFields } from "../../../../ui/ConditionFields.tsx"
import { useEditor } from "../context.ts"
import type { FilterRow, ScriptCondition } from "../model/definition.ts"
import { asked, typeOfSubject } from "../model/filterTree.ts"
import { keyOf, wordsOf } from "../model/references.ts"
import { codeOf, operatorsFor, type ValueCondition as Stated, valueOperators } from "../model/valueConditions.ts"
import { useValueTree, type ValueChoice } from "../sample/useValueTree.ts"
import { exampleText } from "../sample/valueExamples.ts"
import { ValueEditor } from "./ValueEditor.tsx"

/** A condition on another subject: of the service's own kind where it can be, else a script. */
export const rowAbout = (id: string | undefined, { example, reference }: ValueChoice): FilterRow => {
  const ownId = id === undefined ? {} : { id }
  if (typeOfSubject(reference) !== undefined)
    return asked({ ...ownId, subject: reference }, reference, "is_not_empty", false)
  const [operator = "is_not_empty"] = operatorsFor(example.kind)
  const value = valueOperators[operator].value === "code" ? ["0"] : ""
  return { ...ownId, code: codeOf({ subject: reference, operator, value }) }
}

/** All earlier values, as subjects of conditions. */
export const useSubjects = () =>
  useValueTree().flatMap(({ choices, group }) =>
    choices.map((choice) => {
      const text = exampleText(choice.example.value)
      const words = text === "" ? choice.label : `${choice.label} – ${text}`
      return { key: keyOf(choice.reference), words, group, choice }
    })
  )

interface ValueConditionProps {
  readonly row: ScriptCondition
  readonly condition: Stated
  readonly onChange: (row: FilterRow) => void
}
export const ValueCondition = ({ condition, onChange, row }: ValueConditionProps) => {
  const id = useId()
  const { apps } = useEditor()
  const subjects = useSubjects()
  const { operator, subject, value } = condition
  const key = keyOf(subject)
  const subjectChoice = subjects.find((one) => one.key === key)?.choice
  const operators = new Set([operator, ...operatorsFor(subjectChoice?.example.kind ?? "any")])
  const change = (more: Partial<Stated>) => onChange({ ...row, code: codeOf({ ...condition, ...more }) })
  const { value: arity } = valueOperators[operator]
  return (
    <ConditionFields
      subjects={subjectChoice === undefined ? [{ key, words: wordsOf(subject, apps) }, ...subjects] : subjects}
      subject={key}
      onSubject={(next) => {
        const choice = subjects.find((one) => one.key === next)?.choice
        if (choice !== undefined) onChange(rowAbout(row.id, choice))
      }}
      asks={[...operators].map((name) => ({ key: name, words: valueOperators[name].words }))}
      ask={operator}
      onAsk={(next) => {
        const name = next as Stated["operator"]
        const { value: nextArity } = valueOperators[name]
        change({ operator: name, value: nextArity === arity ? value : nextArity === "code" ? ["0"] : "" })
      }}
    >
      {arity === "code" && (
        <div className="field">
          <ValueEditor
            label={texts.value}
            language="javascript"
            line
            value={value}
            onChange={(code) => change({ value: code as never })}
          />
        </div>
      )}
      {arity === "text" && (
        <div className="field">
          <label htmlFor={id}>{texts.text}</label>
          <input
            id={id}
            autoComplete="off"
            value={typeof value === "string" ? value : ""}
            onChange={({ target }) => change({ value: target.value })}
          />
        </div>
      )}
    </ConditionFields>
  )
}
