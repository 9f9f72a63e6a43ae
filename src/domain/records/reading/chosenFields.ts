// `fields` of a request that reads records: shows only these fields of them (docs/decisions.md, "Smaller answers").
import { Result } from "effect"
import { type AppDefinition, fieldByKey } from "../model/AppDefinition.ts"

/**
 * Returns the definition with the named fields alone, in field order, for showing records; what else a record has, its title among it, stays.
 *
 * @param names `external_id`s or ids, separated by commas; undefined: all fields
 * @returns what is wrong with `names`, where a name is no field of the app
 */
export const withFields = (
  definition: AppDefinition,
  names: string | undefined
): Result.Result<AppDefinition, string> => {
  if (names === undefined) return Result.succeed(definition)
  const chosenIds = new Set<number>()
  for (const name of names.split(",").map((part) => part.trim())) {
    if (name === "") continue
    const field = fieldByKey(definition, name)
    if (field === undefined) return Result.fail(`fields: the app has no field ${JSON.stringify(name)}.`)
    chosenIds.add(field.field_id)
  }
  return Result.succeed({ ...definition, fields: definition.fields.filter(({ field_id }) => chosenIds.has(field_id)) })
}
