// Parts of reading short forms: the refusal of an unknown name with the nearest one, and members that all references have. Pure.
import { nearestHint } from "../../../platform/text/nearest.ts"
import { properties } from "../schema/referenceTypes.ts"
import type { TemplatePath } from "./placeholders.ts"

export type ValueObject = Readonly<Record<string, unknown>>

export class UnknownName extends Error {}

export const refuse = (message: string): never => {
  throw new UnknownName(message)
}

/** Longest name that is repeated in a refusal. */
const MAX_LENGTH = 80

export const quote = (name: string | number | undefined): string =>
  JSON.stringify(String(name ?? "").slice(0, MAX_LENGTH))

export const hint = (name: string | number | undefined, names: ReadonlyArray<string>): string =>
  nearestHint(String(name ?? ""), names)

export const variable = (members: object): ValueObject => ({ kind: "variable", ...members })

/** Adds the property that the end of a path names. */
export const withProperty = (value: ValueObject, propertyPath: TemplatePath): ValueObject => {
  const [property, next] = propertyPath
  if (property === undefined) return value
  if (next !== undefined) return refuse(`nothing stands behind a property; unexpected ${quote(next)}`)
  if ((properties as ReadonlyArray<unknown>).includes(property)) return { ...value, property }
  return refuse(`there is no property ${quote(property)}${hint(property, properties)}`)
}
