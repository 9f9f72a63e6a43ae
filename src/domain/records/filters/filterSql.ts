// Conditions of record filters as SQL over `records r` (developer-api.md 4.4, compared as 3.4 and decisions A10, A11 say):
// an empty value passes negated tests only. What a test means for a field its type says.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { Fieldless, RecordCondition, Test } from "../fields/matching/RecordFilter.ts"
import { typeOf } from "../fields/registry.ts"
import { makePredicates } from "../fields/sql/predicates.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

type Fragment = Statement.Fragment

const columns = {
  created_at: "r.created_on",
  last_modified_at: "r.last_modified_on",
  app_record_id: "r.app_record_id"
}

export const makeFilterSql = (sql: Sql) => {
  const predicates = makePredicates(sql)
  const { lit, never, numberIs } = predicates

  /** A record that was never changed matches no filter on `last_modified_at`, negated or not. */
  const metaTest = (meta: Fieldless, test: Test, negate: boolean): Fragment => {
    const column = lit(columns[meta])
    const isSet = sql`${column} IS NOT NULL`
    if (test.is === "empty") return negate ? isSet : never
    const passes =
      test.is === "number"
        ? numberIs(column, test)
        : test.is === "instants"
          ? sql.and([
              isSet,
              ...(test.from === null ? [] : [sql`${column} >= ${test.from}::timestamptz`]),
              ...(test.before === null ? [] : [sql`${column} < ${test.before}::timestamptz`])
            ])
          : never
    return negate ? sql`(${isSet} AND NOT (${passes}))` : passes
  }

  /** SQL of a condition over `records r`; `true` for a field that the definition no longer has. */
  const condition = (definition: AppDefinition, { subject, test, negate, property }: RecordCondition): Fragment => {
    if ("meta" in subject) return metaTest(subject.meta, test, negate)
    const field = definition.byId.get(subject.fieldId)
    if (field === undefined) return lit("true")
    const { filter } = typeOf(field)
    const subjectFilter = property === undefined ? filter : filter.entries![property]
    const empty = test.is === "empty"
    if (negate && empty && subjectFilter === filter && filter.present !== undefined)
      return filter.present(predicates, field)
    const passes = empty ? subjectFilter.empty(predicates, field) : subjectFilter.passes(predicates, field, test)
    return negate ? sql`(${passes}) IS NOT TRUE` : passes
  }

  /** All of them, over `records r`. */
  return (definition: AppDefinition, conditions: ReadonlyArray<RecordCondition>): Fragment =>
    conditions.length === 0 ? lit("true") : sql.and(conditions.map((one) => sql`(${condition(definition, one)})`))
}
