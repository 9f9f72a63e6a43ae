// What a person has chosen for an import, and the request that it makes.
import type { AnswerOf, Schemas } from "@millrace/client"
import type { App } from "../../../api/types.ts"

export type Preview = AnswerOf<"imports.preview">
export type PreviewColumn = Preview["columns"][number]

/** The field of a column: one of the app, a new one of the guessed type, or none. */
export type Target = number | "new" | null

export interface Choices {
  readonly format: Schemas.ImportFormatInput
  /** Targets that were chosen, by the number of the column. */
  readonly targets: Readonly<Record<number, Target>>
  readonly updateBy: number | undefined
  readonly addOptions: boolean
  readonly onBadCell: "leave_empty" | "skip_row"
}

export const noChoices: Choices = {
  format: { language: navigator.language },
  targets: {},
  updateBy: undefined,
  addOptions: false,
  onBadCell: "leave_empty"
}

export const targetOf = ({ field_id, number }: PreviewColumn, { targets }: Choices): Target =>
  number in targets ? targets[number]! : field_id

/** Chosen targets; a field is filled by one column. */
export const withTarget = (choices: Choices, preview: Preview, column: number, target: Target): Choices => {
  const rivalColumns = preview.columns.filter((one) => typeof target === "number" && targetOf(one, choices) === target)
  const freed = Object.fromEntries(rivalColumns.map(({ number }) => [number, null]))
  return { ...choices, targets: { ...choices.targets, ...freed, [column]: target } }
}

/** @param newFields ids of the fields that were made of columns, by the number of the column */
export const importBody = (
  file_id: string,
  { addOptions, format, onBadCell, targets, updateBy }: Choices,
  newFields: ReadonlyMap<number, number> = new Map()
): Schemas.ImportInput => ({
  file_id,
  format,
  columns: Object.entries(targets).map(([column, target]) => ({
    column: Number(column),
    field_id: target === "new" ? (newFields.get(Number(column)) ?? null) : target
  })),
  on_bad_cell: onBadCell,
  create_missing_options: addOptions,
  ...(updateBy === undefined ? {} : { update_by: [updateBy] })
})

export const columnsWithoutField = (preview: Preview, choices: Choices) =>
  preview.columns.filter((column) => targetOf(column, choices) === "new")

/** Fields that one may update by: unique ones to which a column goes. */
export const keyFields = (app: App, preview: Preview, choices: Choices) =>
  app.fields.filter(
    ({ config, field_id }) => config.unique && preview.columns.some((column) => targetOf(column, choices) === field_id)
  )
