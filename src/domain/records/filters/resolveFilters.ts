// Judges record filters by the app's definition (developer-api.md 4.4) and makes conditions of them. Pure.
import { Result } from "effect"
import { spelled } from "../fields/input/characters.ts"
import { isId, textProblem } from "../fields/input/writeInput.ts"
import { type OptionSettings, optionId } from "../fields/kinds/options.ts"
import { dateTest, instantTest } from "../fields/matching/dateTests.ts"
import {
  type Condition,
  type EntryProperty,
  entryProperties,
  type Fieldless,
  fieldless,
  type RecordFilter,
  type RecordFilters,
  type Test
} from "../fields/matching/RecordFilter.ts"
import type { Field, Problem } from "../fields/model/FieldType.ts"
import { typeOf } from "../fields/registry.ts"
import { numberOf } from "../fields/types/number.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { absolute, checklistProperties, holdsUsers, kindOf, kinds, presence, typesOf } from "./vocabulary.ts"

export interface FilterContext {
  /** Whom `include_active_user` means. */
  readonly userId: number
  /** `YYYY-MM-DD` that relative dates count from. */
  readonly today: string
  /** The filters were judged before: options and fields may have gone since. */
  readonly stored?: boolean
}

export interface Resolved {
  readonly conditions: ReadonlyArray<Condition>
  /** As read back: option texts have become ids. */
  readonly filters: RecordFilters
}

const MAX_TEXT = 5000
const MAX_IDS = 500
const negative = /^not_|^none$/
const fail = (problem: Problem) => Result.fail(problem)

const valuesOf = (filter: RecordFilter) => (filter.values ?? []).map(({ value }) => value)

const textTest = (filter: RecordFilter, cased: boolean): Result.Result<Test, Problem> => {
  const values = valuesOf(filter)
  const [value] = values
  if (values.length !== 1 || typeof value !== "string") return fail("values: must hold one text")
  const problem = textProblem(value, MAX_TEXT)
  if (problem !== null) return fail(`values[0].value: ${problem}`)
  const text = spelled(value).replaceAll(/\s+/g, " ").trim()
  if (text === "") return fail("values[0].value: must not be empty")
  const how = filter.match_type.replace(/^not_/, "").replace("fully_includes", "equal")
  return Result.succeed({ is: "text", how: how as "equal", text, cased: cased && how === "equal" })
}

const comparators = {
  equal: "=",
  not_equal: "=",
  smaller: "<",
  smaller_or_equal: "<=",
  larger: ">",
  larger_or_equal: ">="
} as const
const numberTest = (filter: RecordFilter): Result.Result<Test, Problem> => {
  const values = valuesOf(filter)
  const value = numberOf(values[0])
  return values.length !== 1 || value === null
    ? fail("values: must hold one number")
    : Result.succeed({ is: "number", comparator: comparators[filter.match_type as keyof typeof comparators], value })
}

const isOptions = (field: Field) => ["category", "status"].includes(typeOf(field).type)

const idsOf = (filter: RecordFilter, field: Field, context: FilterContext): Result.Result<Array<number>, Problem> =>
  Result.gen(function* () {
    const ids: Array<number> = []
    for (const [index, value] of valuesOf(filter).entries()) {
      const id =
        isOptions(field) && !(context.stored && isId(value))
          ? optionId(value, field as Field<OptionSettings>)
          : isId(value)
            ? Result.succeed(value)
            : fail("must be an id")
      ids.push(yield* Result.mapError(id, (problem) => `values[${index}].value: ${problem}`))
    }
    return ids
  })

const idsTest = (
  filter: RecordFilter,
  field: Field,
  how: "any" | "all" | "exactly",
  single: boolean,
  context: FilterContext
): Result.Result<Test, Problem> =>
  Result.gen(function* () {
    const named = yield* idsOf(filter, field, context)
    const ids = [...new Set(filter.include_active_user === true ? [...named, context.userId] : named)]
    if (ids.length === 0) return yield* fail("values: must hold an id")
    if (ids.length > MAX_IDS) return yield* fail(`values: at most ${MAX_IDS} ids`)
    if (single && ids.length > 1) return yield* fail(`values: ${filter.match_type} takes exactly one id`)
    return { is: "ids", how, ids } as const
  })

const completed = (field: Field<OptionSettings>, wanted: boolean): Test => ({
  is: "ids",
  how: "any",
  ids: field.settings.options.filter((option) => option.means_completed === wanted).map((option) => option.id)
})

const fieldTest = (filter: RecordFilter, field: Field, context: FilterContext): Result.Result<Test, Problem> => {
  const kind = kindOf(field)
  const { match_type } = filter
  switch (kind) {
    case "text":
      return textTest(filter, true)
    case "files":
    case "contact":
    case "link":
    case "location":
      return textTest(filter, false)
    case "number":
      return numberTest(filter)
    case "date":
      return dateTest(filter, context.today)
    case "many": {
      const how = match_type === "equal" ? "exactly" : match_type === "contains" ? "all" : "any"
      return idsTest(filter, field, how, false, context)
    }
    case "status":
      if (match_type === "completed" || match_type === "incomplete") {
        return Result.map(presenceTest(filter), () => completed(field, match_type === "completed"))
      }
      return idsTest(filter, field, "any", /equal$/.test(match_type), context)
    case "one":
      return idsTest(filter, field, "any", /equal$/.test(match_type), context)
    case "checklist":
      return propertyTest(filter, field, context)
  }
}

const propertyTest = (filter: RecordFilter, field: Field, context: FilterContext): Result.Result<Test, Problem> => {
  switch (filter.entry_property as EntryProperty) {
    case "title":
      return textTest(filter, false)
    case "assignee":
      return idsTest(filter, field, "any", true, context)
    case "due_date":
      return dateTest(filter, context.today)
    case "status": {
      const [value] = valuesOf(filter)
      return typeof value === "boolean" && filter.values?.length === 1
        ? Result.succeed({ is: "done", done: value })
        : fail("values: must hold one boolean")
    }
  }
}

/** Members that belong to other kinds of fields. */
const strayMember = (filter: RecordFilter, field: Field | undefined): Problem | null => {
  if (filter.entry_property !== undefined && (field === undefined || kindOf(field) !== "checklist")) {
    return "entry_property: is for checklists only"
  }
  if (filter.include_active_user === true && (field === undefined || !holdsUsers(field))) {
    return "include_active_user: is for users only"
  }
  const dated = field === undefined || ["date", "checklist"].includes(kindOf(field))
  const date = ["relative_date_type", "relative_date_range_type", "end_date"] as const
  const stray = dated ? undefined : date.find((key) => filter[key] !== undefined)
  return stray === undefined ? null : `${stray}: is for dates only`
}

const matchTypesOf = (filter: RecordFilter, field: Field): Result.Result<ReadonlyArray<string>, Problem> => {
  if (kindOf(field) !== "checklist") return Result.succeed(kinds[kindOf(field)])
  const property = filter.entry_property
  if (property === undefined && presence.includes(filter.match_type)) return Result.succeed([])
  return (entryProperties as ReadonlyArray<string>).includes(property ?? "")
    ? Result.succeed(checklistProperties[property as EntryProperty])
    : fail(`entry_property: must be one of ${entryProperties.join(", ")}`)
}

const checked = (known: ReadonlyArray<string>, { match_type, type }: RecordFilter): Problem | null =>
  known.includes(match_type) || presence.includes(match_type)
    ? null
    : `match_type: ${JSON.stringify(match_type)} is none of those of ${type}: ${[...known, ...presence].join(", ")}`

const presenceTest = (filter: RecordFilter): Result.Result<Test, Problem> =>
  valuesOf(filter).length > 0 ? fail(`values: ${filter.match_type} takes none`) : Result.succeed({ is: "empty" })

const negated = ({ match_type }: RecordFilter) => negative.test(match_type)

const ofField = (filter: RecordFilter, field: Field, context: FilterContext): Result.Result<Condition, Problem> =>
  Result.gen(function* () {
    const types = typesOf(field)
    if (!types.includes(filter.type)) return yield* fail(`type: must be ${types.join(" or ")} for this field`)
    if (filter.field_type !== undefined && filter.field_type !== field.field_type) {
      return yield* fail(`field_type: the field is a ${field.field_type}`)
    }
    const known = yield* matchTypesOf(filter, field)
    const problem = checked(known, filter) ?? strayMember(filter, field)
    if (problem !== null) return yield* fail(problem)
    const test = yield* presence.includes(filter.match_type) ? presenceTest(filter) : fieldTest(filter, field, context)
    const property = filter.entry_property as EntryProperty | undefined
    const subject = { fieldId: field.field_id }
    return { subject, test, negate: negated(filter), ...(property === undefined ? {} : { property }) }
  })

const withoutField = (filter: RecordFilter): Result.Result<Condition, Problem> =>
  Result.gen(function* () {
    if (!(fieldless as ReadonlyArray<string>).includes(filter.type)) {
      return yield* fail(`field_id: is required unless type is one of ${fieldless.join(", ")}`)
    }
    const meta = filter.type as Fieldless
    const known = meta === "app_record_id" ? kinds.number : absolute
    const problem = checked(known, filter) ?? strayMember(filter, undefined)
    if (problem !== null) return yield* fail(problem)
    const test = yield* presence.includes(filter.match_type)
      ? presenceTest(filter)
      : meta === "app_record_id"
        ? numberTest(filter)
        : instantTest(filter)
    return { subject: { meta }, test, negate: negated(filter) }
  })

/** Option texts as ids. */
const readBack = (filter: RecordFilter, field: Field | undefined, { test }: Condition): RecordFilter =>
  field !== undefined && isOptions(field) && test.is === "ids" && filter.values !== undefined
    ? { ...filter, values: filter.values.length === 0 ? [] : test.ids.map((value) => ({ value })) }
    : filter

/**
 * A problem begins with the filter's place: `filters[2].match_type: …`.
 * @param place leads to the list: `filters`
 */
export const resolveFilters = (
  definition: AppDefinition,
  filters: RecordFilters,
  context: FilterContext,
  place = "filters"
): Result.Result<Resolved, Problem> =>
  Result.gen(function* () {
    const conditions: Array<Condition> = []
    const back: Array<RecordFilter> = []
    for (const [index, filter] of filters.entries()) {
      const field = filter.field_id === undefined ? undefined : definition.byId.get(filter.field_id)
      if (filter.field_id !== undefined && field === undefined) {
        if (context.stored) continue
        return yield* fail(`${place}[${index}].field_id: the app has no field ${filter.field_id}`)
      }
      const condition = yield* Result.mapError(
        field === undefined ? withoutField(filter) : ofField(filter, field, context),
        (problem) => `${place}[${index}].${problem}`
      )
      conditions.push(condition)
      back.push(readBack(filter, field, condition))
    }
    return { conditions, filters: back }
  })
