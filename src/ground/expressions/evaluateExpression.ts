// Evaluates an expression for one record (developer-api.md 11.3): in this process, within bounds, without anything outside of its record.
import { Result } from "effect"
import { type Expression, newScope, type Surroundings } from "./Expression.ts"
import { ExpressionFailed, type Value } from "./Value.ts"

/** The value, or the message of why there is none. */
export const evaluateExpression = ({ code }: Expression, surroundings: Surroundings): Result.Result<Value, string> => {
  try {
    return Result.succeed(code(newScope(surroundings)))
  } catch (error) {
    if (error instanceof ExpressionFailed) return Result.fail(error.message)
    throw error
  }
}
