// Computes the changes that a definition write makes to an app's fields (developer-api.md 3.1, 3.2): all of them, or a problem with its
// place. Pure.
import { isDeepStrictEqual } from "node:util"
import { Result, Schema, type SchemaIssue } from "effect"
import { nearestHint } from "../../../platform/text/nearest.ts"
import { schemaProblemsOf } from "../../../platform/text/schemaProblems.ts"
import type { FieldType, SettingsChange, SettingsContext } from "../fields/contract/FieldType.ts"
import { storable } from "../fields/input/writeInput.ts"
import { NoSettings } from "../fields/kinds/noSettings.ts"
import type { Field, Problem } from "../fields/model/Field.ts"
import { fieldTypeTags, isFieldType, typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { FieldInput } from "./appSchemas.ts"
import { calculationsProblem, settingsKept, settingsSent } from "./calculationInputs.ts"
import { newFieldSlug } from "./fieldSlugs.ts"

const fieldsPerApp = 200

export type NewField = Omit<Field, "field_id" | "app_id">
export interface RemovedOptions {
  readonly field: Field
  readonly removed: ReadonlyArray<{ readonly id: number; readonly to: number | null }>
}
export interface FieldChanges {
  readonly created: ReadonlyArray<NewField>
  readonly updated: ReadonlyArray<Field>
  readonly deleted: ReadonlyArray<Field>
  readonly removedOptions: ReadonlyArray<RemovedOptions>
}

const problemOf = (issue: SchemaIssue.Issue): Problem => {
  const { path, message } = schemaProblemsOf(issue)[0]!
  const settingPath = path.map((segment) => `.${String(segment)}`).join("")
  return `config.settings${settingPath}: ${message}`
}

/** Keys left out of `settings` keep their value. */
export const changeSettings = (
  type: FieldType,
  previous: unknown,
  input: Readonly<Record<string, unknown>>,
  context: SettingsContext
): Result.Result<SettingsChange<unknown>, Problem> => {
  if (!storable(input)) return Result.fail("config.settings: contains characters that cannot be stored")
  if (type.changeSettings !== undefined) {
    return Result.mapError(type.changeSettings(previous, input, context), (problem) => `config.settings.${problem}`)
  }
  if (type.settings === NoSettings) {
    const [stray] = Object.keys(input)
    return stray === undefined
      ? Result.succeed({ settings: {} })
      : Result.fail(`config.settings.${stray}: a ${type.tag} field has no settings`)
  }
  const decoded = Schema.decodeUnknownResult(type.settings, { onExcessProperty: "error" })({
    ...(previous as object | null),
    ...input
  })
  return Result.isSuccess(decoded)
    ? Result.succeed({ settings: decoded.success })
    : Result.fail(problemOf(decoded.failure.issue))
}

/** Maximum number of options that the entries add: ids to reserve. */
export const optionsSent = (entries: ReadonlyArray<FieldInput>) =>
  entries.reduce((sum, { config }) => {
    const options = config.settings?.["options"]
    return sum + (Array.isArray(options) ? options.length : 0)
  }, 0)

/** Top-level config keys left out take their defaults; a status field is required unless it says otherwise. */
const fieldConfig = ({ config }: FieldInput, tag: string) => ({
  label: config.label,
  description: config.description ?? null,
  required: config.required ?? tag === "status",
  unique: config.unique ?? false,
  hidden_if_empty: config.hidden_if_empty ?? false,
  always_hidden: config.always_hidden ?? false
})

export const planFieldChanges = (
  before: AppDefinition | null,
  entries: ReadonlyArray<FieldInput>,
  deletions: ReadonlyArray<number>,
  context: SettingsContext
): Result.Result<FieldChanges, Problem> =>
  Result.gen(function* () {
    const formerFields = before?.byId ?? new Map<number, Field>()
    const foreign = deletions.find((id) => !formerFields.has(id))
    if (foreign !== undefined) return yield* Result.fail(`fields_to_delete: the app has no field ${foreign}`)
    const deletedIds = new Set(deletions)
    const kept = (before?.fields ?? []).filter((field) => !deletedIds.has(field.field_id))
    const slugs = new Set(kept.map((field) => field.slug))
    let position = Math.max(-1, ...(before?.fields ?? []).map((field) => field.position))
    const created: Array<NewField> = []
    const updated = new Map<number, Field>()
    const removedOptions: Array<RemovedOptions> = []
    const inputPaths = new Map<NewField, string>()
    for (const [index, entry] of entries.entries()) {
      const prefixProblem = (problem: Problem) => `fields[${index}].${problem}`
      const existing = entry.field_id === undefined ? undefined : formerFields.get(entry.field_id)
      if (entry.field_id !== undefined && (existing === undefined || deletedIds.has(entry.field_id))) {
        return yield* Result.fail(prefixProblem(`field_id: the app has no field ${entry.field_id}`))
      }
      if (existing !== undefined && updated.has(existing.field_id)) {
        return yield* Result.fail(prefixProblem("field_id: the field is named twice"))
      }
      const tag = entry.field_type ?? existing?.field_type
      if (!isFieldType(tag))
        return yield* Result.fail(
          prefixProblem(`field_type: ${JSON.stringify(tag)} is no field type${nearestHint(String(tag), fieldTypeTags)}`)
        )
      if (existing !== undefined && tag !== existing.field_type) {
        return yield* Result.fail(prefixProblem(`field_type: it is ${existing.field_type} and cannot be changed`))
      }
      const type = typeOf({ field_type: tag })
      const sentSettings = yield* Result.mapError(settingsSent(entry, { field_type: tag }), prefixProblem)
      const change = yield* Result.mapError(
        changeSettings(type, existing?.settings ?? null, sentSettings, context),
        prefixProblem
      )
      const settings = settingsKept(change.settings, { field_type: tag }, before)
      const config = { ...fieldConfig(entry, tag), settings }
      if (config.unique && type.mayBeUnique !== true)
        return yield* Result.fail(prefixProblem(`config.unique: a ${tag} field cannot be unique`))
      const problem = type.checkDefinition?.(config) ?? null
      if (problem !== null) return yield* Result.fail(prefixProblem(problem))
      if (existing === undefined) {
        const slug = newFieldSlug(entry.config.label, slugs)
        slugs.add(slug)
        const createdField = { ...config, slug, field_type: tag, position: ++position }
        created.push(createdField)
        inputPaths.set(createdField, `fields[${index}]`)
        continue
      }
      const updatedField = { ...existing, ...config }
      updated.set(existing.field_id, updatedField)
      inputPaths.set(updatedField, `fields[${index}]`)
      if (change.removed !== undefined && change.removed.length > 0) {
        removedOptions.push({ field: existing, removed: change.removed })
      }
    }
    if (kept.length + created.length > fieldsPerApp) {
      return yield* Result.fail(`fields: an app has at most ${fieldsPerApp} fields`)
    }
    const fieldsAfter = [...kept.map((field) => updated.get(field.field_id) ?? field), ...created]
    const calculationProblem = calculationsProblem(fieldsAfter, (field) => inputPaths.get(field))
    if (calculationProblem !== null) return yield* Result.fail(calculationProblem)
    const twice = repeated([...kept, ...created])
    if (twice !== undefined) return yield* Result.fail(`fields: an app has at most one ${twice} field`)
    return {
      created,
      updated: [...updated.values()],
      deleted: (before?.fields ?? []).filter((field) => deletedIds.has(field.field_id)),
      removedOptions
    }
  })

/** Places of an app's fields in what was sent, once they are stored: new ones are in the order of their entries. */
export const placesIn = (
  entries: ReadonlyArray<FieldInput>,
  before: AppDefinition | null,
  after: AppDefinition
): ReadonlyMap<number, string> => {
  const newIds = after.fields
    .flatMap(({ field_id }) => (before?.byId.has(field_id) === true ? [] : [field_id]))
    .sort((one, other) => one - other)
  let created = 0
  return new Map(entries.map(({ field_id }, index) => [field_id ?? newIds[created++]!, `fields[${index}]`] as const))
}

/** A type of which an app has one field at most, and this one more. */
export const repeated = (fields: ReadonlyArray<Pick<Field, "field_type">>): string | undefined => {
  const seenTypes = new Set<string>()
  for (const { field_type } of fields) {
    if (seenTypes.has(field_type) && typeOf({ field_type }).oncePerApp === true) return field_type
    seenTypes.add(field_type)
  }
  return undefined
}

/** True if titles read differently under the new definition. */
export const titlesDiffer = (before: AppDefinition, after: AppDefinition) =>
  before.titleField?.field_id !== after.titleField?.field_id ||
  !isDeepStrictEqual(before.titleField?.settings, after.titleField?.settings)
