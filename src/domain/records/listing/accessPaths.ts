// Chooses the access path of a listing (developer-api.md 4.2): the conditions and the order that field indexes serve, and a condition so
// selective that only its records need to be read.
import { Effect } from "effect"
import { countOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { makeFieldIndexes } from "./fieldIndexes.ts"
import type { Keyed, KeyedCondition } from "./Keyed.ts"
import { makeKeyCounts } from "./keyCounts.ts"

/**
 * `few`: a condition that few keys pass, if there is one. `passed`: number of keys that pass a condition, for those whose keys were all
 * counted.
 */
export interface AccessPath {
  readonly keyed: Keyed
  readonly few: KeyedCondition | null
  readonly passed: ReadonlyMap<KeyedCondition, number>
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

  /** Statement of the number of keys `n` that pass a condition whose keys are counted. */
  const countedBy = (condition: KeyedCondition) => counts.of(condition.fieldId, condition)

  /** Chooses the access path by the conditions and the order that indexes serve. */
  const pathOf = Effect.fnUntraced(function* (keyed: Keyed) {
    const keyCounts = new Map<KeyedCondition, number>()
    for (const condition of keyed.conditions) {
      const matchCount = yield* condition.counted ? countOf(countedBy(condition)) : atMost(condition, FEW + 1)
      if (condition.counted || matchCount <= FEW) keyCounts.set(condition, matchCount)
      if (matchCount <= FEW) return { keyed, few: condition, passed: keyCounts } satisfies AccessPath as AccessPath
    }
    return { keyed, few: null, passed: keyCounts } satisfies AccessPath as AccessPath
  })

  /**
   * Condition as an array, so that the planner looks records up by their ids whatever number it estimates.
   * @param unlessMany no record at all if the statement's `counted` has more than a page sorts
   */
  const among = (condition: KeyedCondition | null, unlessMany = false) =>
    condition === null
      ? sql.literal("")
      : sql`AND r.record_id = ANY(ARRAY(SELECT k.record_id FROM record_keys k WHERE ${keys(condition)}
          ${sql.literal(unlessMany ? `AND (SELECT n FROM counted) <= ${FEW}` : "")}))`

  return { among, countedBy, isKeyed: indexes.isReady, keyedOf: indexes.of, keys, pathOf }
})
