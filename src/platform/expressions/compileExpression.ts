// Compiles an expression (developer-api.md 11.3): reads its text as JavaScript and accepts the part of the language that is pure and bounded.
// Nothing of the text is run as JavaScript. Positions of problems count characters from 1.
import { type AnyNode, parseExpressionAt, tokenizer, tokTypes } from "acorn"
import { Result } from "effect"
import { spend, spendNumber } from "./costs.ts"
import type { Evaluator, Expression } from "./Expression.ts"
import { functions, listMethods, numberMethods, textMethods } from "./functions.ts"
import { binary, memberOf, unary } from "./operators.ts"
import { joinedText } from "./texts.ts"
import { ExpressionFailed, fail, isList, isNumber, isTruthy, literalNumber, type Value } from "./Value.ts"

/** Characters of an expression, nodes in it, and how deep they nest. */
export const EXPRESSION_CHARS = 4_000
const NODES = 1_000
const DEPTH = 250
/** Depth to which brackets nest. */
const BRACKETS = 60

type Node = AnyNode & Record<string, any>

interface Names {
  readonly fields: Set<string>
  readonly relations: Set<string>
  readonly members: Set<string>
  today: boolean
  nodes: number
}

class Refused extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

const FORBIDDEN_MEMBERS = new Set(["constructor", "prototype"])
const isListed = (list: Readonly<Record<string, unknown>>, name: string) => Object.hasOwn(list, name)

const methods = { ...textMethods, ...numberMethods, ...listMethods }
const listFunctions = new Set(["map", "filter"])

/** The method of a value: texts and lists have some of the same name. */
const methodOf = (value: Value, name: string) =>
  (isList(value) ? listMethods : isNumber(value) ? numberMethods : typeof value === "string" ? textMethods : {})[name]

const compileNode = (root: Node, names: Names): Evaluator => {
  const refuse = (message: string, { start }: Node): never => {
    throw new Refused(message, start)
  }

  /** A literal name or id in parentheses: `field("price")`. */
  const named = (call: Node, what: string): string => {
    const [argument] = call["arguments"] as ReadonlyArray<Node>
    if (call["arguments"].length !== 1 || argument === undefined)
      return refuse(`${what} takes the name of one field`, call)
    if (argument.type === "Identifier") return argument.name
    const value = argument.type === "Literal" ? argument.value : undefined
    return typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value) && value > 0)
      ? String(value)
      : refuse(`${what} takes the name of a field, as it is written`, argument)
  }

  const field = (name: string): Evaluator => {
    names.fields.add(name)
    return ({ record }) => record.field(name)
  }

  const args = (call: Node, locals: ReadonlySet<string>, depth: number): ReadonlyArray<Evaluator> =>
    (call["arguments"] as ReadonlyArray<Node>).map((one) => compile(one, locals, depth))

  const checkCount = (call: Node, name: string, { least, most }: { least: number; most: number }, given: number) => {
    if (given < least || given > most)
      refuse(`${name} takes ${least === most ? least : `${least} to ${most}`} values`, call)
  }

  const functionCall = (call: Node, name: string, locals: ReadonlySet<string>, depth: number): Evaluator => {
    if (name === "field") return field(named(call, "field(…)"))
    if (name === "related") {
      const relation = named(call, "related(…)")
      names.relations.add(relation)
      return (scope) => {
        const records = scope.related(relation)
        spend(scope, records.length)
        return records
      }
    }
    if (!isListed(functions, name)) return refuse(`there is no function ${name}`, call)
    if (name === "today") names.today = true
    const definition = functions[name]!
    const values = args(call, locals, depth)
    checkCount(call, name, definition, values.length)
    return (scope) =>
      definition.run(
        values.map((value) => value(scope)),
        scope
      )
  }

  /** `list.map((item) => …)` */
  const listCall = (
    call: Node,
    name: string,
    list: Evaluator,
    locals: ReadonlySet<string>,
    depth: number
  ): Evaluator => {
    const [callback] = call["arguments"] as ReadonlyArray<Node>
    const parameter = callback?.type === "ArrowFunctionExpression" ? (callback.params[0] as Node) : undefined
    if (
      callback === undefined ||
      callback.type !== "ArrowFunctionExpression" ||
      call["arguments"].length !== 1 ||
      callback.params.length !== 1 ||
      callback.async ||
      callback.body.type === "BlockStatement" ||
      parameter?.type !== "Identifier"
    )
      return refuse(`${name} takes a function of one item: ${name}((item) => …)`, call)
    const item = parameter.name as string
    const body = compile(callback.body as Node, new Set([...locals, item]), depth)
    return (scope) => {
      const values = list(scope)
      if (!isList(values)) return fail(`${name} needs a list`)
      const results = values.map((value) => body({ ...scope, locals: new Map(scope.locals).set(item, value) }))
      spend(scope, values.length)
      return name === "map" ? results : values.filter((_, index) => isTruthy(results[index]!))
    }
  }

  const call = (node: Node, locals: ReadonlySet<string>, depth: number): Evaluator => {
    const callee = node["callee"] as Node
    if (node["optional"] === true) return refuse("optional calls are not part of the language", node)
    if (callee.type === "Identifier") return functionCall(node, callee.name, locals, depth)
    if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier")
      return refuse("only functions that have a name are called", callee)
    const { name } = callee.property
    if (callee.object.type === "Identifier" && callee.object.name === "Math")
      return functionCall(node, `Math.${name}`, locals, depth)
    const target = compile(callee.object as Node, locals, depth)
    if (listFunctions.has(name)) return listCall(node, name, target, locals, depth)
    if (!isListed(methods, name)) return refuse(`there is no method ${name}`, callee.property as Node)
    const values = args(node, locals, depth)
    return (scope) => {
      const value = target(scope)
      if (value === null) return null
      const method = methodOf(value, name) ?? fail(`${name}: the value has no such method`)
      if (values.length + 1 < method.least || values.length + 1 > method.most) return fail(`${name} takes other values`)
      return method.run([value, ...values.map((one) => one(scope))], scope)
    }
  }

  const member = (node: Node, locals: ReadonlySet<string>, depth: number): Evaluator => {
    const object = compile(node["object"] as Node, locals, depth)
    if (node["computed"] === true) {
      const key = node["property"] as Node
      if (key.type === "Literal" && typeof key.value === "string") names.members.add(key.value)
      const index = compile(key, locals, depth)
      return (scope) => memberOf(object(scope), index(scope))
    }
    const property = node["property"] as Node
    if (property.type !== "Identifier" || FORBIDDEN_MEMBERS.has(property.name))
      return refuse("there is no such member", property)
    if (property.name !== "length") names.members.add(property.name)
    return (scope) => {
      const value = object(scope)
      if (isList(value)) spend(scope, value.length)
      return memberOf(value, property.name)
    }
  }

  const template = (node: Node, locals: ReadonlySet<string>, depth: number): Evaluator => {
    const texts = (node["quasis"] as ReadonlyArray<Node>).map((quasi) => String(quasi["value"].cooked ?? ""))
    const values = (node["expressions"] as ReadonlyArray<Node>).map((one) => compile(one, locals, depth))
    return (scope) =>
      joinedText(
        texts.flatMap((text, at) => [text, values[at]?.(scope) ?? null]),
        "",
        scope
      )
  }

  const literal = (node: Node): Evaluator => {
    const value = node["value"] as unknown
    if (node["regex"] !== undefined || node["bigint"] !== undefined) return refuse("is no value of the language", node)
    if (typeof value !== "number") return () => value as Value
    const number = literalNumber(String(node["raw"]))
    return () => number
  }

  const logical = (node: Node, locals: ReadonlySet<string>, depth: number): Evaluator => {
    const leftOperand = compile(node["left"] as Node, locals, depth)
    const right = compile(node["right"] as Node, locals, depth)
    if (node["operator"] === "&&")
      return (scope) => {
        const value = leftOperand(scope)
        return isTruthy(value) ? right(scope) : value
      }
    if (node["operator"] === "||")
      return (scope) => {
        const value = leftOperand(scope)
        return isTruthy(value) ? value : right(scope)
      }
    return (scope) => leftOperand(scope) ?? right(scope)
  }

  const inner = (node: Node, locals: ReadonlySet<string>, depth: number): Evaluator => {
    switch (node.type) {
      case "Literal":
        return literal(node)
      case "TemplateLiteral":
        return template(node, locals, depth)
      case "Identifier": {
        const { name } = node
        if (locals.has(name)) return (scope) => scope.locals.get(name) ?? null
        return name === "undefined" ? () => null : field(name)
      }
      case "ArrayExpression": {
        const elements = (node.elements as ReadonlyArray<Node | null>).map((one) =>
          one === null ? () => null : compile(one, locals, depth)
        )
        return (scope) => elements.map((one) => one(scope))
      }
      case "UnaryExpression": {
        const operator =
          unary[node.operator] ?? refuse(`the operator ${node.operator} is not part of the language`, node)
        const value = compile(node.argument as Node, locals, depth)
        return (scope) => operator(value(scope))
      }
      case "BinaryExpression": {
        const operator =
          binary[node.operator] ?? refuse(`the operator ${node.operator} is not part of the language`, node)
        const leftOperand = compile(node.left as Node, locals, depth)
        const right = compile(node.right as Node, locals, depth)
        return (scope) => operator(leftOperand(scope), right(scope), scope)
      }
      case "LogicalExpression":
        return logical(node, locals, depth)
      case "ConditionalExpression": {
        const [test, yes, no] = [node.test, node.consequent, node.alternate].map((one) =>
          compile(one as Node, locals, depth)
        ) as [Evaluator, Evaluator, Evaluator]
        return (scope) => (isTruthy(test(scope)) ? yes(scope) : no(scope))
      }
      case "ChainExpression":
        return compile(node.expression as Node, locals, depth)
      case "MemberExpression":
        return member(node, locals, depth)
      case "CallExpression":
        return call(node, locals, depth)
      default:
        return refuse("is not part of the language", node)
    }
  }

  function compile(node: Node, locals: ReadonlySet<string>, depth: number): Evaluator {
    if (++names.nodes > NODES || depth > DEPTH) return refuse("is too long or nests too deep", node)
    const code = inner(node, locals, depth + 1)
    return (scope) => {
      spend(scope, 1)
      return spendNumber(code(scope), scope)
    }
  }
  return compile(root, new Set(), 0)
}

const options = { ecmaVersion: 2023, sourceType: "script" } as const

/** Refuses texts that nest deeper than the parser should follow. */
const checkNesting = (source: string) => {
  let depth = 0
  for (const token of tokenizer(source, options)) {
    const { label } = token.type
    if (["(", "[", "{", "${"].includes(label)) depth++
    else if ([")", "]", "}"].includes(label)) depth--
    if (depth > BRACKETS) throw new Refused("nests too deep", token.start)
  }
}

/** The expression, or a problem that names its position. */
export const compileExpression = (source: string): Result.Result<Expression, string> => {
  if (source.trim() === "") return Result.fail("must not be empty")
  if (source.length > EXPRESSION_CHARS) return Result.fail(`must have at most ${EXPRESSION_CHARS} characters`)
  const names: Names = { fields: new Set(), relations: new Set(), members: new Set(), today: false, nodes: 0 }
  try {
    checkNesting(source)
    const root = parseExpressionAt(source, 0, options) as Node
    const stray = [...tokenizer(source.slice(root.end), options)].find(({ type }) => type !== tokTypes.semi)
    if (stray !== undefined) return Result.fail(`at ${root.end + stray.start + 1}: must be one expression`)
    return Result.succeed({ code: compileNode(root, names), uses: names })
  } catch (error) {
    if (error instanceof ExpressionFailed) return Result.fail(error.message)
    if (error instanceof Refused) return Result.fail(`at ${error.position + 1}: ${error.message}`)
    // The parser's own: a fault of syntax, or a text that nests so deep that its stack ends.
    if (error instanceof RangeError) return Result.fail("nests too deep")
    if (!(error instanceof SyntaxError)) throw error
    const { pos = 0 } = error as SyntaxError & { readonly pos?: number }
    return Result.fail(`at ${pos + 1}: ${error.message.replace(/ \(\d+:\d+\)$/, "")}`)
  }
}
