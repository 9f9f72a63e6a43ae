// Settings of date fields: if dates have a time, and periods an end.
import { useId } from "react"
import { dateForm as texts } from "../../../texts/apps/settings.ts"
import type { SettingsFormProps } from "./settings.ts"

const times = texts.times
const endModes = texts.endModes

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

export const DateForm = (props: SettingsFormProps) => <Words {...props} name="time" label={texts.time} words={times} />

export const RangeForm = (props: SettingsFormProps) => (
  <>
    <DateForm {...props} />
    <Words {...props} name="end" label={texts.end} words={endModes} />
  </>
)
