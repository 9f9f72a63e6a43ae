// Settings of number fields: decimals and unit; digits and prefix of a record's number.
import { useId } from "react"
import { numberForm as texts } from "../../../texts/apps/settings.ts"
import type { SettingsFormProps } from "./settings.ts"

const orNull = (text: string) => (text.trim() === "" ? null : text)

interface NumberFormatProps extends SettingsFormProps {
  /** Decimals may be left open: as many as the number has. */
  readonly anyDecimals?: boolean
}

export const NumberForm = (props: SettingsFormProps) => <NumberFormat {...props} />

export const NumberFormat = ({ anyDecimals = false, settings, onChange }: NumberFormatProps) => {
  const id = useId()
  return (
    <div className="inline">
      <div className="field">
        <label htmlFor={`${id}-decimals`}>{texts.decimals}</label>
        <input
          id={`${id}-decimals`}
          type="number"
          min={0}
          max={8}
          required={!anyDecimals}
          placeholder={anyDecimals ? texts.any : undefined}
          value={settings["decimals"] ?? ""}
          onChange={({ target }) =>
            onChange({ ...settings, decimals: anyDecimals && target.value === "" ? null : Number(target.value) })
          }
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-unit`}>{texts.unit}</label>
        <input
          id={`${id}-unit`}
          maxLength={50}
          placeholder={texts.kg}
          value={settings["unit"] ?? ""}
          onChange={({ target }) => onChange({ ...settings, unit: orNull(target.value) })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-where`}>{texts.itStands}</label>
        <select
          id={`${id}-where`}
          value={settings["unit_location"]}
          onChange={({ target }) => onChange({ ...settings, unit_location: target.value })}
        >
          <option value="suffix">{texts.behindTheNumber}</option>
          <option value="prefix">{texts.beforeTheNumber}</option>
        </select>
      </div>
    </div>
  )
}

export const UniqueIdForm = ({ settings, onChange }: SettingsFormProps) => {
  const id = useId()
  return (
    <div className="inline">
      <div className="field">
        <label htmlFor={`${id}-prefix`}>{texts.itBeginsWith}</label>
        <input
          id={`${id}-prefix`}
          maxLength={50}
          placeholder={texts.inv}
          value={settings["prefix"] ?? ""}
          onChange={({ target }) => onChange({ ...settings, prefix: orNull(target.value) })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-digits`}>{texts.digitsAtLeast}</label>
        <input
          id={`${id}-digits`}
          type="number"
          min={1}
          max={12}
          required
          value={settings["min_digits"]}
          onChange={({ target }) => onChange({ ...settings, min_digits: Number(target.value) })}
        />
      </div>
    </div>
  )
}
