// The catalogue of field types (developer-api.md 3.2, 3.3) as people choose from it, with the form of each one's settings. A type that is
// missing here does not compile.
import type { ReactNode } from "react"
import type { Field } from "../../api/types.ts"
import { fieldKinds as texts } from "../../texts/apps/fields.ts"
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
  single_text: kind(texts.text, texts.oneLineSuch, mayBeUnique),
  multi_text: kind(texts.longText, texts.paragraphsSuchAsNotes),
  number: kind(texts.number, texts.withDecimalsAndAUnit, {
    ...mayBeUnique,
    Form: NumberForm,
    first: () => ({ decimals: 0, unit: null, unit_location: "suffix" })
  }),
  single_category: kind(texts.choice, texts.oneOfSeveralOptions, options),
  multi_category: kind(texts.severalChoices, texts.anyNumberOfSeveralOptions, options),
  status: kind(texts.status, texts.howFarARecord, {
    Form: StatusForm,
    required: "always",
    once: true,
    first: () => ({
      options: [
        { ...newOption(0), text: texts.open, means_completed: false },
        { ...newOption(4), text: texts.done, means_completed: true }
      ]
    })
  }),
  single_date: kind(texts.date, texts.dayOrADay, { Form: DateForm, first: () => ({ time: "disabled" }) }),
  range_date: kind(texts.period, texts.fromADayToAnother, {
    Form: RangeForm,
    first: () => ({ time: "disabled", end: "enabled" })
  }),
  single_user: kind(texts.person, texts.somebodyOfTheOrganization),
  multi_user: kind(texts.people, texts.severalOfTheOrganization),
  single_relation: kind(texts.relatedRecord, texts.recordOfAnotherApp, relation),
  multi_relation: kind(texts.relatedRecords, texts.severalRecordsOfOtherApps, relation),
  checklist: kind(texts.checklist, texts.thingsToDoEach),
  multi_email: kind(texts.mailAddresses, texts.oneOrSeveral, mayBeUnique),
  multi_phone: kind(texts.phoneNumbers, texts.oneOrSeveral, mayBeUnique),
  multi_link: kind(texts.links, texts.addressesOfPages, mayBeUnique),
  single_location: kind(texts.place, texts.anAddress),
  single_attachment: kind(texts.file, texts.oneFile),
  multi_attachment: kind(texts.files, texts.anyNumberOfFiles),
  multi_image: kind(texts.images, texts.anyNumberOfPictures),
  unique_id: kind(texts.numberOfTheRecord, texts.countedByItself, {
    ...computed,
    Form: UniqueIdForm,
    first: () => ({ prefix: null, min_digits: 1 })
  }),
  calculation: kind(texts.calculation, texts.computedFromOtherFields, {
    ...computed,
    Form: CalculationForm,
    first: () => ({ expression: "", result: "number", decimals: null, unit: null, unit_location: "suffix" })
  }),
  created_at: kind(texts.createdAt, texts.whenTheRecordWasMade, computed),
  created_by: kind(texts.createdBy, texts.whoMadeTheRecord, computed),
  last_modified_at: kind(texts.changedAt, texts.whenTheRecordWasLast, computed),
  last_modified_by: kind(texts.changedBy, texts.whoLastChangedTheRecord, computed)
}

export const kindOf = (fieldType: FieldType): FieldKind => fieldKinds[fieldType]
