// Contract between record filters (developer-api.md 4.4) and a field type: the accepted input, its meaning, and its SQL.
import type { Result } from "effect"
import type { Statement } from "effect/sql"
import type { FilterContext } from "../matching/filterTests.ts"
import type { EntryProperty, RecordFilter, Test } from "../matching/RecordFilter.ts"
import type { Field, Problem } from "../model/Field.ts"
import type { Predicates } from "../sql/predicates.ts"

/** Over one field, or one property of its entries. */
export interface Filterable<S = any> {
  /** The words of `match_type`, besides the two that ask for presence. */
  readonly matchTypes: ReadonlyArray<string>
  readonly test: (filter: RecordFilter, field: Field<S>, context: FilterContext) => Result.Result<Test, Problem>
  /** Condition that the field of `records r` passes the test. Negated tests are its opposite. */
  readonly passes: (sql: Predicates, field: Field<S>, test: Test) => Statement.Fragment
  readonly empty: (sql: Predicates, field: Field<S>) => Statement.Fragment
}

export interface FieldFilter<S = any> extends Filterable<S> {
  /** Other words that the filter's `type` may hold, besides the older name of the type. */
  readonly otherTypes?: ReadonlyArray<string>
  /** `include_active_user` may be set. */
  readonly ofUsers?: true
  /** Members of relative dates may be set. */
  readonly ofDates?: true
  /** Values may be texts, and read back as the ids that they name. */
  readonly named?: true
  /** SQL of "not empty" that replaces the negated `empty`, so that the planner sees a join. */
  readonly present?: (sql: Predicates, field: Field<S>) => Statement.Fragment
  /** The filter names a property of the entries, some of which must pass, unless it asks for presence. */
  readonly entries?: { readonly [P in EntryProperty]: Filterable<S> }
}
