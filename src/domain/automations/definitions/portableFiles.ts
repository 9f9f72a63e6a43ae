// Portable files (our extension): looks up the names of a definition in one organization when the file is written, and their ids in another
// when it is applied. If anything is missing there, all of it is reported at once and nothing is changed.
import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { nearestHint } from "../../../platform/text/nearest.ts"
import { contentOf } from "./automationFiles.ts"
import {
  type IdPlace,
  type NamedKind,
  namedKinds,
  nameOf,
  placeText,
  replaceIds,
  replaceNames,
  secretsIn
} from "./portableNames.ts"
import { makePortableTemplates } from "./portableTemplates.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

/** Apps that the reader sees: a thing outside of them is neither named nor found. `all`: an operator's access. */
export type SeenApps = "all" | { readonly apps: ReadonlyArray<number>; readonly administered: ReadonlyArray<number> }

/** Rows `id`, `name`, `app_id` of an organization: apps and fields by external id, users by email, others by their name. Private views have none. */
const selects: { readonly [K in NamedKind]: string } = {
  app: "SELECT app_id::text AS id, slug AS name, org_id, app_id FROM apps",
  field:
    "SELECT f.field_id::text AS id, a.slug || '.' || f.slug AS name, a.org_id, app_id FROM fields f JOIN apps a USING (app_id)",
  option: `SELECT f.field_id || '/' || (o ->> 'id') AS id, a.slug || '.' || f.slug || '.' || (o ->> 'text') AS name, a.org_id, app_id
    FROM fields f JOIN apps a USING (app_id), jsonb_array_elements(f.settings -> 'options') AS o
    WHERE jsonb_typeof(f.settings -> 'options') = 'array'`,
  user: "SELECT u.user_id::text AS id, lower(p.email) AS name, u.org_id, NULL::bigint AS app_id FROM users u JOIN people p USING (person_id) WHERE u.status <> 'removed'",
  record:
    "SELECT r.record_id::text AS id, a.slug || '.' || r.title AS name, r.org_id, app_id FROM records r JOIN apps a USING (app_id) WHERE r.deleted_on IS NULL",
  view: "SELECT v.view_id::text AS id, a.slug || '.' || v.name AS name, a.org_id, app_id FROM views v JOIN apps a USING (app_id) WHERE NOT v.private",
  automation:
    "SELECT x.automation_id::text AS id, a.slug || '.' || x.name AS name, x.org_id, app_id FROM automations x JOIN apps a USING (app_id) WHERE x.deleted_on IS NULL",
  smtp_account: "SELECT smtp_account_id::text AS id, name, org_id, NULL::bigint AS app_id FROM smtp_accounts",
  provider:
    "SELECT authentication_provider_id::text AS id, name, org_id, NULL::bigint AS app_id FROM authentication_providers"
}

const kindNames: { readonly [K in NamedKind]: string } = {
  app: "app",
  field: "field",
  option: "option",
  user: "user",
  record: "record",
  view: "view",
  automation: "automation",
  smtp_account: "mail account",
  provider: "authentication provider"
}

/** `many`: number of rows with the name; all records may share a title. */
const Found = Schema.Struct({ id: Schema.String, name: Schema.String, many: Schema.Int })
type Found = typeof Found.Type
const SecretNamed = Schema.Struct({ name: Schema.String })

/** Most names among which the nearest to a missing one is sought. */
const SUGGESTED = 1_000

/** Form of the files that are written: its texts hold short templates. In form 1 `{{` is literal. */
const PORTABLE = 2

/** Default key of a file that names none: always the same for one automation of one installation. */
export const keyOf = (baseUrl: string, automationId: number): string =>
  createHash("sha256").update(`${baseUrl}/automation/${automationId}`).digest("hex").slice(0, 32)

export const makePortableFiles = (sql: Sql, sight: SeenApps = "all") => {
  const isVisible = (kind: NamedKind) => {
    if (sight === "all") return sql.literal("true")
    const apps = kind === "automation" ? sight.administered : sight.apps
    return sql`(app_id IS NULL OR app_id = ANY(${apps.map(String)}::text[]::bigint[]))`
  }

  const templates = makePortableTemplates(sql, isVisible("app"))

  const lookUp = (orgId: number, kind: NamedKind, by: "id" | "name", values: ReadonlySet<string>) =>
    values.size === 0
      ? Effect.succeed<ReadonlyArray<Found>>([])
      : rowsOf(
          Found
        )(sql`SELECT min(id) AS id, name, count(*)::int AS many FROM (${sql.literal(selects[kind])}) AS named
          WHERE org_id = ${orgId} AND ${sql.literal(by)} = ANY(${[...values]}::text[]) AND name IS NOT NULL AND ${isVisible(kind)}
          GROUP BY ${sql.literal(by === "name" ? "name" : "id, name")}`)

  const lookAll = Effect.fnUntraced(function* (
    orgId: number,
    by: "id" | "name",
    wanted: ReadonlyMap<NamedKind, ReadonlySet<string>>
  ) {
    const foundRows = new Map<string, Found>()
    for (const kind of namedKinds) {
      for (const row of yield* lookUp(orgId, kind, by, wanted.get(kind) ?? new Set()))
        foundRows.set(`${kind} ${row[by]}`, row)
    }
    return (kind: NamedKind, value: string): Found | undefined => foundRows.get(`${kind} ${value}`)
  })

  const gather = () => {
    const valuesByKind = new Map<NamedKind, Set<string>>()
    const want = (kind: NamedKind, value: string) => {
      const valuesOfKind = valuesByKind.get(kind)
      if (valuesOfKind === undefined) valuesByKind.set(kind, new Set([value]))
      else valuesOfKind.add(value)
    }
    return { wanted: valuesByKind, want }
  }

  /** Returns the content of the file, always the same for the same definition. An id without a name stays an id, which `apply` refuses. */
  const write = Effect.fnUntraced(function* (row: AutomationRow, key: string) {
    const content = { app: { app_id: row.app_id }, ...contentOf(row) }
    const { want, wanted } = gather()
    replaceIds(content, ({ id, kind }) => want(kind, id))
    const findNamed = yield* lookAll(row.org_id, "id", wanted)
    const idsByName = new Map<string, number>()
    const named = replaceIds(content, (place) => {
      const namedRow = findNamed(place.kind, place.id)
      if (namedRow === undefined) return rawId(place)
      idsByName.set(`${place.kind} ${namedRow.name}`, rawId(place))
      return nameOf(place.kind, namedRow.name)
    }) as { readonly app: { readonly app_id: unknown } }
    const withIds = (value: unknown) => replaceNames(value, ({ kind, name }) => idsByName.get(`${kind} ${name}`))
    const { app, ...definition } = named
    const shortened = yield* templates.write(row, definition, withIds)
    return { portable: PORTABLE, key, app: app.app_id, ...shortened } as Readonly<Record<string, unknown>>
  })

  const expand = Effect.fnUntraced(function* (
    orgId: number,
    appId: number,
    body: Readonly<Record<string, unknown>>,
    missing: Array<string>
  ) {
    const { body: expanded, mistakes } = yield* templates.read(orgId, appId, body)
    missing.push(...mistakes)
    return expanded
  })

  /** Names nearest to a missing one are for those alone who administer the app. */
  const missingSecrets = Effect.fnUntraced(function* (orgId: number, appId: number | null, body: unknown) {
    const wantedNames = [...new Set(secretsIn(body))]
    if (wantedNames.length === 0) return []
    const usable = sql`s.org_id = ${orgId} AND (s.app_id IS NULL OR s.app_id = ${appId})
      AND (s.workspace_id IS NULL OR s.workspace_id = (SELECT workspace_id FROM apps WHERE app_id = ${appId}))`
    const knownSecrets = yield* rowsOf(SecretNamed)(
      sql`SELECT name FROM secrets s WHERE ${usable} AND name = ANY(${wantedNames}::text[])`
    )
    const missing = wantedNames.filter((name) => !knownSecrets.some((one) => one.name === name))
    if (missing.length === 0) return []
    const administers = sight === "all" || (appId !== null && sight.administered.includes(appId))
    const otherSecrets = administers
      ? yield* rowsOf(SecretNamed)(sql`SELECT name FROM secrets s WHERE ${usable} ORDER BY name LIMIT ${SUGGESTED}`)
      : []
    const names = otherSecrets.map(({ name }) => name)
    return missing.map(
      (name) => `there is no secret ${JSON.stringify(name)} that the app may use${nearestHint(name, names)}`
    )
  })

  /** Returns the body with the ids of an organization, and the app that it is for; or all that is missing there. */
  const read = Effect.fnUntraced(function* (
    orgId: number,
    portable: 1 | 2,
    body: Readonly<Record<string, unknown>>,
    intoAppId: number | undefined
  ): Effect.fn.Return<PortableRead, SqlError> {
    const { want, wanted } = gather()
    replaceNames(body, ({ kind, name }) => want(kind, comparable(kind, name)))
    const findNamed = yield* lookAll(orgId, "name", wanted)
    const missing: Array<string> = []
    replaceIds(body, ({ id, kind, path }) => {
      missing.push(`${placeText(path)}: the ${kindNames[kind]} with the id ${id} has no name in the file`)
      return null
    })
    const numbered = replaceNames(body, ({ kind, name, path }) => {
      if (kind === "app" && path.length === 1 && intoAppId !== undefined) return intoAppId
      const namedRow = findNamed(kind, comparable(kind, name))
      if (namedRow?.many === 1) return Number(namedRow.id.slice(namedRow.id.indexOf("/") + 1))
      const why = namedRow === undefined ? "there is no" : `there are ${namedRow.many} times the`
      missing.push(`${placeText(path)}: ${why} ${kindNames[kind]} ${JSON.stringify(name)}`)
      return null
    }) as Record<string, unknown>
    const { app, ...long } = numbered
    const appId = intoAppId ?? app
    const longForm = portable === 1 || typeof appId !== "number" ? long : yield* expand(orgId, appId, long, missing)
    missing.push(...(yield* missingSecrets(orgId, typeof appId === "number" ? appId : null, longForm)))
    if (app === undefined && intoAppId === undefined) missing.push("app: is not set; name it in the file or by --app")
    if (typeof appId !== "number" && missing.length === 0) missing.push("app: is no name of an app")
    return { appId: typeof appId === "number" ? appId : null, body: longForm, missing }
  })

  return { read, write }
}

export interface PortableRead {
  readonly appId: number | null
  readonly body: Readonly<Record<string, unknown>>
  readonly missing: ReadonlyArray<string>
}

export const lacking = (orgId: number, missing: ReadonlyArray<string>) =>
  new ValidationError({
    message: `Organization ${orgId} lacks what the file names; nothing was changed:\n${missing.map((one) => `- ${one}`).join("\n")}`
  })

const comparable = (kind: NamedKind, name: string) => (kind === "user" ? name.toLowerCase() : name)
const rawId = ({ id }: IdPlace) => Number(id.slice(id.indexOf("/") + 1))
