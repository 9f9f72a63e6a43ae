// Parts of a listing that indexes serve (migrations 0044 and 0076): conditions and sort order by the keys of fields, or both together by those of a pair.
import type { Statement } from "effect/sql"
import type { KeyTest } from "../fields/sql/keyTests.ts"

export interface KeyedCondition extends KeyTest {
  readonly fieldId: number
  /** True if the number of keys per value is kept (./keyCounts.ts), which gives the number of matching records. */
  readonly counted: boolean
}
export interface KeyedSort {
  readonly fieldId: number
  readonly column: string
  readonly type: "numeric" | "text"
}
/** Pair of a listing: records with this value, in this order. */
export interface KeyedPair {
  readonly pairId: number
  readonly value: Statement.Fragment
  readonly condition: KeyedCondition
  readonly sort: KeyedSort
}
/** Conditions and sort order of a listing that ready indexes serve. */
export interface Keyed {
  readonly conditions: ReadonlyArray<KeyedCondition>
  readonly sort: KeyedSort | null
  /** The only condition and the sort order together, if an index has the records with that value in that order. */
  readonly pair: KeyedPair | null
}
