// Finds calls in a `custom_code` whose result nobody takes (developer-api.md 7.13 `warnings`; decisions A28), from its text alone. They are
// carried out, but their result is lost, and the code behind them does not wait.
import { type AnyNode, parse } from "acorn"
import { formOf } from "./scriptForms.ts"

export interface DroppedCall {
  /** Line of the call; counts from 1 in the source as given. */
  readonly line: number
  /** Call as it is written, without its arguments. */
  readonly call: string
  /** True if it stands in a callback of `forEach`, which waits for none. */
  readonly inForEach: boolean
}

const TOLD_AT_MOST = 20
const NAME_CHARS = 60
const FUNCTIONS: ReadonlySet<string> = new Set(["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"])
/** Methods that pass on the promise that they are called on. */
const CHAINED: ReadonlySet<string> = new Set(["then", "catch", "finally"])

type Node = AnyNode & Record<string, any>

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"

function* childrenOf(node: Node): Iterable<Node> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) yield item
  }
}

/** Visits all nodes without recursion: scripts may nest as deep as they like. */
function* allNodes(root: Node): Iterable<Node> {
  const pendingNodes: Array<Node> = [root]
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    yield node
    pendingNodes.push(...childrenOf(node))
  }
}

const isAsync = (node: Node | null | undefined): boolean =>
  node !== null && node !== undefined && FUNCTIONS.has(node.type) && node["async"] === true

/** Names that hold asynchronous functions of the script. */
const asyncNames = (root: Node): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const node of allNodes(root)) {
    if (node.type === "FunctionDeclaration" && isAsync(node) && node.id !== null) names.add(node.id.name)
    if (node.type === "VariableDeclarator" && isAsync(node.init as Node) && node.id.type === "Identifier")
      names.add(node.id.name)
  }
  return names
}

const methodOf = (callee: Node): string | undefined =>
  callee.type === "MemberExpression" && !callee.computed ? (callee.property as { name: string }).name : undefined

/** Object at the beginning of `api.Record.create`. */
const rootOf = (callee: Node): string | undefined => {
  let node = callee
  while (node.type === "MemberExpression") node = node.object as Node
  return node.type === "Identifier" ? node.name : undefined
}

const inner = (node: Node): Node => {
  let innerNode = node
  while (
    innerNode.type === "ChainExpression" ||
    (innerNode.type === "UnaryExpression" && innerNode.operator === "void")
  )
    innerNode = (innerNode.type === "ChainExpression" ? innerNode.expression : innerNode.argument) as Node
  return innerNode
}

export const droppedCalls = (source: string): ReadonlyArray<DroppedCall> => {
  let root: Node
  const text = formOf("async", source)
  try {
    root = parse(text, { ecmaVersion: "latest", locations: true }) as Node
  } catch {
    // Reports nothing for a source that does not parse: the engine reports that, in its own words.
    return []
  }
  const names = asyncNames(root)

  /** Call that returns the promise; undefined if the expression is none. */
  const promised = (expression: Node): Node | undefined => {
    const call = inner(expression)
    if (call.type !== "CallExpression") return undefined
    const callee = inner(call.callee as Node)
    const method = methodOf(callee)
    if (method !== undefined && CHAINED.has(method)) return promised((callee as Node)["object"])
    const isCall =
      callee.type === "Identifier"
        ? callee.name === "sleep" || names.has(callee.name)
        : isAsync(callee) || (method !== undefined && ["api", "http"].includes(rootOf(callee) ?? ""))
    const isMapped = method === "map" && isAsync(call.arguments[0] as Node)
    return isCall || isMapped ? call : undefined
  }

  const isDropping = (callback: Node): boolean =>
    isAsync(callback) ||
    (callback.type === "Identifier" && names.has(callback.name)) ||
    (callback.type === "ArrowFunctionExpression" &&
      callback.expression &&
      promised(callback.body as Node) !== undefined)

  const droppedCalls: Array<DroppedCall & { readonly at: number }> = []
  const tell = (call: Node, inForEach: boolean) => {
    const name = text.slice((call.callee as Node).start, (call.callee as Node).end)
    const calleeText =
      FUNCTIONS.has((call.callee as Node).type) || name.length > NAME_CHARS ? "an async function" : name
    droppedCalls.push({
      line: Math.max(1, (call.loc?.start.line ?? 2) - 1),
      call: calleeText,
      inForEach,
      at: call.start
    })
  }
  for (const node of allNodes(root)) {
    if (node.type === "ExpressionStatement") {
      const call = promised(node.expression as Node)
      if (call !== undefined) tell(call, false)
    }
    if (node.type !== "CallExpression" || methodOf(inner(node.callee as Node)) !== "forEach") continue
    // Checks all arguments: the callback is the second one of lodash's `forEach`.
    if ((node.arguments as ReadonlyArray<Node>).some(isDropping)) tell(node, true)
  }
  return droppedCalls
    .toSorted((one, other) => one.at - other.at)
    .slice(0, TOLD_AT_MOST)
    .map(({ at: _, ...call }) => call)
}
