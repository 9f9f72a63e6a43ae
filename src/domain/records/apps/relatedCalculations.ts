// Calculations over related records in definition writes (developer-api.md 11.3): what they read must be there and visible to who writes them,
// no chain comes back or grows too long, and the apps that are read know it. All in the transaction of the write, which has locked its app.

import { isDeepStrictEqual } from "node:util"
import { Effect, Schema } from "effect"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { nearestHint } from "../../../platform/text/nearest.ts"
import { Access } from "../../accounts/Access.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { calculationsOf, isCalculation, readsRelated, relationsOf } from "../calculations/calculationPlan.ts"
import { isReadable } from "../calculations/calculationValues.ts"
import { chainProblem } from "../calculations/relatedChains.ts"
import type { RelationSettings } from "../fields/kinds/relationFields.ts"
import type { Field } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { makeRecalculations } from "../recalculation/recalculations.ts"
import type { FieldInput } from "./appSchemas.ts"
import { makeCalculationSources } from "./calculationSources.ts"
import { placesIn } from "./fieldChanges.ts"

/** Apps whose calculations read one another, directly or through others. */
const APPS_AT_MOST = 200

const AppId = Schema.Struct({ app_id: Schema.Int })

/** Leads to a field in the input. */
type PlaceOf = (field: Field) => string

const referencesOf = (relation: Field) =>
  (relation.settings as RelationSettings).referenced_apps.map(({ app_id }) => app_id)

export const makeRelatedCalculations = Effect.gen(function* () {
  const sql = yield* Sql
  const access = yield* Access
  const recalculations = makeRecalculations(sql, yield* Jobs)
  const { readAll, sync } = yield* makeCalculationSources
  const invalid = (message: string) => new ValidationError({ message })
  const sees = (caller: CallerShape, appId: number) => Effect.isSuccess(access.check(caller, "app", appId, 1))

  /** Refuses calculations that are new or changed and name what nobody has, or what the caller may not see. */
  const checkMembers = Effect.fnUntraced(function* (
    caller: CallerShape,
    former: AppDefinition | null,
    app: AppDefinition,
    placeOf: PlaceOf
  ) {
    const isFormer = (field: Field) => isDeepStrictEqual(former?.byId.get(field.field_id)?.settings, field.settings)
    for (const calculation of calculationsOf(app)) {
      const relations = relationsOf(calculation)
      if (relations.length === 0 || [calculation.field, ...relations].every(isFormer)) continue
      const expressionPlace = `${placeOf(calculation.field)}.config.expression: `
      const names = relations.map(({ slug }) => slug).join(", ")
      const apps = [...new Set(relations.flatMap(referencesOf))]
      for (const id of apps) {
        if (!(yield* sees(caller, id)))
          return yield* invalid(`${expressionPlace}there is no app ${id}, to which ${names} refers`)
      }
      const fields = (yield* readAll(apps)).flatMap((one) => one.fields)
      const readable = new Set(fields.filter(isReadable).map(({ slug }) => slug))
      const missing = [...calculation.expression.uses.members].find((name) => !readable.has(name))
      if (missing !== undefined)
        return yield* invalid(
          `${expressionPlace}no app to which ${names} refers has a field ${missing} that can be read${nearestHint(missing, [...readable])}`
        )
    }
  })

  /** Refuses calculations whose chain over apps comes back or is too long. */
  const checkChains = Effect.fnUntraced(function* (caller: CallerShape, app: AppDefinition, placeOf: PlaceOf) {
    const ids = yield* rowsOf(AppId)(sql`
      WITH RECURSIVE connected (app_id) AS (
        SELECT ${app.app_id}::bigint
        UNION SELECT CASE WHEN r.app_id = c.app_id THEN r.read_app_id ELSE r.app_id END
        FROM connected c JOIN calculation_relations r ON r.app_id = c.app_id OR r.read_app_id = c.app_id
      ) SELECT app_id FROM connected LIMIT ${APPS_AT_MOST + 1}::int`)
    if (ids.length > APPS_AT_MOST)
      return yield* invalid(`fields: calculations over related records would connect more than ${APPS_AT_MOST} apps`)
    const definitions = new Map((yield* readAll(ids.map(({ app_id }) => app_id))).map((one) => [one.app_id, one]))
    const chain = chainProblem(definitions)
    if (chain === null) return
    const names: Array<string> = []
    for (const { app_id, slug } of chain.path) {
      const isVisible = app_id === app.app_id || (yield* sees(caller, app_id))
      names.push(isVisible ? `${definitions.get(app_id)!.slug}.${slug}` : "a field that you cannot see")
    }
    const ownRead = chain.path.find(({ app_id }) => app_id === app.app_id)
    const field = ownRead === undefined ? undefined : app.bySlug.get(ownRead.slug)
    const chainPlace = field === undefined ? "fields" : `${placeOf(field)}.config.expression`
    return yield* invalid(`${chainPlace}: ${chain.problem}: ${names.join(" → ")}`)
  })

  /** Refuses the removal of fields that calculations of other apps read. */
  const checkRemoved = Effect.fnUntraced(function* (
    caller: CallerShape,
    app: AppDefinition,
    removed: ReadonlyArray<Field>
  ) {
    for (const { slug } of removed) {
      const reader = app.readers.find(({ members }) => members.includes(slug))
      if (reader === undefined) continue
      const name = (yield* sees(caller, reader.app_id))
        ? yield* readerName(reader, slug)
        : "of an app that you cannot see"
      return yield* invalid(`fields_to_delete: the calculation ${name} reads the field ${slug}`)
    }
  })

  const readerName = Effect.fnUntraced(function* (
    { app_id, relation_id }: AppDefinition["readers"][number],
    slug: string
  ) {
    const [reader] = yield* readAll([app_id])
    const calculation =
      reader === undefined
        ? undefined
        : calculationsOf(reader).find(
            (one) =>
              one.expression.uses.members.has(slug) && relationsOf(one).some(({ field_id }) => field_id === relation_id)
          )
    return `${reader?.slug}.${calculation?.field.slug}`
  })

  /** Calculates the records anew that read a field whose settings have changed. */
  const recalculateReaders = Effect.fnUntraced(function* (
    caller: CallerShape,
    former: AppDefinition,
    app: AppDefinition
  ) {
    const changed = app.fields.filter((field) => {
      const formerField = former.byId.get(field.field_id)
      return (
        formerField !== undefined && !isCalculation(field) && !isDeepStrictEqual(formerField.settings, field.settings)
      )
    })
    const readers = app.readers.filter(({ members }) => changed.some(({ slug }) => members.includes(slug)))
    for (const reader of yield* readAll([...new Set(readers.map(({ app_id }) => app_id))])) {
      // Who may not change that app does not cancel its job, and learns neither its size nor its records from it.
      const isTheirs = yield* Effect.isSuccess(access.check(caller, "app", reader.app_id, 5))
      yield* recalculations.begin(isTheirs ? caller : "operator", reader)
    }
  })

  /**
   * Judges and notes what the calculations of an app read after its change. Returns the definition as it is then.
   * @param locked apps that the change has locked (./appLocks.ts)
   */
  return Effect.fnUntraced(function* (
    caller: CallerShape,
    former: AppDefinition | null,
    app: AppDefinition,
    entries: ReadonlyArray<FieldInput>,
    locked: ReadonlySet<number>
  ) {
    const concerned = readsRelated(app) || app.readers.length > 0 || (former !== null && readsRelated(former))
    if (!concerned || isDeepStrictEqual(former?.fields, app.fields)) return app
    const entryPlaces = placesIn(entries, former, app)
    const placeOf = ({ field_id, slug }: Field) => entryPlaces.get(field_id) ?? `fields: the calculation ${slug}`
    // Two apps that begin to read one another are judged one after the other.
    yield* sql`SELECT 1 FROM organizations WHERE org_id = ${app.org_id} FOR NO KEY UPDATE`
    yield* checkMembers(caller, former, app, placeOf)
    const current = yield* sync(app, locked)
    yield* checkChains(caller, current, placeOf)
    if (former !== null) {
      yield* checkRemoved(
        caller,
        current,
        former.fields.filter(({ field_id }) => !app.byId.has(field_id))
      )
      yield* recalculateReaders(caller, former, current)
    }
    return current
  })
})
