// Which records of an app a listing selects, and in which order (developer-api.md 4.2).
import type { Statement } from "effect/sql"
import type { RecordCondition } from "../fields/matching/RecordFilter.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { Sort } from "./sorting.ts"

export type Order = "newest" | "oldest" | Sort

export interface Selection {
  readonly definition: AppDefinition
  readonly conditions: ReadonlyArray<RecordCondition>
  readonly order: Order
  /** Narrows further, over `records r`. */
  readonly also?: Statement.Fragment
  /** Records skipped after the position, before the first of the page. */
  readonly offset?: number
}
