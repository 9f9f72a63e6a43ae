// What a field is typed or chosen with.
import { useQuery } from "@tanstack/react-query"
import type { Field } from "../../api/types.ts"
import type { Editing } from "./editing.ts"
import { users } from "./recordQueries.ts"

type Choice = readonly [id: string, text: string]

const useChoices = (field: Field, { control }: Editing): ReadonlyArray<Choice> => {
  const people = useQuery({ ...users, enabled: control === "user" || control === "users" })
  if (control === "user" || control === "users")
    return (people.data?.users ?? []).map(({ name, user_id }) => [String(user_id), name])
  if (!("options" in field.config.settings)) return []
  return (field.config.settings.options as Array<{ id: number; text: string }>).map(({ id, text }) => [
    String(id),
    text
  ])
}

interface ControlProps {
  readonly id: string
  readonly field: Field
  readonly editing: Editing
  readonly value: string
  readonly onChange: (value: string) => void
}
export const FieldControl = ({ id, field, editing, value, onChange }: ControlProps) => {
  const choices = useChoices(field, editing)
  const { required } = field.config
  const shared = {
    id,
    value,
    required,
    autoFocus: true,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value)
  }
  switch (editing.control) {
    case "area":
      return <textarea rows={5} {...shared} />
    case "option":
    case "user":
      return (
        <select {...shared}>
          {!required && <option value="">Nothing</option>}
          {choices.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )
    case "options":
    case "users": {
      const taken = new Set(value.split(",").filter((one) => one !== ""))
      const toggle = (key: string) => {
        if (!taken.delete(key)) taken.add(key)
        onChange([...taken].join(","))
      }
      return (
        <fieldset>
          <legend className="unseen">{field.label}</legend>
          {choices.map(([key, text]) => (
            <div className="pick" key={key}>
              <input id={`${id}-${key}`} type="checkbox" checked={taken.has(key)} onChange={() => toggle(key)} />
              <label htmlFor={`${id}-${key}`}>{text}</label>
            </div>
          ))}
        </fieldset>
      )
    }
    case "number":
      return <input inputMode="decimal" {...shared} />
    case "day":
      return <input type="date" {...shared} />
    case "moment":
      return <input type="datetime-local" {...shared} />
    case "line":
      return <input maxLength={500} {...shared} />
  }
}
