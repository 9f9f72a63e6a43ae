// Which field each column of a file goes to, with what its first rows hold and how many of them fit.

import { useId } from "react"
import { isImportable } from "../../../../../src/domain/imports/cellValues.ts"
import type { App } from "../../../api/types.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { DocsLink } from "../../../ui/DocsLink.tsx"
import { type Choices, type Preview, type PreviewColumn, type Target, targetOf, withTarget } from "./importChoices.ts"
import { LineProblems } from "./LineProblems.tsx"

/** Types of fields that a column can become, in words. */
const typeWords: Readonly<Record<string, string>> = {
  single_text: "text",
  multi_text: "formatted text",
  number: "number",
  single_date: "date",
  single_category: "choice",
  multi_email: "email",
  multi_phone: "phone",
  multi_link: "link"
}

const Fit = ({ column, target }: { readonly column: PreviewColumn; readonly target: Target }) => {
  if (target === null) return <span className="muted">Left out</span>
  if (target === "new") return <span className="muted">New field</span>
  const { empty, fits, misfits, problems } = column
  return (
    <>
      <span>
        {fits.toLocaleString()} fit{fits === 1 ? "s" : ""}
        {empty > 0 && `, ${empty.toLocaleString()} empty`}
      </span>
      {misfits > 0 && (
        <details>
          <summary>{misfits === 1 ? "1 does not fit" : `${misfits.toLocaleString()} do not fit`}</summary>
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
      <h2 id={`${id}-columns`}>Columns</h2>
      <ul className="plain import-columns">
        {preview.columns.map((column) => {
          const target = targetOf(column, choices)
          return (
            <li key={column.number}>
              <div>
                <strong>{column.column || `Column ${column.number}`}</strong>
                <div className="muted">{column.samples.join(", ").slice(0, 80)}</div>
              </div>
              <ChoiceOfMany<string>
                id={`column-${column.number}`}
                label={`${column.column} goes to`}
                value={target === undefined || target === null ? null : String(target)}
                none="Nowhere"
                choices={[
                  ...(app.permission_level >= 5
                    ? [["new", `New field (${typeWords[column.guessed_type]})`] as const]
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
        Several values stand with a semicolon between; one that has a semicolon itself stands in quotes. A related
        record is named by its title or its id. Files are not imported; they are added at the record.{" "}
        <DocsLink to="console#what-a-cell-of-a-csv-file-means">What a cell means</DocsLink>
      </p>
    </section>
  )
}
