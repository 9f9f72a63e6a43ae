// Labels of an app's fields by the paths under which the API refuses their values (`fields.amount: …`).
import type { Field } from "../../api/types.ts"
import type { Labels } from "../../ui/placeWords.ts"

export const fieldLabels = (fields: ReadonlyArray<Pick<Field, "external_id" | "label">>): Labels =>
  Object.fromEntries(fields.map(({ external_id, label }) => [`fields.${external_id}`, label]))
