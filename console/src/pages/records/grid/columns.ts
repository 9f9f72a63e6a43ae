// The columns of an app's grid: the records' title, then the other fields that are shown.
import type { App, Field } from "../../../api/types.ts"

/** The field that the title column shows and edits, where it shows a text alone. */
export const titleFieldOf = ({ fields }: App): Field | undefined =>
  fields[0]?.field_type === "single_text" ? fields[0] : undefined

export const columnsOf = (app: App): ReadonlyArray<Field> =>
  app.fields.filter(
    (field) => !field.config.always_hidden && field.field_type !== "unique_id" && field !== titleFieldOf(app)
  )
