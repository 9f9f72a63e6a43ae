// Options of a choice or a status: text, colour, and of a status whether it means that the record is done.
import { useId } from "react"
import { type Color, palette } from "../../../../../src/domain/records/fields/input/optionColors.ts"
import { optionsForm as texts } from "../../../texts/apps/settings.ts"
import { colors, newOption, type OptionDraft } from "./options.ts"
import type { SettingsFormProps } from "./settings.ts"

interface OptionRowProps {
  readonly option: OptionDraft
  readonly number: number
  readonly status: boolean
  /** True if the field would have no option without this one. */
  readonly isNeeded: boolean
  readonly change: (option: OptionDraft) => void
  /** Absent for the last one. */
  readonly remove: (() => void) | undefined
}
const OptionRow = ({ option, number, status, isNeeded, change, remove }: OptionRowProps) => {
  const id = useId()
  return (
    <li className="option-row">
      <input
        aria-label={texts.optionNumber(number)}
        required={isNeeded}
        maxLength={500}
        value={option.text}
        onChange={({ target }) => change({ ...option, text: target.value })}
      />
      <span className="option-color">
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <circle cx="5" cy="5" r="5" fill={`#${palette[option.color as Color]}`} />
        </svg>
        <select
          aria-label={texts.colorOfOptionNumber(number)}
          value={option.color}
          onChange={({ target }) => change({ ...option, color: target.value })}
        >
          {colors.map((color) => (
            <option key={color} value={color}>
              {texts.colorNames[color]}
            </option>
          ))}
        </select>
      </span>
      {status && (
        <span className="pick">
          <input
            id={id}
            type="checkbox"
            checked={option.means_completed === true}
            onChange={({ target }) => change({ ...option, means_completed: target.checked })}
          />
          <label htmlFor={id}>{texts.done(<span className="unseen"> {texts.withOptionNumber(number)}</span>)}</label>
        </span>
      )}
      {remove !== undefined && (
        <button type="button" className="quiet small" aria-label={texts.removeOptionNumber(number)} onClick={remove}>
          ×
        </button>
      )}
    </li>
  )
}

const OptionsForm = ({ settings, onChange, status }: SettingsFormProps & { readonly status: boolean }) => {
  const options = (settings["options"] ?? []) as ReadonlyArray<OptionDraft>
  const deletedOptions = (settings["options_to_delete"] ?? []) as ReadonlyArray<{ id: number }>
  const set = (next: ReadonlyArray<OptionDraft>) => onChange({ ...settings, options: next })
  const remove = ({ id, key }: OptionDraft) =>
    onChange({
      ...settings,
      options: options.filter((one) => one.key !== key),
      ...(id === undefined ? {} : { options_to_delete: [...deletedOptions, { id }] })
    })
  return (
    <fieldset>
      <legend>{texts.options}</legend>
      <ol className="plain">
        {options.map((option, at) => (
          <OptionRow
            key={option.key}
            option={option}
            number={at + 1}
            status={status}
            isNeeded={at === 0 && options.every(({ text }) => text.trim() === "")}
            change={(next) => set(options.map((one) => (one.key === option.key ? next : one)))}
            remove={options.length === 1 ? undefined : () => remove(option)}
          />
        ))}
      </ol>
      <button
        type="button"
        className="quiet small"
        onClick={() =>
          set([...options, { ...newOption(options.length), ...(status ? { means_completed: false } : {}) }])
        }
      >
        {texts.addAnOption}
      </button>
      {deletedOptions.length > 0 && (
        <p className="note warn" role="status">
          {status ? texts.recordsInAState : texts.recordsLoseTheOptions}
        </p>
      )}
      {status && <small>{texts.itNeedsOneOption}</small>}
    </fieldset>
  )
}

export const CategoryForm = (props: SettingsFormProps) => <OptionsForm {...props} status={false} />
export const StatusForm = (props: SettingsFormProps) => <OptionsForm {...props} status={true} />
