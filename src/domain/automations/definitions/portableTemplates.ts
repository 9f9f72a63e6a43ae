// Short templates in portable files (our extension, docs/api.md "Short templates"): looks up the apps and fields that they name, reads them as
// references with the ids of the organization, and writes references back.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { Path } from "../schema/path.ts"
import { isPlainObject, isReference, valuesIn } from "../schema/walk.ts"
import { indexNames } from "../templates/nameIndex.ts"
import { placeholdersIn } from "../templates/placeholders.ts"
import { makeResolver } from "../templates/references.ts"
import { makeShortForms } from "../templates/shortForms.ts"
import { declarationsOf, type TemplateApp } from "../templates/templateNames.ts"
import { type Part, partsOfText, textOfParts } from "../templates/templateTexts.ts"
import { namesApp } from "../templates/templateWords.ts"
import { placeText } from "./portableNames.ts"
import { replaceTemplates } from "./templatePlaces.ts"

type Body = Readonly<Record<string, unknown>>

const Field = Schema.Struct({
  ...{ field_id: Schema.Int, field_type: Schema.String, name: Schema.String, label: Schema.String }
})
const App = Schema.Struct({
  ...{ app_id: Schema.Int, name: Schema.String, label: Schema.String, fields: Schema.Array(Field) }
})
const AppName = Schema.Struct({ name: Schema.String, label: Schema.String })

/** Most names of apps among which the nearest to an unknown one is sought. */
const SUGGESTED = 1_000
/** Most mistakes that are listed. */
const LISTED = 100

interface Wanted {
  readonly appIds: ReadonlySet<number>
  readonly fieldIds?: ReadonlySet<number>
  readonly names?: ReadonlySet<string>
}

/** Calls `each` for every text that may hold placeholders. */
const visitTexts = (body: Body, each: (text: string) => void) =>
  replaceTemplates(body, {
    reference: (value) => {
      if (typeof value === "string") each(value)
      return value
    },
    template: (value) => {
      for (const item of typeof value === "string" ? [value] : value) if (typeof item === "string") each(item)
      return value
    }
  })

/** @param visible condition on `app_id` of the apps that the reader sees */
export const makePortableTemplates = (sql: Sql, visible: ReturnType<Sql["literal"]>) => {
  /** The apps that are wanted, and all that share an external id with one of them. */
  const loadApps = (orgId: number, { appIds, fieldIds = new Set(), names = new Set() }: Wanted) =>
    rowsOf(App)(sql`
      SELECT app_id, slug AS name, name AS label, (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'field_id', f.field_id, 'field_type', f.field_type, 'name', f.slug, 'label', f.label)), '[]'::jsonb)
        FROM fields f WHERE f.app_id = apps.app_id) AS fields
      FROM apps WHERE org_id = ${orgId} AND ${visible} AND slug IN (
        SELECT slug FROM apps WHERE org_id = ${orgId} AND ${visible} AND (
          app_id = ANY(${[...appIds].map(String)}::text[]::bigint[])
          OR app_id IN (SELECT app_id FROM fields WHERE field_id = ANY(${[...fieldIds].map(String)}::text[]::bigint[]))
          OR slug = ANY(${[...names]}::text[]) OR name = ANY(${[...names]}::text[])))
      ORDER BY app_id`)

  const placeOf = (body: Body, own: number, apps: ReadonlyArray<TemplateApp>, appNames: ReadonlyArray<string>) =>
    indexNames({ own: apps.find(({ app_id }) => app_id === own), apps, appNames, ...declarationsOf(body) })

  /** Returns the body with a reference in place of every short form, and what cannot be read, with its place. */
  const read = Effect.fnUntraced(function* (orgId: number, appId: number, body: Body) {
    const names = new Set<string>()
    visitTexts(body, (text) => {
      for (const { content } of placeholdersIn(text)) {
        const [head, name] = "path" in content ? content.path : []
        if (name !== undefined && namesApp.has(String(head))) names.add(String(name))
      }
    })
    const apps = yield* loadApps(orgId, { appIds: new Set([appId]), names })
    const suggested = yield* rowsOf(AppName)(
      sql`SELECT slug AS name, name AS label FROM apps WHERE org_id = ${orgId} AND ${visible} ORDER BY app_id LIMIT ${SUGGESTED}`
    )
    const appNames = suggested.flatMap(({ label, name }) => [name, label])
    const resolvePath = makeResolver(placeOf(body, appId, apps, appNames))
    const mistakes: Array<string> = []
    // The nearest name is sought for those that are listed alone.
    const resolve: typeof resolvePath = (path, as) =>
      mistakes.length > LISTED ? { mistake: "not looked up" } : resolvePath(path, as)
    const partsAt = (text: string, path: Path): ReadonlyArray<Part> => {
      if (mistakes.length > LISTED) return [text]
      return partsOfText(text, resolve, (message, at) => {
        if (mistakes.length === LISTED) mistakes.push("and more")
        if (mistakes.length > LISTED) return
        const excerpt = /^.{0,60}?(?:\}\}|$)/s.exec(text.slice(at, at + 60))?.[0] ?? ""
        mistakes.push(`${placeText(path)}, character ${at + 1}, ${excerpt}: ${message}`)
      })
    }
    const referenceAt = (text: string, path: Path): unknown => {
      if (!text.includes("{{")) return text
      const mistakesBefore = mistakes.length
      const [part, ...more] = partsAt(text, path)
      if (mistakes.length > mistakesBefore || (typeof part === "object" && more.length === 0)) return part
      mistakes.push(`${placeText(path)}: a reference stands here, {{ … }} alone`)
      return text
    }
    const expanded = replaceTemplates(body, {
      reference: (value, path) => (typeof value === "string" ? referenceAt(value, path) : value),
      template: (value, path) =>
        typeof value === "string"
          ? partsAt(value, path)
          : value.flatMap(
              (item, index): ReadonlyArray<unknown> =>
                typeof item === "string" ? partsAt(item, [...path, index]) : [item]
            )
    })
    return { body: expanded, mistakes }
  })

  /**
   * Returns the definition with its template values as text, and references in short form where they have one.
   * @param withIds returns a value of it with ids in place of names
   */
  const write = Effect.fnUntraced(function* (
    { app_id, org_id }: { readonly app_id: number; readonly org_id: number },
    definition: Body,
    withIds: (value: unknown) => unknown
  ) {
    const [appIds, fieldIds] = [new Set([app_id]), new Set<number>()]
    for (const value of valuesIn(withIds(definition))) {
      if ("app_id" in value && value.app_id !== undefined) appIds.add(value.app_id)
      if ("field_id" in value) fieldIds.add(value.field_id)
    }
    const apps = yield* loadApps(org_id, { appIds, fieldIds })
    const templatePlace = placeOf(definition, app_id, apps, [])
    const shorten = makeShortForms(templatePlace, makeResolver(templatePlace))
    const shortForm = (value: Body) => shorten(withIds(value) as Body)
    return replaceTemplates(definition, {
      reference: (value) => (isReference(value) && isPlainObject(value) ? (shortForm(value) ?? value) : value),
      template: (value) => (typeof value === "string" ? value : textOfParts(value as ReadonlyArray<Part>, shortForm))
    })
  })

  return { read, write }
}
