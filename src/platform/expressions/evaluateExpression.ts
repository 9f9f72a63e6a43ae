// Evaluates an expression for one record (developer-api.md 11.3): in this process, within bounds, without anything outside of its record.
import { Result } from "effect"
import { type Expression, newBudget, newScope, type Surroundings } from "./Expression.ts"
import { ExpressionFailed, type Value } from "./Value.ts"

/** The result, or the message of why there is none. */
export const attempt = <A>(run: () => A): Result.Result<A, string> => {
  try {
    return Result.succeed(run())
  } catch (error) {
    if (error instanceof ExpressionFailed) return Result.fail(error.message)
    // JavaScript's own bounds, of texts, numbers and its stack: the expression is at fault, and nothing else of the write.
    if (error instanceof RangeError) return Result.fail("gives a text or number that is too large, or nests too deep")
    throw error
  }
}

/** The value, or the message of why there is none. */
export const evaluateExpression = (
  { code }: Expression,
  surroundings: Surroundings,
  budget = newBudget()
): Result.Result<Value, string> => attempt(() => code(newScope(surroundings, budget)))
