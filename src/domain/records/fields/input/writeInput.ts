// Shared checks of write input: texts that Postgres can hold, ids, closed objects, lists (developer-api.md 1.1, 3.2).
import { Result } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import { nearestHint } from "../../../../platform/text/nearest.ts"
import type { Parsed, Problem } from "../model/Field.ts"
import { isLonger, spelled } from "./characters.ts"

export type CheckedInput<A> = Result.Result<A, Problem>

/** Reason that a text is rejected: too long, or with a NUL or half of a surrogate pair, which jsonb and text cannot store. */
export const textProblem = (text: string, max: number): Problem | null =>
  isLonger(text, max)
    ? `must have at most ${max} characters`
    : text.includes("\u0000") || !text.isWellFormed()
      ? "contains characters that cannot be stored"
      : null

/** jsonb holds no lone surrogate; JSON text escapes those, and only those, as `\\ud…`. */
export const storable = (value: unknown) => !/(?<!\\)(\\\\)*\\ud[89a-f]/i.test(JSON.stringify(value))

export const textOf = (input: unknown, max: number, what = "a string"): CheckedInput<string> => {
  if (typeof input !== "string") return Result.fail(`must be ${what}`)
  const problem = textProblem(input, max)
  return problem === null ? Result.succeed(spelled(input)) : Result.fail(problem)
}

export const isId = (input: unknown): input is number =>
  typeof input === "number" && Number.isSafeInteger(input) && input > 0

export const idOf = (input: unknown, what: string): CheckedInput<number> =>
  isId(input) ? Result.succeed(input) : Result.fail(`must be ${what}`)

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)

/** An object with none but the given keys. */
export const closed = (
  input: unknown,
  keys: ReadonlyArray<string>,
  what: string
): CheckedInput<Readonly<Record<string, unknown>>> => {
  if (!isObject(input)) return Result.fail(`must be ${what}`)
  const stray = Object.keys(input).find((key) => !keys.includes(key))
  return stray === undefined
    ? Result.succeed(input)
    : Result.fail(`has an unknown key \`${stray}\`${nearestHint(stray, keys)}`)
}

/** Every item of a list, the problem of a bad one led by its index. */
export const each = <A>(
  items: ReadonlyArray<unknown>,
  f: (item: unknown) => CheckedInput<A>
): CheckedInput<ReadonlyArray<A>> => {
  const out: Array<A> = []
  for (const [index, item] of items.entries()) {
    const result = f(item)
    if (Result.isFailure(result)) return Result.fail(`[${index}] ${result.failure}`)
    out.push(result.success)
  }
  return Result.succeed(out)
}

export const MAX_ENTRIES = 1000

/** A list field's input: an array, each item once. */
export const listOf = (input: unknown, what: string, f: (item: unknown) => CheckedInput<Entry>): Parsed => {
  if (!Array.isArray(input)) return Result.fail(`must be an array of ${what}`)
  if (input.length > MAX_ENTRIES) return Result.fail(`must have at most ${MAX_ENTRIES} entries`)
  return Result.map(each(input, f), (cell) => [...new Set(cell)])
}

export const oneEntry = <A extends Entry>(result: CheckedInput<A>): Parsed =>
  Result.map(result, (entry): Cell => [entry])

export const refuseWrite = (): Parsed => Result.fail("is a computed field and cannot be written")
