// Chooses the access path of a listing (developer-api.md 4.2): the conditions and the order that field indexes serve, and a condition so
// selective that only its records need to be read.
import { Effect } from "effect"
import { countOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import type { RecordCondition } from "../fields/matching/RecordFilter.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { type Keyed, type KeyedCondition, makeFieldIndexes } from "./fieldIndexes.ts"
import { makeKeyCounts } from "./keyCounts.ts"
import type { Sort } from "./sorting.ts"

/**
 * `few`: a condition that few keys pass, if there is one. `passed`: number of keys that pass a condition, for those whose keys were all
 * counted.
 */
export interface AccessPath {
  readonly keyed: Keyed
  readonly few: KeyedCondition | null
  readonly passed: ReadonlyMap<KeyedCondition, number>
}

interface Asked {
  readonly definition: AppDefinition
  readonly conditions: ReadonlyArray<RecordCondition>
  readonly order: Sort | string
}

/** Maximum number of records that a page looks up by their ids, and sorts. */
const FEW = 10_000

export const makeAccessPaths = Effect.gen(function* () {
  const sql = yield* Sql
  const indexes = yield* makeFieldIndexes
  const counts = yield* makeKeyCounts

  /** Records with the keys, over `record_keys k`. */
  const keys = ({ fieldId, where }: KeyedCondition) => sql`k.field_id = ${fieldId}::bigint AND ${where}`

  const atMost = (condition: KeyedCondition, most: number) =>
    countOf(sql`
      SELECT count(*)::int AS n FROM (SELECT 1 FROM record_keys k WHERE ${keys(condition)} LIMIT ${most}::int) AS found`)

  /** Chooses the access path by the conditions and the order that indexes serve. */
  const pathOf = Effect.fnUntraced(function* ({ conditions, definition, order }: Asked) {
    const keyed = yield* indexes.of(definition, conditions, order)
    const keyCounts = new Map<KeyedCondition, number>()
    for (const condition of keyed.conditions) {
      const { counted, fieldId } = condition
      const matchCount = yield* counted ? counts.of(fieldId, condition) : atMost(condition, FEW + 1)
      if (counted || matchCount <= FEW) keyCounts.set(condition, matchCount)
      if (matchCount <= FEW) return { keyed, few: condition, passed: keyCounts } satisfies AccessPath as AccessPath
    }
    return { keyed, few: null, passed: keyCounts } satisfies AccessPath as AccessPath
  })

  /** Condition as an array, so that the planner looks records up by their ids whatever number it estimates. */
  const among = (condition: KeyedCondition | null) =>
    condition === null
      ? sql.literal("")
      : sql`AND r.record_id = ANY(ARRAY(SELECT k.record_id FROM record_keys k WHERE ${keys(condition)}))`

  return { among, keys, pathOf }
})
