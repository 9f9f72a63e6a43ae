// Options and people: one from a list, or several with a tick.
import { useQuery } from "@tanstack/react-query"
import { palette } from "../../../../../src/domain/records/fields/input/optionColors.ts"
import { queryClient } from "../../../api/client.ts"
import { users } from "../../../api/queries.ts"
import type { Field } from "../../../api/types.ts"
import { choiceEditors as texts } from "../../../texts/records/editors.ts"
import { type Choice, ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { type ControlProps, type Editor, orNull } from "./editor.ts"

interface ChoiceOption {
  readonly id: number
  readonly text: string
  readonly color: keyof typeof palette
  readonly means_completed?: boolean
}

const optionsOf = ({ config: { settings } }: Field): ReadonlyArray<ChoiceOption> =>
  "options" in settings ? (settings.options as ReadonlyArray<ChoiceOption>) : []
const useOptions = (field: Field): ReadonlyArray<Choice> => optionsOf(field).map(({ id, text }) => [id, text])
const usePeople = (): ReadonlyArray<Choice> =>
  (useQuery(users).data?.users ?? [])
    .filter(({ status }) => status === "active")
    .map(({ name, user_id }) => [user_id, name])

const oneOf =
  (useChoices: (field: Field) => ReadonlyArray<Choice>): Editor<number | null>["Control"] =>
  ({ id, field, draft, onChange }) => {
    const choices = useChoices(field)
    return (
      <ChoiceOfMany
        id={id}
        required={field.config.required}
        value={draft}
        none={!field.config.required || draft === null ? texts.nothing : undefined}
        choices={choices}
        onChange={(one) => onChange(one ?? null)}
      />
    )
  }

const someOf =
  (useChoices: (field: Field) => ReadonlyArray<Choice>) =>
  ({ id, field, draft, onChange }: ControlProps<ReadonlyArray<number>>) => {
    const choices = useChoices(field)
    const toggle = (key: number) => onChange(draft.includes(key) ? draft.filter((one) => one !== key) : [...draft, key])
    return (
      <div className="some-of">
        {choices.map(([key, text]) => (
          <div className="pick" key={key}>
            <input id={`${id}-${key}`} type="checkbox" checked={draft.includes(key)} onChange={() => toggle(key)} />
            <label htmlFor={`${id}-${key}`}>{text}</label>
          </div>
        ))}
        {choices.length === 0 && <small>{texts.thereIsNothingToChoose}</small>}
      </div>
    )
  }

const optionId = ({ value }: any): number => value.id
const userId = ({ value }: any): number => value.user_id
/** The option as values hold it. */
const optionEntries = (id: number, field: Field) =>
  optionsOf(field)
    .filter((option) => option.id === id)
    .map((option) => ({ ...option, color: palette[option.color] }))
const personEntries = (id: number) =>
  (queryClient.getQueryData(users.queryKey)?.users ?? []).filter(({ user_id }) => user_id === id)
const makeSingleEditor = (
  Control: Editor<number | null>["Control"],
  id: (entry: any) => number,
  entries: (id: number, field: Field) => ReadonlyArray<unknown>
): Editor<number | null> => ({
  Control,
  draft: ([entry]) => (entry === undefined ? null : id(entry)),
  input: (draft) => draft,
  shown: (draft, field) => (draft === null ? [] : entries(draft, field).map((value) => ({ value })))
})
const some = (
  Control: Editor<ReadonlyArray<number>>["Control"],
  id: (entry: any) => number
): Editor<ReadonlyArray<number>> => ({ Control, draft: (values) => values.map(id), input: orNull, group: true })

export const category = makeSingleEditor(oneOf(useOptions), optionId, optionEntries)
/** A new record begins with the first state that does not mean done. */
export const status: Editor<number | null> = {
  ...category,
  draft: ([entry], field) => {
    const options = optionsOf(field)
    return entry === undefined
      ? ((options.find(({ means_completed }) => means_completed !== true) ?? options[0])?.id ?? null)
      : optionId(entry)
  }
}
export const categories = some(someOf(useOptions), optionId)
export const person = makeSingleEditor(oneOf(usePeople), userId, personEntries)
export const people = some(someOf(usePeople), userId)
