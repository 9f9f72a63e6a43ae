// Evaluates an expression of numbers and texts in the service itself, without a trip to a script process (developer-api.md 8): literals,
// bound names, `+ - * / %`, templates and the `Math` functions below. No such expression can run long, call anything or keep state, and the
// service's engine computes it as a script's does. Everything else is undefined, and JavaScript in a script process decides.
import { type AnyNode, type CallExpression, parse } from "acorn"
import { formOf } from "./scriptForms.ts"

/** Longest source that is looked at; each name may stand for one text. */
const SOURCE_CHARS = 500
/** Longest text that a name stands for, and longest result. */
const TEXT_CHARS = 1_000

type Simple = number | string

const mathFunctions = new Map<string, (...numbers: ReadonlyArray<number>) => number>([
  ["abs", Math.abs],
  ["ceil", Math.ceil],
  ["floor", Math.floor],
  ["max", Math.max],
  ["min", Math.min],
  ["round", Math.round],
  ["trunc", Math.trunc]
])

/** The expression is more than this file evaluates. */
class NotSimple extends Error {}

/** Body of the function that a script process would call. */
const bodyOf = (source: string): AnyNode => {
  const { body } = parse(formOf("sync", source), { ecmaVersion: "latest" })
  const [statement] = body
  if (body.length !== 1 || statement!.type !== "ExpressionStatement") throw new NotSimple()
  const { expression } = statement
  if (expression.type !== "ArrowFunctionExpression") throw new NotSimple()
  return expression.body
}

/** Returns the value in the form that JSON gives it: a script process gets its bindings, and gives its result, as JSON. */
const asJson = (value: unknown): Simple => {
  if (typeof value === "string" && value.length <= TEXT_CHARS) return value
  if (typeof value === "number" && Number.isFinite(value)) return Object.is(value, -0) ? 0 : value
  throw new NotSimple()
}

const numeric = (value: Simple): number => {
  if (typeof value !== "number") throw new NotSimple()
  return value
}

const binary = (operator: string, left: Simple, right: Simple): Simple => {
  switch (operator) {
    case "+":
      return typeof left === "number" && typeof right === "number" ? left + right : `${left}${right}`
    case "-":
      return numeric(left) - numeric(right)
    case "*":
      return numeric(left) * numeric(right)
    case "/":
      return numeric(left) / numeric(right)
    case "%":
      return numeric(left) % numeric(right)
    default:
      throw new NotSimple()
  }
}

/** Function of a call such as `Math.ceil(1.5)`. */
const mathFunctionOf = ({ callee, optional }: CallExpression) => {
  if (optional || callee.type !== "MemberExpression" || callee.computed || callee.optional) throw new NotSimple()
  const { object, property } = callee
  if (object.type !== "Identifier" || object.name !== "Math" || property.type !== "Identifier") throw new NotSimple()
  const compute = mathFunctions.get(property.name)
  if (compute === undefined) throw new NotSimple()
  return compute
}

const evaluate = (node: AnyNode, bindings: Readonly<Record<string, unknown>>): Simple => {
  const valueOf = (one: AnyNode) => evaluate(one, bindings)
  switch (node.type) {
    case "Literal":
      // The parser rounds long ones of another base in its own way.
      if (/^0[xob\d]/i.test(node.raw ?? "")) throw new NotSimple()
      return asJson(node.value)
    case "Identifier":
      return asJson(Object.hasOwn(bindings, node.name) ? bindings[node.name] : undefined)
    case "BinaryExpression":
      return binary(node.operator, valueOf(node.left), valueOf(node.right))
    case "UnaryExpression":
      if (node.operator !== "-") throw new NotSimple()
      return -numeric(valueOf(node.argument))
    case "TemplateLiteral":
      return node.quasis
        .map(({ value }, i) => (i === 0 ? "" : valueOf(node.expressions[i - 1]!)) + value.cooked!)
        .join("")
    case "CallExpression":
      if (Object.hasOwn(bindings, "Math")) throw new NotSimple()
      return mathFunctionOf(node)(...node.arguments.map((argument) => numeric(valueOf(argument))))
    default:
      throw new NotSimple()
  }
}

/** Value of the expression; undefined if a script process has to evaluate it. */
export const evaluateSimple = (source: string, bindings: Readonly<Record<string, unknown>>): Simple | undefined => {
  if (source.length > SOURCE_CHARS) return undefined
  try {
    return asJson(evaluate(bodyOf(source), bindings))
  } catch (error) {
    // The parser's own errors: the engine of the script process says what is wrong, in its words.
    if (error instanceof NotSimple || error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
