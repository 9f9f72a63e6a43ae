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

/** The work that is left to one evaluation, in steps (./costs.ts). */
export interface StepBudget {
  left: number
  /** Message of an evaluation that needs more. */
  readonly problem: string
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
export const STEPS = 20_000

export const newBudget = (): StepBudget => ({ left: STEPS, problem: "takes too many steps" })

export const newScope = (surroundings: Surroundings, budget: StepBudget): EvaluationScope => ({
  ...surroundings,
  budget,
  locals: new Map()
})
