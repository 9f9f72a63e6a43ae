// Replaces ids of a definition by names, and back (our extension, developer-api.md 7.13 "from test to production"): `field_id: 4403`
// becomes `field_id: { $field: deliveries.weight }`, so that a file means the same in another organization. Pure.
import type { FieldTypeTag } from "../../records/fields/registry.ts"
import { namesInScript } from "../../secrets/secretNames.ts"
import { fieldKinds, fieldTypeAliases, typeNamed } from "../schema/operators.ts"
import { type Path, pathText } from "../schema/path.ts"
import { secretsOfTrigger } from "../schema/SenderProof.ts"
import { isPlainObject } from "../schema/walk.ts"

export const namedKinds = [
  ...(["app", "field", "option", "user", "record", "view", "automation"] as const),
  ...(["smtp_account", "provider"] as const)
] as const
export type NamedKind = (typeof namedKinds)[number]

/** Id in a definition. Ids of options include their field: `<field id>/<option id>`. */
export interface IdPlace {
  readonly kind: NamedKind
  readonly id: string
  readonly path: Path
}

const byKey: Readonly<Record<string, NamedKind>> = {
  field_id: "field",
  date_field_id: "field",
  match_field_ids: "field",
  via_field_ids: "field",
  trigger_on_changes_field_ids: "field",
  app_id: "app",
  triggering_app_ids: "app",
  automation_id: "automation",
  on_failure_automation_id: "automation",
  user_id: "user",
  author_id: "user",
  assignee: "user",
  record_id: "record",
  app_view_id: "view",
  smtp_account_id: "smtp_account",
  authentication_provider_id: "provider",
  option_id: "option"
}

/** Meaning of numbers whose key does not tell it: ids in a condition's value or in an assigned value. */
interface Literals {
  readonly kind: NamedKind
  readonly fieldId?: unknown
}
const kindOfField: Readonly<Record<string, NamedKind>> = { options: "option", records: "record", users: "user" }

const literalsOf = (fieldType: unknown, fieldId: unknown): Literals | undefined => {
  const isFieldType = typeof fieldType === "string" && (fieldType in fieldKinds || fieldType in fieldTypeAliases)
  const kind = isFieldType ? kindOfField[typeNamed(fieldType as FieldTypeTag).kind] : undefined
  return kind === undefined ? undefined : { kind, fieldId }
}
const ofCondition = (subject: unknown): Literals | undefined =>
  isPlainObject(subject) && subject["source"] === "field"
    ? literalsOf(subject["field_type"], subject["field_id"])
    : { kind: "user" }

type Replace = (place: IdPlace) => unknown

/** Returns the value with every id replaced. */
export const replaceIds = (value: unknown, replace: Replace, path: Path = []): unknown =>
  visit(value, path, undefined, replace)

const visit = (value: unknown, path: Path, literals: Literals | undefined, replace: Replace): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index], literals, replace))
  if (typeof value === "number" && literals !== undefined) {
    const id = literals.kind === "option" ? `${literals.fieldId}/${value}` : String(value)
    return replace({ kind: literals.kind, id, path })
  }
  if (!isPlainObject(value)) return value
  // A short template in place of the field leaves the assignment's own type.
  const { field_type: assignedType, variable_def: target } = value
  const assigned = isPlainObject(target)
    ? literalsOf(assignedType, target["field_id"])
    : typeof target === "string"
      ? literalsOf(assignedType, undefined)
      : undefined
  const entries = Object.entries(value).map(([key, item]) => {
    const kind = byKey[key]
    const inside: Literals | undefined =
      kind !== undefined
        ? { kind, ...(kind === "option" ? { fieldId: value["field_id"] } : {}) }
        : key === "field_value"
          ? assigned
          : key === "ids"
            ? literals
            : key === "value" && "subject" in value
              ? ofCondition(value["subject"])
              : undefined
    return [key, visit(item, [...path, key], inside, replace)] as const
  })
  return Object.fromEntries(entries)
}

/** Name in place of an id. */
export const nameOf = (kind: NamedKind, name: string) => ({ [`$${kind}`]: name })

interface NamePlace {
  readonly kind: NamedKind
  readonly name: string
  readonly path: Path
}
/** Returns the value with every name replaced. */
export const replaceNames = (value: unknown, replace: (place: NamePlace) => unknown, path: Path = []): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => replaceNames(item, replace, [...path, index]))
  if (!isPlainObject(value)) return value
  const [only, ...more] = Object.entries(value)
  const kind = more.length === 0 ? namedKinds.find((one) => only?.[0] === `$${one}`) : undefined
  if (kind !== undefined && typeof only?.[1] === "string") return replace({ kind, name: only[1], path })
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceNames(item, replace, [...path, key])])
  )
}

/** Yields the names of secrets in the value: secrets are always referenced by name, and must exist. */
export function* secretsIn(value: unknown): Iterable<string> {
  if (typeof value === "string") yield* namesInScript(value)
  else if (Array.isArray(value)) for (const item of value) yield* secretsIn(item)
  else if (isPlainObject(value)) {
    if (value["source"] === "secret" && typeof value["name"] === "string") yield value["name"]
    yield* secretsOfTrigger(value)
    for (const item of Object.values(value)) yield* secretsIn(item)
  }
}

export const placeText = (path: Path): string => pathText(path) || "file"
