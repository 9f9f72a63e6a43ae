// An expression as a program that is run for one record after another (developer-api.md 11.3). It is compiled once into functions; what it
// may use is the language of docs/decisions.md, a part of JavaScript.
import type { RecordValue, Value } from "./Value.ts"

/** What an expression may use of its record, beside its own values. */
export interface Surroundings {
  readonly record: RecordValue
  /** Related records of a relation field. */
  readonly related: (field: string) => ReadonlyArray<Value>
  /** The UTC day, `YYYY-MM-DD`. */
  readonly today: string
}

/** The work that is left to one evaluation: steps, and characters and items by the hundred. */
interface StepBudget {
  left: number
}

/** State of one evaluation. */
export interface EvaluationScope extends Surroundings {
  readonly budget: StepBudget
  /** Parameters of the functions around. */
  readonly locals: ReadonlyMap<string, Value>
}

export type Evaluator = (scope: EvaluationScope) => Value

/** A function or method, with how many values it takes, that of the method among them. */
export interface ExpressionFunction {
  readonly least: number
  readonly most: number
  readonly run: (values: ReadonlyArray<Value>, scope: EvaluationScope) => Value
}

/** Names that an expression uses, found when it is compiled. */
interface Uses {
  /** Fields of the record, as they are named: external ids, or ids in decimals. */
  readonly fields: ReadonlySet<string>
  /** Relation fields whose records it reads. */
  readonly relations: ReadonlySet<string>
  /** Fields that it reads of related records, whichever. */
  readonly members: ReadonlySet<string>
  readonly today: boolean
}

export interface Expression {
  readonly code: Evaluator
  readonly uses: Uses
}

/** Steps that one evaluation may take. */
const STEPS = 20_000

export const newScope = (surroundings: Surroundings): EvaluationScope => ({
  ...surroundings,
  budget: { left: STEPS },
  locals: new Map()
})
