// Settings of date fields: if dates have a time, and periods an end.
import { useId } from "react"
import type { SettingsFormProps } from "./settings.ts"

const times = { disabled: "Days alone", enabled: "A time, if wanted", required: "Always with a time" }
const endModes = { enabled: "An end, if wanted", required: "Always with an end" }

interface WordsProps extends SettingsFormProps {
  readonly name: "time" | "end"
  readonly label: string
  readonly words: Readonly<Record<string, string>>
}
const Words = ({ name, label, words, settings, onChange }: WordsProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={settings[name]} onChange={({ target }) => onChange({ ...settings, [name]: target.value })}>
        {Object.entries(words).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

export const DateForm = (props: SettingsFormProps) => <Words {...props} name="time" label="Time" words={times} />

export const RangeForm = (props: SettingsFormProps) => (
  <>
    <DateForm {...props} />
    <Words {...props} name="end" label="End" words={endModes} />
  </>
)
