// Which way a listing is read (developer-api.md 4.2): what the indexes of fields serve of its conditions and its order, and whether one
// condition leaves so few records that these are read and nothing else.
import { Effect } from "effect"
import { countOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import type { RecordCondition } from "../fields/matching/RecordFilter.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { type Keyed, type KeyedCondition, makeFieldIndexes } from "./fieldIndexes.ts"
import type { Sort } from "./sorting.ts"

/** `few`: the condition that few keys pass, if there is one, with their number. */
export interface AccessPath {
  readonly keyed: Keyed
  readonly few: (KeyedCondition & { readonly found: number }) | null
}

interface Asked {
  readonly definition: AppDefinition
  readonly conditions: ReadonlyArray<RecordCondition>
  readonly order: Sort | string
}

/** So many records are looked up by their ids, and sorted, for a page. */
const FEW = 10_000

export const makeAccessPaths = Effect.gen(function* () {
  const sql = yield* Sql
  const indexes = yield* makeFieldIndexes

  /** Records with the keys, over `record_keys k`. */
  const keys = ({ fieldId, where }: KeyedCondition) => sql`k.field_id = ${fieldId}::bigint AND ${where}`

  const fewest = Effect.fnUntraced(function* (conditions: ReadonlyArray<KeyedCondition>) {
    for (const condition of conditions) {
      const found = yield* countOf(sql`
        SELECT count(*)::int AS n FROM (SELECT 1 FROM record_keys k WHERE ${keys(condition)} LIMIT ${FEW + 1}::int) AS found`)
      if (found <= FEW) return { ...condition, found }
    }
    return null
  })

  /** By what the indexes serve. */
  const pathOf = Effect.fnUntraced(function* ({ conditions, definition, order }: Asked) {
    const keyed = yield* indexes.of(definition, conditions, order)
    return { keyed, few: yield* fewest(keyed.conditions) } satisfies AccessPath as AccessPath
  })

  /** As an array, so that the planner looks them up by their ids whatever it thinks of their number. */
  const among = (condition: KeyedCondition | null) =>
    condition === null
      ? sql.literal("")
      : sql`AND r.record_id = ANY(ARRAY(SELECT k.record_id FROM record_keys k WHERE ${keys(condition)}))`

  return { among, keys, pathOf }
})
