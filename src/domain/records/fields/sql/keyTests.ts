// Tests of record filters over the keys of an indexed field (`record_keys k`, migration 0044). Records that pass a test have such a key; if
// the key does not decide the test completely, the record is tested too.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../../platform/sql/Sql.ts"
import { fold } from "../../../../platform/text/folding.ts"
import type { RecordCondition, Test } from "../matching/RecordFilter.ts"

/** Form of a field's keys: its number, its text, its first day, or each id that it names. */
export type KeyKind = "number" | "text" | "day" | "refs"

/** The column that a listing sorts by, and its type; none for ids, which people read as something else. */
export const sortColumns: Readonly<
  Record<KeyKind, { readonly column: string; readonly type: "numeric" | "text" } | null>
> = {
  number: { column: "number", type: "numeric" },
  text: { column: "words", type: "text" },
  day: { column: "plain", type: "text" },
  refs: null
}

type Of<K extends Test["is"]> = Extract<Test, { readonly is: K }>

export interface KeyTest {
  readonly where: Statement.Fragment
  /** True if exactly the records with such a key pass, and each has one such key. */
  readonly exact: boolean
  /** All of these keys are equal, so that the index has them in the order of their records. */
  readonly equal: boolean
  /** The number or the id that all of these keys are, as the keys of pairs have it (migration 0076). */
  readonly value?: Statement.Fragment
  /** Comparison of a test of numbers. */
  readonly number?: Of<"number">
}

/** Longer texts are not looked for among the keys, which hold 200 characters. */
const CHARACTERS = 60
/** Sorts after whatever begins with the text before it. */
const LAST = "\u{10FFFF}"

const number = (sql: Sql, test: Of<"number">): KeyTest => ({
  where: sql`k.number ${sql.literal(test.comparator)} ${String(test.value)}::numeric`,
  exact: true,
  equal: test.comparator === "=",
  ...(test.comparator === "=" ? { value: sql`${String(test.value)}::numeric` } : {}),
  number: test
})

const text = (sql: Sql, { how, text }: Of<"text">): KeyTest | null => {
  if (text.length > CHARACTERS) return null
  // Matches the index of migration 0059; only keys of texts have words.
  const key = sql`k.words IS NOT NULL AND (fold_text(k.plain)) COLLATE "C"`
  const low = sql`${fold(text)}::text`
  if (how === "equal") return { where: sql`(${key} = ${low})`, exact: false, equal: true }
  if (how !== "starts_with") return null
  return {
    where: sql`(${key} >= ${low} AND (fold_text(k.plain)) COLLATE "C" < (${low} || ${LAST}::text))`,
    exact: false,
    equal: false
  }
}

const least = (a: string, b: string) => (a < b ? a : b)
const greatest = (a: string, b: string) => (a < b ? b : a)

/** Narrows by days. Keys hold only the first day of a range. For a day of a time zone the test uses the UTC days that it overlaps. */
const days = (sql: Sql, { from, moments, overlap, to }: Of<"days">, range: boolean): KeyTest | null => {
  if (overlap && range) return null
  const firstDay = from === null ? null : least(from, (moments?.from ?? from).slice(0, 10))
  const lastDay = to === null ? null : greatest(to, (moments?.before ?? to).slice(0, 10))
  return {
    where: sql.and([
      sql`k.plain IS NOT NULL`,
      ...(firstDay === null ? [] : [sql`k.plain >= ${firstDay}::text COLLATE "C"`]),
      ...(lastDay === null ? [] : [sql`k.plain < (${lastDay}::text || '~') COLLATE "C"`])
    ]),
    exact: moments === undefined,
    equal: false
  }
}

const ids = (sql: Sql, { how, ids }: Of<"ids">): KeyTest | null => {
  const [first] = ids
  if (first === undefined) return null
  // Searches one id: a record that has all of them has this one.
  const sought = how === "any" ? ids : [first]
  return {
    where: sql`k.ref = ANY(${sought.map(String)}::text[]::bigint[])`,
    exact: how === "any" && ids.length === 1,
    equal: sought.length === 1,
    ...(sought.length === 1 ? { value: sql`${String(first)}::numeric` } : {})
  }
}

/** Narrows a condition by the keys of the field; null if the keys cannot help. */
export const keyTest = (
  sql: Sql,
  kind: KeyKind,
  { negate, property, test }: RecordCondition,
  range: boolean
): KeyTest | null => {
  if (negate || property !== undefined) return null
  if (kind === "number" && test.is === "number") return number(sql, test)
  if (kind === "text" && test.is === "text") return text(sql, test)
  if (kind === "day" && test.is === "days") return days(sql, test, range)
  return kind === "refs" && test.is === "ids" ? ids(sql, test) : null
}
