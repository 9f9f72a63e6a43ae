// Request parameters as OAuth reads them: an empty value counts as not sent, none but `resource` may repeat (decisions O6).
import { Effect, Result } from "effect"
import { limits } from "../connections/oauthLimits.ts"
import { type OAuthRefused, refuse } from "./reasons.ts"

export interface Params {
  readonly get: (name: string) => string | undefined
  readonly getAll: (name: string) => ReadonlyArray<string>
  /** Names sent more than once, `resource` aside. */
  readonly repeated: ReadonlyArray<string>
  /** Names whose value contains a NUL, which Postgres text cannot store; `state` if it is too long to be sent back. */
  readonly malformed: ReadonlyArray<string>
}

const mayRepeat = new Set(["resource"])

export const parseParams = (encoded: string): Params => {
  const values = new Map<string, Array<string>>()
  const malformed: Array<string> = []
  for (const [name, value] of new URLSearchParams(encoded)) {
    if (value.includes("\0") || (name === "state" && value.length > limits.stateLength)) malformed.push(name)
    const nameValues = values.get(name)
    if (nameValues === undefined) values.set(name, [value])
    else nameValues.push(value)
  }
  const getAll = (name: string) => (values.get(name) ?? []).filter((value) => value !== "")
  return {
    get: (name) => getAll(name)[0],
    getAll,
    repeated: [...values]
      .filter(([name, all]) => all.filter((value) => value !== "").length > 1 && !mayRepeat.has(name))
      .map(([name]) => name),
    malformed
  }
}

/** A name as it may be shown in an error: short and printable. */
const printableName = (name: string) => name.replace(/[^\w.-]/g, "?").slice(0, 40)

/** Refuses repeated and malformed parameters, naming the first. */
export const checkParams = (params: Params): Result.Result<void, OAuthRefused> => {
  const [repeated] = params.repeated
  if (repeated !== undefined) {
    return Result.fail(refuse("REQUEST_INVALID", { detail: `The parameter ${printableName(repeated)} is repeated` }))
  }
  const [malformed] = params.malformed
  if (malformed !== undefined) {
    return Result.fail(refuse("REQUEST_INVALID", { detail: `The parameter ${printableName(malformed)} is malformed` }))
  }
  return Result.void
}

/** A parameter that the endpoint cannot do without. */
export const required = (name: string, value: string | undefined): Effect.Effect<string, OAuthRefused> =>
  value === undefined
    ? Effect.fail(refuse("REQUEST_INVALID", { detail: `The parameter ${name} is missing` }))
    : Effect.succeed(value)
