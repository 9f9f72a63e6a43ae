// Selects live records of an app by filters and sort (developer-api.md 4.2); only this file and ./pageSelects.ts write such a SELECT. Pages
// continue by key, so that a late page costs no more than an early one, and none repeats or misses an unchanged record. A page with an offset
// skips records in the index from the nearer end (./distantPages.ts), or sorts ids only.
import { Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { NotFound } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { fold } from "../../../platform/text/folding.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { makeSelectedRows, type SelectedRows } from "../reading/selectedRows.ts"
import type { AccessPath } from "./accessPaths.ts"
import { makeDistantPages, type Position } from "./distantPages.ts"
import type { Keyed, KeyedPair, KeyedSort } from "./Keyed.ts"
import { makeLiveCount } from "./liveCount.ts"
import { makePageSelects, type Reader } from "./pageSelects.ts"
import type { Order, Selection } from "./Selection.ts"

const isDescending = (order: Order) => typeof order !== "string" && order.desc

const AppVersion = Schema.Struct({ version: Schema.Int })

export const makeSelection = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const { columns, filterSql, inKeyOrder, numbered, paths, sorted, where } = yield* makePageSelects
  const live = yield* makeLiveCount
  const { among, countedBy, keyedOf, keys, pathOf } = paths
  const { plain, withAuthors } = yield* makeSelectedRows
  const far = yield* makeDistantPages
  const noApp = (appId: number) => new NotFound({ message: `No app with id ${appId}.` })

  /** Definition of the version that the access check read, or a newer one; from the cache if it is there. */
  const granted = Effect.fnUntraced(function* ({ appId, appVersion }: Pick<AccessGrant, "appId" | "appVersion">) {
    const cachedApp = yield* definitions.lastSeen(appId)
    const grantedApp =
      Option.isSome(cachedApp) && cachedApp.value.version === appVersion ? cachedApp : yield* definitions.load(appId)
    return Option.isSome(grantedApp) ? grantedApp.value : yield* noApp(appId)
  })

  /** The definition as it is now. */
  const current = Effect.fnUntraced(function* (appId: number) {
    const app = yield* rowOf(AppVersion)(sql`SELECT version FROM apps WHERE app_id = ${appId}`)
    return app === undefined ? yield* noApp(appId) : yield* granted({ appId, appVersion: app.version })
  }, orSqlDefect)

  /** Title as people see it. */
  const titleOf = ({ item_name }: AppDefinition) =>
    sql`coalesce(r.title, ${item_name}::text || ' #' || r.app_record_id)`

  /** Records with this text in their title. */
  const titled = (definition: AppDefinition, text: string) =>
    sql`strpos(fold_text(${titleOf(definition)}), ${fold(text)}::text) > 0`

  /**
   * Finds for each text, by its position from 1, the newest records with this title or id. Two joins: one by hash, one by the primary key.
   */
  const named = (selected: Omit<Selection, "order">, texts: ReadonlyArray<string>, limit: number) => sql`
    WITH asked AS (SELECT text, place FROM unnest(${texts}::text[]) WITH ORDINALITY AS t(text, place)),
    found AS (
      SELECT asked.place, r.record_id FROM asked JOIN records r ON fold_case(${titleOf(selected.definition)}) = fold_case(asked.text)
      WHERE ${where(selected)}
      UNION
      SELECT asked.place, r.record_id
      FROM asked JOIN records r ON r.record_id = CASE WHEN asked.text ~ '^[0-9]{1,15}$' THEN asked.text::bigint END
      WHERE ${where(selected)}
    ),
    ranked AS (
      SELECT place, record_id, row_number() OVER (PARTITION BY place ORDER BY record_id DESC) AS rank FROM found
    )
    SELECT place, record_id FROM ranked WHERE rank <= ${limit}`

  /** Condition whose keys are exactly the matching records, if it is the only one. */
  const onlyCondition = ({ also, conditions }: Selection, { conditions: [one] }: Keyed) =>
    conditions.length === 1 && also === undefined && one?.exact === true ? one : undefined

  const countMatches = Effect.fnUntraced(function* (selection: Selection, path: Effect.Effect<AccessPath, SqlError>) {
    const { conditions, definition, also } = selection
    if (conditions.length === 0 && also === undefined) return yield* live.of(definition.app_id)
    const { few, keyed, passed } = yield* path
    const keyedCondition = onlyCondition(selection, keyed)
    if (keyedCondition !== undefined)
      return (
        passed.get(keyedCondition) ??
        (yield* countOf(sql`SELECT count(*)::int AS n FROM record_keys k WHERE ${keys(keyedCondition)}`))
      )
    return yield* countOf(sql`SELECT count(*)::int AS n FROM records r WHERE ${where(selection)} ${among(few)}`)
  })

  /**
   * Position before a page that is nearer to the end of all records than to their beginning; null if no record is left, undefined if the
   * page is read from the beginning.
   */
  const farPlace = Effect.fnUntraced(function* (selection: Selection, after: Position | null, sort: KeyedSort | null) {
    const { also, conditions, definition, offset = 0, order } = selection
    if (offset === 0 || conditions.length > 0 || also !== undefined) return undefined
    const steps = typeof order === "string" || (sort !== null && (after === null || (after.key ?? null) !== null))
    if (!steps || !(yield* far.isFar(definition.app_id, offset))) return undefined
    return typeof order === "string"
      ? yield* far.numbered(definition.app_id, order === "newest", after, offset)
      : yield* far.keyed(definition.app_id, sort!, order.desc, after, offset)
  })

  const rowsBy = Effect.fnUntraced(function* (
    path: AccessPath,
    asked: Selection,
    from: Position | null,
    limit: number,
    read: Reader
  ) {
    const { few, keyed } = path
    const farPosition = yield* farPlace(asked, from, keyed.sort)
    if (farPosition === null) return { rows: [] } satisfies SelectedRows as SelectedRows
    const [selection, after] = farPosition === undefined ? [asked, from] : [{ ...asked, offset: 0 }, farPosition]
    const { also, conditions, offset = 0, order } = selection
    if (typeof order === "string") {
      const soleCondition = onlyCondition(selection, keyed)
      const equal = soleCondition?.equal === true ? soleCondition : keyed.conditions.find(({ equal }) => equal)
      // Reads the page in the order of the index, without other records, however few there are.
      const fewToRead = soleCondition?.equal === true ? null : few
      return yield* read(numbered(selection, order === "newest", after, limit, fewToRead, equal))
    }
    const bare = conditions.length === 0 && also === undefined
    return few === null && keyed.sort !== null && (offset === 0 || bare)
      ? yield* inKeyOrder(selection, keyed.sort, order.desc, after, limit, read)
      : yield* read(sorted(selection, order, after, limit, few))
  })

  /** Reads a page in the order of a pair's keys. They decide: what they stand for is not tested again. */
  const ofPair = (selection: Selection, pair: KeyedPair, after: Position | null, limit: number, read: Reader) =>
    inKeyOrder({ ...selection, conditions: [] }, pair, isDescending(selection.order), after, limit, read)

  /**
   * Reads a page and the number of all matches in one statement, if an index counts them and has few enough to sort them. Finds nothing
   * otherwise, at the cost of the number.
   */
  const countedPage = (selection: Selection, keyed: Keyed, after: Position | null, limit: number) => {
    const { definition, order } = selection
    const sole = onlyCondition(selection, keyed)
    if (sole?.counted !== true || typeof order === "string") return Effect.succeed<SelectedRows>({ rows: [] })
    // The keys decide: what they stand for is not tested again.
    const page = sorted({ ...selection, conditions: [] }, order, after, limit, sole, true)
    return withAuthors(definition.org_id, page, countedBy(sole))
  }

  /**
   * Count and pages of a listing, with one choice of the access path. The first page brings the number of all matches with its rows where
   * it is kept.
   * @param counts true if the listing has a total
   */
  const countAndPages = Effect.fnUntraced(function* (selection: Selection, counts: boolean) {
    const { also, conditions, definition } = selection
    const keyed = yield* Effect.cached(keyedOf(selection))
    const path = yield* Effect.cached(Effect.flatMap(keyed, pathOf))
    const isBare = conditions.length === 0 && also === undefined
    const pages = Effect.fnUntraced(function* (after: Position | null, limit: number) {
      const { pair } = yield* keyed
      const keptCount = isBare
        ? live.keptCount(definition.app_id)
        : pair?.condition.counted === true
          ? countedBy(pair.condition)
          : undefined
      // Later pages have the number from their cursor.
      const countStatement = counts && after === null ? keptCount : undefined
      const read: Reader = (records) => withAuthors(definition.org_id, records, countStatement)
      if (pair !== null) return yield* ofPair(selection, pair, after, limit, read)
      const countedRows = yield* countedPage(selection, yield* keyed, after, limit)
      return countedRows.rows.length > 0 ? countedRows : yield* rowsBy(yield* path, selection, after, limit, read)
    })
    return { count: countMatches(selection, path), pages }
  })

  /** Reads up to `limit` records, from the beginning or after a position. */
  const rows = Effect.fnUntraced(function* (selection: Selection, after: Position | null, limit: number) {
    const keyed = yield* keyedOf(selection)
    return (yield* keyed.pair === null
      ? rowsBy(yield* pathOf(keyed), selection, after, limit, plain)
      : ofPair(selection, keyed.pair, after, limit, plain)).rows
  })

  return { current, granted, both: countAndPages, rows, named, columns, filterSql, titled }
})
