// Related records, and the records that a relation field may point to (developer-api.md 4.2, 1.7).

import { Context, Effect, Layer, Result, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import {
  type NotFound,
  type RecordNotFound,
  type Restricted,
  ValidationError
} from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Access, type AccessGrant } from "../../accounts/Access.ts"
import { REFERENCED_AT_MOST, type RelationSettings } from "../fields/kinds/relationFields.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import { typeOf } from "../fields/registry.ts"
import { makeFilterContexts } from "../filters/FilterContexts.ts"
import { resolveFilters } from "../filters/resolveFilters.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { shownTitle } from "../model/recordTitle.ts"
import { recordUrl } from "../model/recordUrl.ts"
import { Records } from "../reading/Records.ts"
import type { RecordPage } from "./Listings.ts"
import { makeRelated } from "./linkedRecords.ts"
import { makeSelection } from "./recordSelect.ts"
import { type Matched, matchSizes, type ReferableRecord, type RelatedInput } from "./relationSchemas.ts"
import type { Selection } from "./Selection.ts"

export const relatedLimit = 1000
const findLimit = 10

/** Each once: older definitions may name an app twice. */
const newest = <A extends { readonly record_id: number }>(records: ReadonlyArray<A>, most: number) =>
  [...new Map(records.map((record) => [record.record_id, record])).values()]
    .sort((a, b) => b.record_id - a.record_id)
    .slice(0, most)

type Refused = ValidationError | NotFound | RecordNotFound | Restricted

export class Relations extends Context.Service<
  Relations,
  {
    /** Records of `refAppId` related to the named records of the grant's app; trashed ones are dropped after the limit. */
    readonly related: (
      grant: AccessGrant,
      refAppId: number,
      input: typeof RelatedInput.Type,
      limit?: number
    ) => Effect.Effect<RecordPage, Refused>
    /** Up to ten records that the grant's relation field may point to, newest first, with `text` in their title. */
    readonly find: (
      grant: AccessGrant,
      text: string
    ) => Effect.Effect<ReadonlyArray<typeof ReferableRecord.Type>, ValidationError | NotFound>
    /**
     * Finds for each text the records that it names, by title (ignoring case) or by id, among those that the relation field may point to.
     */
    readonly match: (
      grant: AccessGrant,
      texts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<typeof Matched.Type>, ValidationError | NotFound>
  }
>()("millrace/records/Relations") {
  static readonly layer = Layer.effect(
    Relations,
    Effect.suspend(() => make)
  )
}

const invalid = (message: string) => new ValidationError({ message })

const Named = Schema.Struct({ place: Schema.Int, record_id: Schema.Int })
const SavedView = Schema.Struct({ filters: jsonb<RecordFilters>() })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig
  const access = yield* Access
  const records = yield* Records
  const selection = yield* makeSelection
  const contextOf = yield* makeFilterContexts
  const reached = yield* makeRelated

  const isRelation = (definition: AppDefinition, id: number) => {
    const field = definition.byId.get(id)
    return field !== undefined && typeOf(field).refersTo === "records"
  }

  const related = Effect.fn("Relations.related")(function* (
    grant: AccessGrant,
    refAppId: number,
    input: typeof RelatedInput.Type,
    limit = relatedLimit
  ) {
    yield* access.check(grant.caller, "app", refAppId, 1)
    const { recordIds, direction, relationFieldIds } = input
    if (limit < 1 || limit > relatedLimit) return yield* invalid(`limit: expected 1 to ${relatedLimit}.`)
    if (recordIds.length > relatedLimit) return yield* invalid(`recordIds: at most ${relatedLimit}.`)
    if (relationFieldIds !== undefined) {
      const from = direction === "reverse" ? [] : [yield* selection.granted(grant)]
      const to = direction === "forward" ? [] : [yield* selection.current(refAppId)]
      const stray = relationFieldIds.findIndex((id) => ![...from, ...to].some((app) => isRelation(app, id)))
      if (stray >= 0) return yield* invalid(`relationFieldIds[${stray}]: no relation field of that direction.`)
    }
    const ids = yield* reached({
      recordIds,
      direction,
      fromAppId: grant.appId,
      toAppId: refAppId,
      ...(relationFieldIds === undefined ? {} : { fieldIds: relationFieldIds }),
      limit
    })
    const live = ids.filter((row) => row.live).map((row) => String(row.record_id))
    const rows = yield* rowsOf(RecordRow)(sql`
        SELECT ${selection.columns} FROM records r
        WHERE r.record_id = ANY(${live}::text[]::bigint[]) AND r.deleted_on IS NULL ORDER BY r.record_id`)
    return { total: rows.length, cursor: null, records: yield* records.views(rows) }
  }, orSqlDefect)

  const preview = (definition: AppDefinition, row: RecordRow) => ({
    record_id: row.record_id,
    app_record_id: row.app_record_id,
    app_id: row.app_id,
    title: shownTitle(row.title, definition.item_name, row.app_record_id),
    record_url: recordUrl(baseUrl, row.record_id),
    app: {
      app_id: definition.app_id,
      name: definition.name,
      record_name: definition.item_name,
      workspace_id: definition.workspace_id
    }
  })

  /** The apps that the grant's relation field may point to, as its caller may see them, each with the conditions of its view. */
  const referable = Effect.fnUntraced(function* (grant: AccessGrant) {
    const field = (yield* selection.granted(grant)).byId.get(grant.id)
    if (field === undefined || typeOf(field).refersTo !== "records") {
      return yield* invalid(`field_id: field ${grant.id} is no relation field.`)
    }
    // Checks with all content selected: previews are visible through the field, whatever a token selects (1.7), but only what its user may
    // see.
    const person = { ...grant.caller, selection: "all" as const }
    const apps: Array<Pick<Selection, "definition" | "conditions">> = []
    const { referenced_apps } = field.settings as RelationSettings
    for (const { app_id, view_id } of referenced_apps.slice(0, REFERENCED_AT_MOST)) {
      if (!(yield* Effect.isSuccess(access.check(person, "app", app_id, 1)))) continue
      const definition = yield* selection.current(app_id)
      const view = yield* rowOf(SavedView)(sql`
          SELECT filters FROM views WHERE view_id = ${view_id ?? 0} AND app_id = ${app_id}`)
      const filters = view?.filters ?? []
      const context = yield* contextOf(filters, { userId: grant.caller.userId, stored: true })
      const resolved = resolveFilters(definition, filters, context)
      apps.push({ definition, conditions: Result.isSuccess(resolved) ? resolved.success.conditions : [] })
    }
    return apps
  })

  const find = Effect.fn("Relations.find")(function* (grant: AccessGrant, text: string) {
    const previews: Array<typeof ReferableRecord.Type> = []
    for (const { conditions, definition } of yield* referable(grant)) {
      const titled = text.trim() === "" ? {} : { also: selection.titled(definition, text.trim()) }
      const rows = yield* selection.rows({ definition, conditions, order: "newest", ...titled }, null, findLimit)
      previews.push(...rows.map((row) => preview(definition, row)))
    }
    return newest(previews, findLimit)
  }, orSqlDefect)

  const match = Effect.fn("Relations.match")(function* (grant: AccessGrant, texts: ReadonlyArray<string>) {
    const titles = texts.map((text) => text.trim())
    const matches = titles.map((): Array<typeof ReferableRecord.Type> => [])
    for (const app of yield* referable(grant)) {
      const named = yield* rowsOf(Named)(selection.named(app, titles, matchSizes.records))
      const rows = yield* rowsOf(RecordRow)(sql`
          SELECT ${selection.columns} FROM records r
          WHERE r.record_id = ANY(${named.map(({ record_id }) => String(record_id))}::text[]::bigint[])`)
      const byId = new Map(rows.map((row) => [row.record_id, preview(app.definition, row)]))
      for (const { place, record_id } of named) matches[place - 1]!.push(byId.get(record_id)!)
    }
    return texts.map((text, at) => ({
      text,
      records: newest(matches[at]!, matchSizes.records)
    }))
  }, orSqlDefect)

  return Relations.of({ related, find, match })
})
