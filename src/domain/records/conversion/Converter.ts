// Converts the values of some records (developer-api.md 11.4): looks up what they name and what they become, and reserves ids of new entries
// and options. The dry run and the job both come through here, so the one tells what the other does.
import { Clock, Effect, Result, Schema } from "effect"
import { cut } from "../../../platform/bounds/cut.ts"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AnyOption } from "../fields/kinds/optionFields.ts"
import type { RelationSettings } from "../fields/kinds/relationFields.ts"
import { noMentions } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { Lookups } from "../model/Lookups.ts"
import { EntryIds } from "../writing/EntryIds.ts"
import { convertCell, type FieldPair, keepsEntries, partsOf, valueText } from "./convertCell.ts"
import { optionMaker, withOptions, withReserved } from "./newOptions.ts"

export interface HeldValue {
  readonly record_id: number
  /** Not empty. */
  readonly cell: Cell
}
export interface ConvertedValue {
  readonly record_id: number
  readonly source: Cell
  readonly cell: Cell
  /** Reason for which the cell is empty. */
  readonly problem: string | null
  /** Both as texts, the beginning of long ones. */
  readonly before: string
  readonly after: string
}
export interface Conversion extends FieldPair {
  readonly orgId: number
  readonly userId: number
  /** True: nothing is reserved, and ids of new entries and options are negative. */
  readonly dryRun: boolean
}

/** Characters that an answer shows of a value. */
const TEXT_AT_MOST = 200
const shortened = (text: string): string => cut(text, TEXT_AT_MOST)

const NamedIds = Schema.Struct({ name: Schema.String, ids: Schema.Array(Schema.Int) })
const OptionId = Schema.Struct({ id: Schema.Int })

export const makeConverter = Effect.gen(function* () {
  const sql = yield* Sql
  const lookups = yield* Lookups
  const entryIds = yield* EntryIds

  /** Users by name or email address, without case; two ids of several suffice. */
  const usersNamed = (orgId: number, names: ReadonlyArray<string>) =>
    rowsOf(NamedIds)(sql`
      SELECT x.name, (array_agg(DISTINCT u.user_id))[1:2] AS ids
      FROM unnest(${names.map((name) => name.toLowerCase())}::text[]) AS x (name)
      JOIN (SELECT u.user_id, lower(u.name) AS name, lower(p.email) AS email FROM users u JOIN people p USING (person_id)
        WHERE u.org_id = ${orgId} AND u.status <> 'removed') u ON x.name = u.email OR x.name = u.name AND position('@' IN x.name) = 0
      GROUP BY x.name`)

  /** Live records of the referenced apps by their title as it is shown. */
  const recordsTitled = (orgId: number, apps: RelationSettings["referenced_apps"], titles: ReadonlyArray<string>) =>
    rowsOf(NamedIds)(sql`
      SELECT t.title AS name, (array_agg(t.record_id))[1:2] AS ids FROM (
        SELECT r.record_id, coalesce(r.title, a.item_name || ' #' || r.app_record_id) AS title FROM records r JOIN apps a USING (app_id)
        WHERE r.app_id = ANY(${apps.map(({ app_id }) => String(app_id))}::text[]::bigint[]) AND r.org_id = ${orgId}
          AND r.deleted_on IS NULL) t
      WHERE t.title = ANY(${[...titles]}::text[]) GROUP BY t.title`)

  const namesOf = Effect.fnUntraced(function* ({ orgId, ...pair }: Conversion, texts: ReadonlyArray<string>) {
    const { kind } = typeOf(pair.to)
    if ((kind !== "users" && kind !== "records") || keepsEntries(pair)) return () => []
    const names = [...new Set(texts.flatMap((text) => [text.trim(), ...partsOf(text, pair)]))]
    const rows =
      kind === "users"
        ? yield* usersNamed(orgId, names)
        : yield* recordsTitled(orgId, (pair.to.settings as RelationSettings).referenced_apps, names)
    const byName = new Map(rows.map(({ ids, name }) => [name, ids]))
    return (text: string) => byName.get(kind === "users" ? text.toLowerCase() : text) ?? []
  })

  const reserveOptions = (count: number) =>
    count === 0
      ? Effect.succeed([])
      : Effect.map(
          rowsOf(OptionId)(sql`SELECT nextval('option_ids') AS id FROM generate_series(1, ${count}::int)`),
          (rows) => rows.map(({ id }) => id)
        )

  /** @param options those that the conversion has added before */
  const convert = Effect.fn("Converter.convert")(function* (
    conversion: Conversion,
    values: ReadonlyArray<HeldValue>,
    options: ReadonlyArray<AnyOption>
  ) {
    const { dryRun, from, orgId, userId } = conversion
    const to = withOptions(conversion.to, options)
    const pair = { from, to }
    const toType = typeOf(to)
    const mentions = noMentions()
    for (const { cell } of values) typeOf(from).mention?.(cell, mentions)
    const foundThings = yield* lookups.forReading(orgId, mentions)
    const texts = values.map(({ cell }) => valueText(cell, pair, foundThings))
    const idsNamed = yield* namesOf(conversion, texts)
    const maker = optionMaker(to)
    let entryCount = 0
    const context = {
      found: foundThings,
      idsNamed,
      hasOption: maker.hasOption,
      optionNamed: maker.optionNamed,
      entryId: () => -++entryCount,
      now: formatDateTime(new Date(yield* Clock.currentTimeMillis))
    }
    const results = values.map(({ cell }) => convertCell(cell, pair, context))
    const newMentions = noMentions()
    for (const result of results) if (Result.isSuccess(result)) toType.mention?.(result.success, newMentions)
    const newFound = yield* lookups.forWriting(orgId, newMentions, userId)
    // A thing that a value has named before may be in the trash, or removed, by now: it stays.
    const checkable = (cell: Cell): Cell =>
      !keepsEntries(pair) || toType.kind === "files"
        ? cell
        : toType.kind === "records"
          ? cell.filter((id) => newFound.records.has(id as number))
          : []
    const judged = results.map((result): { readonly cell: Cell; readonly problem: string | null } => {
      if (Result.isFailure(result)) return { cell: [], problem: shortened(result.failure) }
      const checkedCell = checkable(result.success)
      const problem =
        result.success.length === 0 ? "is empty as the new type reads it" : toType.check?.(checkedCell, to, newFound)
      return problem === undefined || problem === null
        ? { cell: result.success, problem: null }
        : { cell: [], problem: shortened(problem) }
    })
    const newEntryIds = dryRun || entryCount === 0 ? null : yield* entryIds.reserve(entryCount)
    const newOptionIds = dryRun ? null : yield* reserveOptions(maker.added.length)
    const entryIdOf = new Map<number, number>()
    const reserved = (id: number) => {
      if (id >= 0) return id
      if (toType.kind === "options") return newOptionIds?.[-1 - id] ?? id
      if (newEntryIds === null) return id
      if (!entryIdOf.has(id)) entryIdOf.set(id, newEntryIds())
      return entryIdOf.get(id)!
    }
    const key = toType.kind === "options" ? null : toType.kind === "links" ? "embed_id" : "id"
    const hasIds = toType.kind === "options" || toType.entryIds === true
    const shownField = withOptions(to, maker.added)
    const converted = values.map(({ cell: source, record_id }, index): ConvertedValue => {
      const { cell, problem } = judged[index]!
      const newText = shortened(cell.map((entry) => toType.text(entry, shownField, newFound)).join(", "))
      const storedCell = hasIds ? withReserved(cell, key, reserved) : cell
      return { record_id, source, cell: storedCell, problem, before: shortened(texts[index]!), after: newText }
    })
    const added = maker.added.map((option) => ({ ...option, id: reserved(option.id) }))
    return { converted, options: [...options, ...added] }
  }, orSqlDefect)

  return { convert }
})
