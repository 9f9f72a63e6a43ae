// The catalogue of field types (developer-api.md 3.2, 3.3) as people choose from it, with the form of each one's settings. A type that is
// missing here does not compile.
import type { ReactNode } from "react"
import type { Field } from "../../api/types.ts"
import { CalculationForm } from "./settings/CalculationForm.tsx"
import { DateForm, RangeForm } from "./settings/DateForm.tsx"
import { NumberForm, UniqueIdForm } from "./settings/NumberForm.tsx"
import { CategoryForm, StatusForm } from "./settings/OptionsForm.tsx"
import { newOption } from "./settings/options.ts"
import { RelationForm } from "./settings/RelationForm.tsx"
import type { Settings, SettingsFormProps } from "./settings/settings.ts"

type FieldType = Field["field_type"]

export interface FieldKind {
  readonly name: string
  readonly about: string
  readonly Form?: (props: SettingsFormProps) => ReactNode
  /** Initial settings of a new field. */
  readonly first?: () => Settings
  /** Set if the maker may not choose: a status always has a value, a computed field is never asked for one. */
  readonly required?: "always" | "never"
  readonly once?: true
  /** True if the maker may require unique values (developer-api.md 11.2). */
  readonly unique?: true
}

const kind = (name: string, about: string, more: Omit<FieldKind, "name" | "about"> = {}): FieldKind => ({
  name,
  about,
  ...more
})
const mayBeUnique = { unique: true } as const
const computed = { required: "never" } as const
const options = { Form: CategoryForm, first: () => ({ options: [newOption(0), newOption(1)] }) }
const relation = { Form: RelationForm, first: () => ({ referenced_apps: [] }) }

export const fieldKinds: Readonly<Record<FieldType, FieldKind>> = {
  single_text: kind("Text", "One line, such as a name.", mayBeUnique),
  multi_text: kind("Long text", "Paragraphs, such as notes."),
  number: kind("Number", "With decimals and a unit, if wanted.", {
    ...mayBeUnique,
    Form: NumberForm,
    first: () => ({ decimals: 0, unit: null, unit_location: "suffix" })
  }),
  single_category: kind("Choice", "One of several options.", options),
  multi_category: kind("Several choices", "Any number of several options.", options),
  status: kind("Status", "How far a record is; an app has one at most.", {
    Form: StatusForm,
    required: "always",
    once: true,
    first: () => ({
      options: [
        { ...newOption(0), text: "Open", means_completed: false },
        { ...newOption(4), text: "Done", means_completed: true }
      ]
    })
  }),
  single_date: kind("Date", "A day, or a day and a time.", { Form: DateForm, first: () => ({ time: "disabled" }) }),
  range_date: kind("Period", "From a day to another.", {
    Form: RangeForm,
    first: () => ({ time: "disabled", end: "enabled" })
  }),
  single_user: kind("Person", "Somebody of the organization."),
  multi_user: kind("People", "Several of the organization."),
  single_relation: kind("Related record", "A record of another app, or of this one.", relation),
  multi_relation: kind("Related records", "Several records of other apps.", relation),
  checklist: kind("Checklist", "Things to do, each with its tick."),
  multi_email: kind("Mail addresses", "One or several.", mayBeUnique),
  multi_phone: kind("Phone numbers", "One or several.", mayBeUnique),
  multi_link: kind("Links", "Addresses of pages.", mayBeUnique),
  single_location: kind("Place", "An address."),
  single_attachment: kind("File", "One file."),
  multi_attachment: kind("Files", "Any number of files."),
  multi_image: kind("Images", "Any number of pictures."),
  unique_id: kind("Number of the record", "Counted by itself: 1, 2, 3.", {
    ...computed,
    Form: UniqueIdForm,
    first: () => ({ prefix: null, min_digits: 1 })
  }),
  calculation: kind("Calculation", "Computed from other fields by an expression.", {
    ...computed,
    Form: CalculationForm,
    first: () => ({ expression: "", result: "number", decimals: null, unit: null, unit_location: "suffix" })
  }),
  created_at: kind("Created at", "When the record was made.", computed),
  created_by: kind("Created by", "Who made the record.", computed),
  last_modified_at: kind("Changed at", "When the record was last changed.", computed),
  last_modified_by: kind("Changed by", "Who last changed the record.", computed)
}

export const kindOf = (fieldType: FieldType): FieldKind => fieldKinds[fieldType]
