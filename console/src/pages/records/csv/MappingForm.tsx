// Which field each column of a file goes to, with what its first rows hold and how many of them fit.

import { useId } from "react"
import { isImportable } from "../../../../../src/domain/imports/cellValues.ts"
import type { App } from "../../../api/types.ts"
import { mappingForm as texts } from "../../../texts/records/csv.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { DocsLink } from "../../../ui/DocsLink.tsx"
import { type Choices, type Preview, type PreviewColumn, type Target, targetOf, withTarget } from "./importChoices.ts"
import { LineProblems } from "./LineProblems.tsx"

/** Types of fields that a column can become, in words. */
const typeWords: Readonly<Record<string, string>> = texts.typeWords

const Fit = ({ column, target }: { readonly column: PreviewColumn; readonly target: Target }) => {
  if (target === null) return <span className="muted">{texts.leftOut}</span>
  if (target === "new") return <span className="muted">{texts.newField}</span>
  const { empty, fits, misfits, problems } = column
  return (
    <>
      <span>{texts.fitsFit(fits.toLocaleString(), fits, empty > 0 && texts.empty(empty.toLocaleString()))}</span>
      {misfits > 0 && (
        <details>
          <summary>{texts.doNotFit(misfits, misfits.toLocaleString())}</summary>
          <LineProblems problems={problems} />
        </details>
      )}
    </>
  )
}

interface MappingFormProps {
  readonly app: App
  readonly preview: Preview
  readonly choices: Choices
  readonly change: (choices: Choices) => void
}
export const MappingForm = ({ app, change, choices, preview }: MappingFormProps) => {
  const id = useId()
  const fields = app.fields.filter(isImportable)
  const setTarget = (column: PreviewColumn, value: string) =>
    change(withTarget(choices, preview, column.number, value === "" ? null : value === "new" ? "new" : Number(value)))
  return (
    <section className="card" aria-labelledby={`${id}-columns`}>
      <h2 id={`${id}-columns`}>{texts.columns}</h2>
      <ul className="plain import-columns">
        {preview.columns.map((column) => {
          const target = targetOf(column, choices)
          return (
            <li key={column.number}>
              <div>
                <strong>{column.column || texts.columnNumber(column.number)}</strong>
                <div className="muted">{column.samples.join(", ").slice(0, 80)}</div>
              </div>
              <ChoiceOfMany<string>
                id={`column-${column.number}`}
                label={texts.columnGoesTo(column.column)}
                value={target === undefined || target === null ? null : String(target)}
                none={texts.nowhere}
                choices={[
                  ...(app.permission_level >= 5
                    ? [["new", texts.newFieldTypeWord(typeWords[column.guessed_type])] as const]
                    : []),
                  ...fields.map(({ field_id, label }) => [String(field_id), label] as const)
                ]}
                onChange={(key) => setTarget(column, key ?? "")}
              />
              <div>
                <Fit column={column} target={target} />
              </div>
            </li>
          )
        })}
      </ul>
      <p className="muted">
        {texts.severalValuesStand(
          <DocsLink to="console#what-a-cell-of-a-csv-file-means">{texts.whatACellMeans}</DocsLink>
        )}
      </p>
    </section>
  )
}
