// A time zone, chosen by its name; none is the automation's.

import { zoneSelect as texts } from "../../../../texts/automations/editorForm.ts"
import { Combobox } from "../../../../ui/Combobox.tsx"
import type { Described } from "./described.ts"

interface ZoneSelectProps extends Described {
  readonly value: unknown
  readonly onChange: (value: string | undefined) => void
}

export const ZoneSelect = ({ onChange, value, ...described }: ZoneSelectProps) => {
  const chosenZone = typeof value === "string" ? value : ""
  const zones = new Set([...(chosenZone === "" ? [] : [chosenZone]), "UTC", ...Intl.supportedValuesOf("timeZone")])
  return (
    <Combobox
      {...described}
      value={chosenZone}
      none={texts.theAutomations}
      choices={[...zones].map((zone) => ({ key: zone, text: zone }))}
      onChange={onChange}
    />
  )
}
