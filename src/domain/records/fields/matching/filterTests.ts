// Record filters as tests (developer-api.md 4.4): texts, numbers, ids. Dates: dateTests.ts. Pure.
import { Result } from "effect"
import { spelled } from "../input/characters.ts"
import { numberOf } from "../input/numbers.ts"
import { isId, textProblem } from "../input/writeInput.ts"
import type { Problem } from "../model/Field.ts"
import type { RecordFilter, Test } from "./RecordFilter.ts"

export interface FilterContext {
  /** User that `include_active_user` means. */
  readonly userId: number
  /** When relative dates are judged, in epoch milliseconds. */
  readonly now: number
  /** IANA zone for relative dates, unless the filter names another. */
  readonly zone: string
  /** True if the filters were checked when they were stored: options and fields may have been deleted since. */
  readonly stored?: boolean
}
type TestResult = Result.Result<Test, Problem>

const MAX_TEXT = 5000
export const MAX_IDS = 500
const fail = (problem: Problem) => Result.fail(problem)

export const valuesOf = (filter: RecordFilter) => (filter.values ?? []).map(({ value }) => value)

/** @param cased whether cases count for `equal` */
export const textTest = (filter: RecordFilter, cased: boolean): TestResult => {
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
export const numberTest = (filter: RecordFilter): TestResult => {
  const values = valuesOf(filter)
  const value = numberOf(values[0])
  return values.length !== 1 || value === null
    ? fail("values: must hold one number")
    : Result.succeed({ is: "number", comparator: comparators[filter.match_type as keyof typeof comparators], value })
}

const anId = (value: unknown): Result.Result<number, Problem> =>
  isId(value) ? Result.succeed(value) : fail("must be an id")

/** @param idOf reads one value */
export const idsTest = (
  filter: RecordFilter,
  how: "any" | "all" | "exactly",
  single: boolean,
  { stored, userId }: FilterContext,
  idOf: (value: unknown) => Result.Result<number, Problem> = anId
): TestResult =>
  Result.gen(function* () {
    const named = new Set<number>()
    for (const [index, value] of valuesOf(filter).entries()) {
      named.add(yield* Result.mapError(idOf(value), (problem) => `values[${index}].value: ${problem}`))
    }
    const active = filter.include_active_user === true ? [userId] : []
    // A view is judged once and read by everybody: whether its reader is among those named makes no difference.
    const idCount = named.size + active.length
    if (idCount === 0) return yield* fail("values: must hold an id")
    if (named.size > MAX_IDS) return yield* fail(`values: at most ${MAX_IDS} ids`)
    if (single && idCount > 1 && stored !== true)
      return yield* fail(`values: ${filter.match_type} takes exactly one id`)
    return { is: "ids", how, ids: [...new Set([...named, ...active])] } as const
  })

/** Test of a field that holds at most one id. */
export const oneIdTest = (
  filter: RecordFilter,
  context: FilterContext,
  idOf?: (value: unknown) => Result.Result<number, Problem>
) => idsTest(filter, "any", /equal$/.test(filter.match_type), context, idOf)

const howMany: Readonly<Record<string, "exactly" | "all">> = { equal: "exactly", contains: "all" }
/** Test of a field that may hold several ids. */
export const manyIdsTest = (
  filter: RecordFilter,
  context: FilterContext,
  idOf?: (value: unknown) => Result.Result<number, Problem>
) => idsTest(filter, howMany[filter.match_type] ?? "any", false, context, idOf)

export const presenceTest = (filter: RecordFilter): TestResult =>
  valuesOf(filter).length > 0 ? fail(`values: ${filter.match_type} takes none`) : Result.succeed({ is: "empty" })
