// Plans a write of fields (developer-api.md 3.1): accepts or rejects it as a whole before anything is changed.
import { Effect, Result, Schema } from "effect"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { Access } from "../../accounts/Access.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { REFERENCED_AT_MOST, type RelationSettings } from "../fields/kinds/relationFields.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { viewExistsFor } from "../model/privateViews.ts"
import type { FieldInput } from "./appSchemas.ts"
import { type FieldChanges, optionsSent, planFieldChanges } from "./fieldChanges.ts"

const OptionId = Schema.Struct({ id: Schema.Int })

type Reference = RelationSettings["referenced_apps"][number]
const referencesOf = (field: { readonly settings: unknown } | undefined) =>
  (field?.settings as Partial<RelationSettings> | undefined)?.referenced_apps ?? []
const keyOf = ({ app_id, view_id }: Reference) => `${app_id} ${view_id ?? ""}`

export const makePlanning = Effect.gen(function* () {
  const sql = yield* Sql
  const access = yield* Access
  const invalid = (message: string) => new ValidationError({ message })

  const optionIds = Effect.fnUntraced(function* (entries: ReadonlyArray<FieldInput>) {
    const count = optionsSent(entries)
    const rows =
      count === 0
        ? []
        : yield* rowsOf(OptionId)(sql`SELECT nextval('option_ids') AS id FROM generate_series(1, ${count}::int)`)
    let next = 0
    return { optionId: () => rows[next++]!.id }
  })

  /** Apps that relations newly refer to are not deleted before this change is made. */
  const hold = (orgId: number, ids: ReadonlyArray<number>) =>
    ids.length === 0
      ? Effect.void
      : sql`
          SELECT 1 FROM apps WHERE app_id = ANY(${ids.map(String)}::text[]::bigint[]) AND org_id = ${orgId}
          ORDER BY app_id FOR KEY SHARE`

  /** Apps that a relation newly refers to must be visible to the caller, a view must be theirs. */
  const checkReferences = Effect.fnUntraced(function* (
    caller: CallerShape,
    before: AppDefinition | null,
    { created, updated }: Pick<FieldChanges, "created" | "updated">
  ) {
    const relations = [...created, ...updated].flatMap((field) => {
      if (typeOf(field).refersTo !== "records") return []
      const old = "field_id" in field ? before?.byId.get(field.field_id as number) : undefined
      const formerKeys = new Set(referencesOf(old).map(keyOf))
      const newReferences = referencesOf(field).filter((reference) => !formerKeys.has(keyOf(reference)))
      return newReferences.length === 0 ? [] : [{ field, fresh: newReferences, known: formerKeys }]
    })
    yield* hold(
      caller.orgId,
      relations.flatMap(({ fresh }) => fresh.map(({ app_id }) => app_id))
    )
    for (const { field, known } of relations) {
      const references = referencesOf(field)
      if (references.length > REFERENCED_AT_MOST)
        return yield* invalid(`referenced_apps of ${field.slug}: at most ${REFERENCED_AT_MOST}`)
      const named = new Set<number>()
      for (const reference of references) {
        const { app_id, view_id } = reference
        if (named.has(app_id)) return yield* invalid(`referenced_apps of ${field.slug}: app ${app_id} is named twice`)
        named.add(app_id)
        if (known.has(keyOf(reference))) continue
        if (!(yield* Effect.isSuccess(access.check(caller, "app", app_id, 1)))) {
          return yield* invalid(`referenced_apps of ${field.slug}: there is no app ${app_id}`)
        }
        if (view_id === undefined || view_id === null) continue
        const views = yield* sql`
          SELECT 1 FROM views WHERE view_id = ${view_id} AND app_id = ${app_id} AND ${viewExistsFor(sql, null)}`
        if (views.length === 0) {
          return yield* invalid(`referenced_apps of ${field.slug}: app ${app_id} has no view ${view_id}`)
        }
      }
    }
  })

  const planned = Effect.fnUntraced(function* (
    caller: CallerShape,
    before: AppDefinition | null,
    entries: ReadonlyArray<FieldInput>,
    deletions: ReadonlyArray<number>
  ) {
    const changes = planFieldChanges(before, entries, deletions, yield* optionIds(entries))
    if (Result.isFailure(changes)) return yield* invalid(changes.failure)
    yield* checkReferences(caller, before, changes.success)
    return changes.success
  })

  return { checkReferences, optionIds, planned }
})

export const makeFieldPlans = Effect.map(makePlanning, ({ planned }) => planned)
