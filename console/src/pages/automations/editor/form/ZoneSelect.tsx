// A time zone, chosen by its name; none is the automation's.
import type { Described } from "./described.ts"

interface ZoneSelectProps extends Described {
  readonly value: unknown
  readonly onChange: (value: string | undefined) => void
}

export const ZoneSelect = ({ onChange, value, ...described }: ZoneSelectProps) => {
  const chosenZone = typeof value === "string" ? value : ""
  const zones = new Set([...(chosenZone === "" ? [] : [chosenZone]), "UTC", ...Intl.supportedValuesOf("timeZone")])
  return (
    <select {...described} value={chosenZone} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">The automation's</option>
      {[...zones].map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </select>
  )
}
