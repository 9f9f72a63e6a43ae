// Judges record filters by the app's definition (developer-api.md 4.4) and makes conditions of them. Pure.
import { Result } from "effect"
import type { Filterable } from "../fields/contract/FieldFilter.ts"
import { instantTest } from "../fields/matching/dateTests.ts"
import { type FilterContext, numberTest, presenceTest } from "../fields/matching/filterTests.ts"
import { matchTypes, presence } from "../fields/matching/matchTypes.ts"
import {
  type EntryProperty,
  entryProperties,
  type Fieldless,
  fieldless,
  type RecordCondition,
  type RecordFilter,
  type RecordFilters
} from "../fields/matching/RecordFilter.ts"
import type { Field, Problem } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

export interface Resolved {
  readonly conditions: ReadonlyArray<RecordCondition>
  /** Filters as they are read back: option texts have become ids. */
  readonly filters: RecordFilters
}

const negative = /^not_|^none$/
const fail = (problem: Problem) => Result.fail(problem)

/** Members that belong to other sorts of fields. */
const strayMember = (filter: RecordFilter, field: Field | undefined): Problem | null => {
  const typeFilter = field === undefined ? undefined : typeOf(field).filter
  if (filter.entry_property !== undefined && typeFilter?.entries === undefined)
    return "entry_property: is for checklists only"
  if (filter.include_active_user === true && typeFilter?.ofUsers !== true)
    return "include_active_user: is for users only"
  const dated = typeFilter === undefined || typeFilter.ofDates === true
  const date = ["relative_date_type", "relative_date_range_type", "end_date", "timezone"] as const
  const stray = dated ? undefined : date.find((key) => filter[key] !== undefined)
  return stray === undefined ? null : `${stray}: is for dates only`
}

/** Subject of the filter: the field, or a property of its entries. */
const askedOf = (filter: RecordFilter, field: Field): Result.Result<Filterable, Problem> => {
  const fieldFilter = typeOf(field).filter
  const property = filter.entry_property
  if (fieldFilter.entries === undefined || (property === undefined && presence.includes(filter.match_type))) {
    return Result.succeed(fieldFilter)
  }
  return (entryProperties as ReadonlyArray<string>).includes(property ?? "")
    ? Result.succeed(fieldFilter.entries[property as EntryProperty])
    : fail(`entry_property: must be one of ${entryProperties.join(", ")}`)
}

const checked = (known: ReadonlyArray<string>, { match_type, type }: RecordFilter): Problem | null =>
  known.includes(match_type) || presence.includes(match_type)
    ? null
    : `match_type: ${JSON.stringify(match_type)} is none of those of ${type}: ${[...known, ...presence].join(", ")}`

const negated = ({ match_type }: RecordFilter) => negative.test(match_type)

/** Accepted values of `type`: the field's own type, its older name (3.2), and for computed fields the plain type. */
const typesOf = (field: Field): ReadonlyArray<string> => {
  const { filter, olderName, type } = typeOf(field)
  return [type, ...(olderName === undefined ? [] : [olderName]), ...(filter.otherTypes ?? [])]
}

const ofField = (filter: RecordFilter, field: Field, context: FilterContext): Result.Result<RecordCondition, Problem> =>
  Result.gen(function* () {
    const types = typesOf(field)
    if (!types.includes(filter.type)) return yield* fail(`type: must be ${types.join(" or ")} for this field`)
    if (filter.field_type !== undefined && filter.field_type !== field.field_type) {
      return yield* fail(`field_type: the field is a ${field.field_type}`)
    }
    const filterable = yield* askedOf(filter, field)
    const problem = checked(filterable.matchTypes, filter) ?? strayMember(filter, field)
    if (problem !== null) return yield* fail(problem)
    const test = yield* presence.includes(filter.match_type)
      ? presenceTest(filter)
      : filterable.test(filter, field, context)
    const property = filter.entry_property as EntryProperty | undefined
    const subject = { fieldId: field.field_id }
    return { subject, test, negate: negated(filter), ...(property === undefined ? {} : { property }) }
  })

const withoutField = (filter: RecordFilter): Result.Result<RecordCondition, Problem> =>
  Result.gen(function* () {
    if (!(fieldless as ReadonlyArray<string>).includes(filter.type)) {
      return yield* fail(`field_id: is required unless type is one of ${fieldless.join(", ")}`)
    }
    const meta = filter.type as Fieldless
    const allowedTypes = meta === "app_record_id" ? matchTypes.number : matchTypes.absolute
    const problem = checked(allowedTypes, filter) ?? strayMember(filter, undefined)
    if (problem !== null) return yield* fail(problem)
    const test = yield* presence.includes(filter.match_type)
      ? presenceTest(filter)
      : meta === "app_record_id"
        ? numberTest(filter)
        : instantTest(filter)
    return { subject: { meta }, test, negate: negated(filter) }
  })

/** Texts that name ids as these. */
const readBack = (filter: RecordFilter, field: Field | undefined, { test }: RecordCondition): RecordFilter =>
  field !== undefined && typeOf(field).filter.named === true && test.is === "ids" && filter.values !== undefined
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
    const conditions: Array<RecordCondition> = []
    const keptFilters: Array<RecordFilter> = []
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
      keptFilters.push(readBack(filter, field, condition))
    }
    return { conditions, filters: keptFilters }
  })
