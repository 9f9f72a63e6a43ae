// Conditions of record filters as SQL over `records r` (developer-api.md 4.4, compared as 3.4 and decisions A10, A11 say):
// an empty value passes negated tests only. Field ids are the definition's, everything else is bound as a parameter.
import type { SqlClient, Statement } from "effect/sql"
import type { Condition, Fieldless, Test } from "../fields/matching/RecordFilter.ts"
import type { Field } from "../fields/model/FieldType.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { kindOf } from "./vocabulary.ts"

type Fragment = Statement.Fragment
type Sql = SqlClient.SqlClient
type Of<K extends Test["is"]> = Extract<Test, { readonly is: K }>

/** White space as JavaScript's `\s` has it. */
const blank = "[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+"

/** Pieces without white space, the longest first: what passes a text test holds them, whatever its blanks. */
const cues = (text: string) => [...new Set(text.split(" "))].sort((a, b) => b.length - a.length).slice(0, 5)
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const inHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const idArray = (ids: ReadonlyArray<number>) => ids.map(String)

export const makeFilterSql = (sql: Sql) => {
  const lit = sql.literal
  const cell = (id: number) => lit(`r.cells->'${id}'`)

  /** Trimmed, runs of white space as one blank. */
  const plain = (value: Fragment) => sql`btrim(regexp_replace(${value}, ${blank}::text, ' ', 'g'))`
  /** The text of sanitized HTML, in which no other entities occur; a tag ends a word. */
  const untagged = (html: Fragment) =>
    sql`replace(replace(replace(regexp_replace(${html}, '<[^>]*>', ' ', 'g'), '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`

  const textMatches = (value: Fragment, { how, text, cased }: Of<"text">) => {
    if (cased) return sql`${plain(value)} = ${text}::text`
    const low = sql`lower(${plain(value)})`
    const wanted = sql`lower(${text}::text)`
    switch (how) {
      case "equal":
        return sql`${low} = ${wanted}`
      case "contains":
        return sql`strpos(${low}, ${wanted}) > 0`
      case "starts_with":
        return sql`starts_with(${low}, ${wanted})`
      case "ends_with":
        return sql`right(${low}, length(${wanted})) = ${wanted}`
    }
  }

  /** A cheap look at the value as stored, so that few rows pay for the exact comparison. */
  const mayMatch = (stored: Fragment, { text, cased }: Of<"text">, encoded = (word: string) => word) =>
    sql.and(
      cues(text)
        .map(encoded)
        .map((word) =>
          cased ? sql`strpos(${stored}, ${word}::text) > 0` : sql`strpos(lower(${stored}), lower(${word}::text)) > 0`
        )
    )

  /** Some entry of a list field passes. */
  const someEntry = (id: number, passes: Fragment) =>
    sql`EXISTS (SELECT 1 FROM jsonb_array_elements(${cell(id)}) e WHERE ${passes})`
  const someText = (id: number, key: string, test: Of<"text">) =>
    sql`(${mayMatch(sql`(${cell(id)})::text`, test, inJson)}
      AND ${someEntry(id, textMatches(lit(`e->>'${key}'`), test))})`
  const textTest = (field: Field, test: Of<"text">) => {
    const id = field.field_id
    switch (kindOf(field)) {
      case "contact":
        return someText(id, "value", test)
      case "link":
        return someText(id, "url", test)
      case "location":
        return textMatches(sql`${cell(id)}->0->>'value'`, test)
      case "files":
        return sql`EXISTS (SELECT 1 FROM file_links l JOIN files f USING (file_id)
          WHERE l.record_id = r.record_id AND l.field_id = ${id}::bigint AND ${textMatches(lit("f.name"), test)})`
      default: {
        const value = sql`(${cell(id)}->>0)`
        return field.field_type === "multi_text"
          ? sql`(${mayMatch(value, test, inHtml)} AND ${textMatches(untagged(value), test)})`
          : sql`(${mayMatch(value, test)} AND ${textMatches(value, test)})`
      }
    }
  }

  /** Related records that are in the trash are not there (4.3 rule 6). */
  const liveLinks = (id: number) => sql`
    record_links l JOIN records t ON t.record_id = l.target_id AND t.deleted_on IS NULL
    WHERE l.field_id = ${id}::bigint`
  const ownLinks = (id: number) => sql`SELECT 1 FROM ${liveLinks(id)} AND l.record_id = r.record_id`
  const pointsTo = (id: number, ids: ReadonlyArray<number>) =>
    sql`r.record_id IN (SELECT l.record_id FROM ${liveLinks(id)} AND l.target_id = ANY(${idArray(ids)}::text[]::bigint[]))`
  const relationTest = (id: number, { how, ids }: Of<"ids">) => {
    if (how === "any") return pointsTo(id, ids)
    const all = sql.and(ids.map((target) => pointsTo(id, [target])))
    return how === "all"
      ? all
      : sql`(${all} AND NOT EXISTS (${ownLinks(id)} AND l.target_id <> ALL(${idArray(ids)}::text[]::bigint[])))`
  }

  const authorTest = (column: "created_by" | "last_modified_by", ids: ReadonlyArray<number>) =>
    sql`r.${lit(column)}->>'user_id' = ANY(${idArray(ids)}::text[])`

  const idsTest = (field: Field, test: Of<"ids">) => {
    const { type, multiple } = typeOf(field)
    const id = field.field_id
    if (type === "relation") return relationTest(id, test)
    if (type === "created_by" || type === "last_modified_by") return authorTest(type, test.ids)
    const listed = sql`${JSON.stringify(test.ids)}::jsonb`
    if (test.how === "all") return sql`${cell(id)} @> ${listed}`
    if (test.how === "exactly") return sql`(${cell(id)} @> ${listed} AND ${cell(id)} <@ ${listed})`
    const texts = sql`${idArray(test.ids)}::text[]`
    return multiple
      ? sql`EXISTS (SELECT 1 FROM jsonb_array_elements_text(${cell(id)}) e WHERE e = ANY(${texts}))`
      : sql`${cell(id)}->>0 = ANY(${texts})`
  }

  /** First and last day as text that sorts as dates do. */
  const dayRange = (first: Fragment, last: Fragment, { from, to, overlap }: Of<"days">) =>
    sql.and([
      ...(from === null ? [] : [sql`${overlap ? last : first} COLLATE "C" >= ${from}::text`]),
      ...(to === null ? [] : [sql`${first} COLLATE "C" <= ${to}::text`])
    ])
  const calendarDay = (first: Fragment, { unit, value }: Of<"calendar">) =>
    sql`extract(${lit(unit)} FROM (${first})::date) = ${value}::int`
  const dateTest = (field: Field, test: Of<"days" | "calendar">) => {
    const { type } = typeOf(field)
    const column = { created_at: "created_on", last_modified_at: "last_modified_on" }[type]
    const start = column
      ? lit(`to_char(r.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`)
      : sql`left(${cell(field.field_id)}->0->>'start', 10)`
    if (test.is === "calendar") return calendarDay(start, test)
    const end =
      field.field_type === "range_date" ? sql`coalesce(left(${cell(field.field_id)}->0->>'end', 10), ${start})` : start
    return dayRange(start, end, test)
  }

  const entryTest = (id: number, property: string, test: Test) => {
    switch (test.is) {
      case "text":
        return someText(id, "title", test)
      case "ids":
        return someEntry(id, sql`e->>'assignee' = ANY(${idArray(test.ids)}::text[])`)
      case "days": {
        const due = lit("left(e->>'due_at', 10)")
        return someEntry(id, dayRange(due, due, test))
      }
      case "done": {
        const open = someEntry(id, lit("NOT (e->>'completed')::boolean"))
        return test.done ? sql`(${cell(id)} IS NOT NULL AND NOT ${open})` : open
      }
      default: {
        const key = { title: "title", status: "completed", assignee: "assignee", due_date: "due_at" }[property]
        return sql`NOT ${someEntry(id, lit(`e->>'${key}' IS NOT NULL`))}`
      }
    }
  }

  const emptyTest = (field: Field) => {
    const { type } = typeOf(field)
    if (type === "relation") return sql`NOT EXISTS (${ownLinks(field.field_id)})`
    if (type === "last_modified_at" || type === "last_modified_by") return lit("r.last_modified_on IS NULL")
    if (typeOf(field).compute !== undefined && type !== "calculation") return lit("false")
    return sql`${cell(field.field_id)} IS NULL`
  }

  const numberColumn = (field: Field) =>
    field.field_type === "unique_id" ? lit("r.app_record_id") : sql`(${cell(field.field_id)}->>0)::numeric`
  const numberTest = (value: Fragment, { comparator, value: wanted }: Of<"number">) =>
    sql`${value} ${lit(comparator)} ${String(wanted)}::numeric`

  const fieldTest = (field: Field, test: Test): Fragment => {
    switch (test.is) {
      case "empty":
        return emptyTest(field)
      case "text":
        return textTest(field, test)
      case "number":
        return numberTest(numberColumn(field), test)
      case "ids":
        return idsTest(field, test)
      case "days":
      case "calendar":
        return dateTest(field, test)
      default:
        return lit("false")
    }
  }

  const columns = {
    created_at: "r.created_on",
    last_modified_at: "r.last_modified_on",
    app_record_id: "r.app_record_id"
  }
  /** A record that was never changed matches no filter on `last_modified_at`, negated or not. */
  const metaTest = (meta: Fieldless, test: Test, negate: boolean): Fragment => {
    const column = lit(columns[meta])
    const known = sql`${column} IS NOT NULL`
    if (test.is === "empty") return negate ? known : lit("false")
    const passes =
      test.is === "number"
        ? numberTest(column, test)
        : test.is === "instants"
          ? sql.and([
              known,
              ...(test.from === null ? [] : [sql`${column} >= ${test.from}::timestamptz`]),
              ...(test.before === null ? [] : [sql`${column} < ${test.before}::timestamptz`])
            ])
          : lit("false")
    return negate ? sql`(${known} AND NOT (${passes}))` : passes
  }

  /** One condition over `records r`; `true` for a field that the definition no longer has. */
  const condition = (definition: AppDefinition, { subject, test, negate, property }: Condition): Fragment => {
    if ("meta" in subject) return metaTest(subject.meta, test, negate)
    const field = definition.byId.get(subject.fieldId)
    if (field === undefined) return lit("true")
    const passes = property === undefined ? fieldTest(field, test) : entryTest(field.field_id, property, test)
    if (!negate) return passes
    // Plain, so that the planner sees a semi-join.
    if (test.is === "empty" && typeOf(field).type === "relation") return sql`EXISTS (${ownLinks(field.field_id)})`
    return sql`(${passes}) IS NOT TRUE`
  }

  /** All of them, over `records r`. */
  return (definition: AppDefinition, conditions: ReadonlyArray<Condition>): Fragment =>
    conditions.length === 0 ? lit("true") : sql.and(conditions.map((one) => sql`(${condition(definition, one)})`))
}
