// Settings of calculations (developer-api.md 11.3): the expression with the fields that it may read, and the type of its result.
import { useId } from "react"
import { calculationForm as texts } from "../../../texts/apps/settings.ts"
import { NumberFormat } from "./NumberForm.tsx"
import type { SettingsFormProps } from "./settings.ts"

const results = texts.results

const isName = (name: string) => /^[a-z][a-z0-9_]*$/.test(name)
/** `price`, or `field("2nd_price")` where the name is none of the language. */
const nameOf = (name: string) => (isName(name) ? name : `field("${name}")`)
const argumentOf = (name: string) => (isName(name) ? name : `"${name}"`)

export const CalculationForm = ({ fields = [], isNew = true, onChange, problem, settings }: SettingsFormProps) => {
  const id = useId()
  const decimals = settings["decimals"] ?? null
  const names = fields.map(({ external_id, field_type }) =>
    field_type.endsWith("_relation") ? `related(${argumentOf(external_id)})` : nameOf(external_id)
  )
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-expression`}>{texts.expression}</label>
        <textarea
          id={`${id}-expression`}
          required
          rows={3}
          maxLength={4000}
          spellCheck={false}
          placeholder={texts.priceQuantity}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-names${problem === undefined ? "" : ` ${id}-problem`}`}
          value={settings["expression"] ?? ""}
          onChange={({ target }) => onChange({ ...settings, expression: target.value })}
        />
        {problem !== undefined && (
          <p className="note bad" id={`${id}-problem`} role="alert">
            {problem}
          </p>
        )}
        <small id={`${id}-names`}>{texts.fieldsNames(names.length === 0 ? texts.noneYet : names.join(", "))}</small>
      </div>
      <div className="field">
        <label htmlFor={`${id}-result`}>{texts.result}</label>
        <select
          id={`${id}-result`}
          value={settings["result"]}
          disabled={!isNew}
          onChange={({ target }) => onChange({ ...settings, result: target.value })}
        >
          {Object.entries(results).map(([result, name]) => (
            <option key={result} value={result}>
              {name}
            </option>
          ))}
        </select>
        {!isNew && <small>{texts.typeOfTheResultCannot}</small>}
      </div>
      {settings["result"] === "number" && (
        <NumberFormat settings={{ ...settings, decimals }} onChange={onChange} anyDecimals />
      )}
    </>
  )
}
