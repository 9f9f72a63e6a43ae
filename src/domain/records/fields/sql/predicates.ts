// Tests of record filters as SQL over the cells of `records r` (developer-api.md 4.4, compared as 3.4 and decisions A10, A11
// say). Field ids are the definition's, everything else is bound as a parameter.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../../platform/sql/Sql.ts"
import { fold, foldCase } from "../../../../platform/text/folding.ts"
import type { Test } from "../matching/RecordFilter.ts"
import type { Field } from "../model/Field.ts"

type Fragment = Statement.Fragment
type TestOf<K extends Test["is"]> = Extract<Test, { readonly is: K }>

/** White space as JavaScript's `\s` has it. */
const blank = "[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+"

/** Parts without white space, the longest first: every text that passes the test contains them, whatever its blanks. */
const cues = (text: string) => [...new Set(text.split(" "))].sort((a, b) => b.length - a.length).slice(0, 5)
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

const idArray = (ids: ReadonlyArray<number>) => ids.map(String)

/** Moments `early` and `first`, as texts, within the days of a zone; an early one alone may be before the end. */
const momentsWithin = (sql: Sql, early: Fragment, first: Fragment, { from, moments, to }: TestOf<"days">): Fragment =>
  sql.and([
    ...(from === null
      ? []
      : [
          sql`CASE WHEN length(${early}) > 10 THEN ${early} COLLATE "C" >= ${moments?.from ?? from}::text
            ELSE ${early} COLLATE "C" >= ${from}::text END`
        ]),
    ...(to === null
      ? []
      : [
          sql`CASE WHEN length(${first}) > 10 THEN ${first} COLLATE "C" < ${moments?.before ?? to}::text
            ELSE ${first} COLLATE "C" <= ${to}::text END`
        ])
  ])

export const makePredicates = (sql: Sql) => {
  const lit = sql.literal
  const cell = (id: number) => lit(`r.cells->'${id}'`)
  const firstText = (id: number) => sql`(${cell(id)}->>0)`

  /** Trimmed, runs of white space as one blank. */
  const collapseBlanks = (value: Fragment) => sql`btrim(regexp_replace(${value}, ${blank}::text, ' ', 'g'))`

  const textMatches = (value: Fragment, { how, text, cased }: TestOf<"text">) => {
    if (cased) return sql`${collapseBlanks(value)} = ${text}::text`
    // Ignores case only: comparisons of the complete text respect accents (decisions A25).
    if (how === "equal") return sql`fold_case(${collapseBlanks(value)}) = ${foldCase(text)}::text`
    const low = sql`fold_text(${collapseBlanks(value)})`
    const pattern = sql`${fold(text)}::text`
    switch (how) {
      case "contains":
        return sql`strpos(${low}, ${pattern}) > 0`
      case "starts_with":
        return sql`starts_with(${low}, ${pattern})`
      case "ends_with":
        return sql`right(${low}, length(${pattern})) = ${pattern}`
    }
  }

  /** A cheap look at the value as stored, so that few rows pay for the exact comparison. */
  const mayMatch = (stored: Fragment, { text, cased }: TestOf<"text">, encoded = (word: string) => word) =>
    sql.and(
      cues(text)
        .map(encoded)
        .map((word) =>
          cased ? sql`strpos(${stored}, ${word}::text) > 0` : sql`strpos(fold_text(${stored}), ${fold(word)}::text) > 0`
        )
    )

  /** Some entry of a list field passes. */
  const someEntry = (id: number, passes: Fragment) =>
    sql`EXISTS (SELECT 1 FROM jsonb_array_elements(${cell(id)}) e WHERE ${passes})`
  const someText = (id: number, key: string, test: TestOf<"text">) =>
    sql`(${mayMatch(sql`(${cell(id)})::text`, test, inJson)}
      AND ${someEntry(id, textMatches(lit(`e->>'${key}'`), test))})`

  const anyId = (value: Fragment, ids: ReadonlyArray<number>) => sql`${value} = ANY(${idArray(ids)}::text[])`
  /** Ids that the cell itself holds. */
  const idsHeld = (id: number, multiple: boolean, { how, ids }: TestOf<"ids">) => {
    const idsJson = sql`${JSON.stringify(ids)}::jsonb`
    if (how === "all") return sql`${cell(id)} @> ${idsJson}`
    if (how === "exactly") return sql`(${cell(id)} @> ${idsJson} AND ${cell(id)} <@ ${idsJson})`
    const texts = sql`${idArray(ids)}::text[]`
    return multiple
      ? sql`EXISTS (SELECT 1 FROM jsonb_array_elements_text(${cell(id)}) e WHERE e = ANY(${texts}))`
      : sql`${cell(id)}->>0 = ANY(${texts})`
  }

  /** Related records that are in the trash are not there (4.3 rule 6). */
  const liveLinks = (id: number) => sql`
    record_links l JOIN records t ON t.record_id = l.target_id AND t.deleted_on IS NULL
    WHERE l.field_id = ${id}::bigint`
  const ownLinks = (id: number) => sql`SELECT 1 FROM ${liveLinks(id)} AND l.record_id = r.record_id`
  const pointsTo = (id: number, ids: ReadonlyArray<number>) =>
    sql`r.record_id IN (SELECT l.record_id FROM ${liveLinks(id)} AND l.target_id = ANY(${idArray(ids)}::text[]::bigint[]))`
  const linked = (id: number, { how, ids }: TestOf<"ids">) => {
    if (how === "any") return pointsTo(id, ids)
    const distinctIds = [...new Set(ids)]
    // A subquery for each id would be planned by the hundred.
    const linksAll = sql`r.record_id IN (
      SELECT l.record_id FROM ${liveLinks(id)} AND l.target_id = ANY(${idArray(distinctIds)}::text[]::bigint[])
      GROUP BY l.record_id HAVING count(*) = ${distinctIds.length}::int)`
    return how === "all"
      ? linksAll
      : sql`(${linksAll} AND NOT EXISTS (${ownLinks(id)} AND l.target_id <> ALL(${idArray(ids)}::text[]::bigint[])))`
  }

  /** First and last moment as texts that sort as dates do. Of a zone's days a value without a time has the one that it names. */
  const dayRange = (first: Fragment, last: Fragment, test: TestOf<"days">) => {
    const { from, moments, overlap, to } = test
    const early = overlap ? last : first
    if (moments === undefined)
      return sql.and([
        ...(from === null ? [] : [sql`left(${early}, 10) COLLATE "C" >= ${from}::text`]),
        ...(to === null ? [] : [sql`left(${first}, 10) COLLATE "C" <= ${to}::text`])
      ])
    return momentsWithin(sql, early, first, test)
  }
  const calendarDay = (first: Fragment, { unit, value }: TestOf<"calendar">) =>
    sql`extract(${lit(unit)} FROM left(${first}, 10)::date) = ${value}::int`

  const numberIs = (value: Fragment, { comparator, value: wanted }: TestOf<"number">) =>
    sql`${value} ${lit(comparator)} ${String(wanted)}::numeric`

  return {
    sql,
    lit,
    cell,
    firstText,
    collapseBlanks,
    textMatches,
    mayMatch,
    someEntry,
    someText,
    anyId,
    idsHeld,
    ownLinks,
    linked,
    dayRange,
    calendarDay,
    numberIs,
    never: lit("false")
  }
}
export type Predicates = ReturnType<typeof makePredicates>

/** Builds the condition of one kind of test; a field never gets another kind. */
export const when =
  <K extends Test["is"], F extends Field>(
    is: K,
    passes: (sql: Predicates, field: F, test: TestOf<K>) => Statement.Fragment
  ) =>
  (sql: Predicates, field: F, test: Test): Statement.Fragment =>
    test.is === is ? passes(sql, field, test as TestOf<K>) : sql.never

/** Empty fields have no cell. */
export const noCell = ({ cell, sql }: Predicates, { field_id }: Field) => sql`${cell(field_id)} IS NULL`
