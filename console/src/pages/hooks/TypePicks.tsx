// Which events a webhook sends: one at least.
import type { HookType } from "../../api/hooks.ts"
import { typePicks as texts } from "../../texts/hooks/hooks.ts"
import { hookTypes, typeWords } from "./hookWords.ts"

interface TypePicksProps {
  readonly chosen: ReadonlyArray<HookType>
  readonly onChange: (types: ReadonlyArray<HookType>) => void
  /** Type that cannot be deselected. */
  readonly fixed?: HookType
}
export const TypePicks = ({ chosen, onChange, fixed }: TypePicksProps) => (
  <fieldset>
    <legend>{texts.events}</legend>
    <div className="picks">
      {hookTypes.map((type) => (
        <div key={type} className="pick">
          <input
            type="checkbox"
            id={`type-${type}`}
            checked={chosen.includes(type)}
            disabled={type === fixed}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))
            }
          />
          <label htmlFor={`type-${type}`}>{typeWords[type]}</label>
        </div>
      ))}
    </div>
  </fieldset>
)
