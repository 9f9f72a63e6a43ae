// Translates match conditions into SQL (decisions A6): a condition that every matching record must fulfil, over `records r`. It accepts at
// least the records that the evaluator matches, which decides afterwards. Conditions that SQL cannot decide do not narrow.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { fold } from "../../../platform/text/folding.ts"
import type { Field } from "../../records/fields/model/Field.ts"
import { typeOf } from "../../records/fields/registry.ts"
import type { Condition, FilterGroup, FilterRow } from "../model/Definition.ts"
import { isChange, isGroup, isScript } from "../schema/Filter.ts"
import { isOperatorOf, type Kind, metaKinds, type Operator } from "../schema/operators.ts"
import { type DateOperand, negative, type Operand, plain } from "./comparison.ts"
import type { Prepared } from "./evaluateMany.ts"

type Fragment = Statement.Fragment

/** Subject of a condition on the collected record: one of its fields, or a fact about it. */
export type NarrowingTarget = { readonly field: Field } | { readonly meta: keyof typeof metaKinds }

export interface Narrowing {
  readonly prepared: Prepared
  /** Undefined: the subject is not on the collected record, or unknown. */
  readonly target: (row: Condition) => NarrowingTarget | undefined
}

export const makeNarrow = (sql: Sql) => {
  const never = sql.literal("false")

  const text = (value: Fragment, operator: Operator, wanted: string): Fragment => {
    // Texts beyond ASCII pass: only the evaluator compares their case and white space correctly.
    const odd = sql`${value} ~ '[^\\x01-\\x7f]'`
    const normal = sql`btrim(regexp_replace(${value}, '\\s+', ' ', 'g')) COLLATE "C"`
    const low = sql`lower(${normal})`
    const lowered = fold(plain(wanted))
    switch (operator) {
      case "is":
        return sql`(${normal} = ${plain(wanted)} OR ${odd})`
      case "is_not":
        return sql`(${normal} <> ${plain(wanted)} OR ${odd})`
      case "contains":
        return sql`(strpos(${low}, ${lowered}) > 0 OR ${odd})`
      case "does_not_contain":
        return sql`(strpos(${low}, ${lowered}) = 0 OR ${odd})`
      case "starts_with":
        return sql`(starts_with(${low}, ${lowered}) OR ${odd})`
      default:
        return sql`(right(${low}, length(${lowered})) = ${lowered} OR ${odd})`
    }
  }

  const comparators: Partial<Record<Operator, string>> = {
    is: "=",
    is_not: "<>",
    greater_than: ">",
    greater_or_equal_than: ">=",
    less_than: "<",
    less_or_equal_than: "<="
  }
  const number = (value: Fragment, operator: Operator, wanted: number): Fragment =>
    sql`${value} ${sql.literal(comparators[operator]!)} ${String(wanted)}::numeric`

  const ids = (cell: Fragment, operator: Operator, wanted: ReadonlyArray<number>): Fragment => {
    const holds = wanted.map((id) => sql`${cell} @> ${JSON.stringify(id)}::jsonb`)
    const any = sql`(${sql.or(holds)})`
    switch (operator) {
      case "has_all_of":
      case "is_exactly":
        return sql`(${sql.and(holds)})`
      case "is_not":
      case "is_none_of":
      case "has_none_of":
        return sql`NOT ${any}`
      default:
        return any
    }
  }

  /** Compares `start` and `last` as stored, both as text: four-digit years and fixed widths keep their order. */
  const date = (start: Fragment, last: Fragment, operator: Operator, wanted: DateOperand): Fragment => {
    // The evaluator compares instants exactly; here the days around them are enough.
    if (wanted.instant !== undefined) {
      const [lower, day] = [wanted.day, wanted.instant.slice(0, 10)].toSorted() as [string, string]
      // Sorts after every time of that day.
      const upper = `${day} ~`
      if (operator === "is") return sql`(${start} <= ${upper} AND ${last} >= ${lower})`
      if (operator === "is_before") return sql`${start} <= ${upper}`
      return operator === "is_after" ? sql`${start} >= ${lower}` : sql.literal("true")
    }
    const timed = sql`length(${start}) > 10`
    const either = (withTime: Fragment, without: Fragment) =>
      sql`CASE WHEN ${timed} THEN ${withTime} ELSE ${without} END`
    const { day, from, to } = wanted
    const is = either(sql`${start} < ${to} AND ${last} >= ${from}`, sql`${start} <= ${day} AND ${last} >= ${day}`)
    switch (operator) {
      case "is":
        return is
      case "is_not":
        return sql`NOT (${is})`
      case "is_before":
        return either(sql`${start} < ${from}`, sql`${start} < ${day}`)
      default:
        return either(sql`${start} >= ${to}`, sql`${start} > ${day}`)
    }
  }

  const fieldLeaf = (field: Field, operator: Operator, operand: Operand | null | "each"): Fragment | null => {
    const type = typeOf(field)
    const kind: Kind = { channels: type.channels, set: type.operators }
    if (type.compute !== undefined && type.fact !== null) return metaLeaf(type.fact, operator, operand)
    if (kind.set === "RESULT") return null
    const key = sql.literal(`'${field.field_id}'`)
    const present = sql`r.cells ? ${key}`
    const cell = sql`(r.cells->${key})`
    // Trashed and deleted entries do not count, but SQL does not look them up: only the presence of entries is certain.
    const mayReferToDeleted = type.refersTo !== undefined
    const hasOperator = isOperatorOf(kind, operator)
    if (!hasOperator) return kind.set === "ONE" || kind.set === "MANY" ? null : never
    if (operator === "is_empty")
      return mayReferToDeleted || kind.set === "LOC" || kind.set === "TEXT" ? null : sql`NOT ${present}`
    if (operator === "is_not_empty" || operator === "is_completed" || operator === "is_incomplete") return present
    if (operand === null) return null
    const positive = !negative.has(operator)
    const fallback = positive ? present : null
    if (operand === "each") return null
    const inner = ((): Fragment | null => {
      switch (operand.type) {
        case "number":
          return kind.set !== "NUM"
            ? null
            : number(
                sql`CASE WHEN jsonb_typeof(${cell}->0) = 'number' THEN (${cell}->>0)::numeric END`,
                operator,
                operand.number
              )
        case "ids":
          return mayReferToDeleted && !positive ? null : ids(cell, operator, operand.ids)
        case "date": {
          if (kind.set !== "DATE") return null
          const start = sql`(${cell}->0->>'start') COLLATE "C"`
          return date(
            start,
            sql`(coalesce(${cell}->0->>'end', ${cell}->0->>'start')) COLLATE "C"`,
            operator,
            operand.date
          )
        }
        case "text":
          return type.plainText === true ? text(sql`(${cell}->>0)`, operator, operand.text) : null
        default:
          return null
      }
    })()
    if (inner === null) return fallback
    return positive ? inner : sql`(NOT ${present} OR ${inner})`
  }

  const metaLeaf = (
    meta: keyof typeof metaKinds,
    operator: Operator,
    operand: Operand | null | "each"
  ): Fragment | null => {
    const kind = metaKinds[meta]
    if (!isOperatorOf(kind, operator)) return never
    if (operand === null || operand === "each") return null
    if (meta === "app_record_id" && operand.type === "number") {
      return number(sql.literal("r.app_record_id"), operator, operand.number)
    }
    if (operand.type === "date" && (meta === "created_at" || meta === "last_modified_at")) {
      const column = sql.literal(meta === "created_at" ? "r.created_on" : "r.last_modified_on")
      const moment = sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') COLLATE "C"`
      const inner = date(moment, moment, operator, operand.date)
      return negative.has(operator) ? sql`(${column} IS NULL OR ${inner})` : inner
    }
    return null
  }

  const leaf = (row: Condition, narrowing: Narrowing): Fragment | null => {
    const target = isChange(row) ? undefined : narrowing.target(row)
    if (target === undefined) return null
    const operand = narrowing.prepared.get(row) ?? null
    return "field" in target
      ? fieldLeaf(target.field, row.operator, operand)
      : metaLeaf(target.meta, row.operator, operand)
  }

  const narrowRow = (row: FilterRow, narrowing: Narrowing): Fragment | null =>
    isGroup(row) ? narrow(row, narrowing) : isScript(row) ? null : leaf(row, narrowing)

  /** Returns null if every record may match. */
  const narrow = (group: FilterGroup, narrowing: Narrowing): Fragment | null => {
    const parts = group.rows.map((row) => narrowRow(row, narrowing))
    if (group.operator === "and") {
      const narrowedParts = parts.filter((part) => part !== null)
      return narrowedParts.length === 0 ? null : sql`(${sql.and(narrowedParts)})`
    }
    return parts.length === 0 || parts.some((part) => part === null)
      ? null
      : sql`(${sql.or(parts as ReadonlyArray<Fragment>)})`
  }

  return narrow
}
