// Finds the places of a definition that hold template values or references, by the schemas that decode it, and replaces what stands there (our
// extension, docs/api.md "Short templates"). Code values are passed over: there `{{` is JavaScript.
import type { Schema, SchemaAST } from "effect"
import { RECURSIVE } from "../../../platform/bounds/schemaSizes.ts"
import { CreateBody } from "../input/automationBodies.ts"
import type { Path } from "../schema/path.ts"
import { isPlainObject } from "../schema/walk.ts"

type AST = SchemaAST.AST

export interface Replacement {
  /** A text, or a list of texts and references. */
  readonly template: (value: string | ReadonlyArray<unknown>, path: Path) => unknown
  /** A text or an object where a reference has to stand. */
  readonly reference: (value: unknown, path: Path) => unknown
}

const templateNames: ReadonlySet<unknown> = new Set(["TemplateValue", "TemplateValueWithSecrets"])
const isTemplate = (ast: AST) => templateNames.has(ast.annotations?.["identifier"])

const nodesByAst = new WeakMap<AST, ReadonlyArray<AST>>()

/** Nodes that a sent value is decoded by: members of unions one by one, template values as a whole. */
const nodesOf = (ast: AST): ReadonlyArray<AST> => {
  const cached = nodesByAst.get(ast)
  if (cached !== undefined) return cached
  const from = ast.encoding?.at(-1)?.to
  const inside = (ast.annotations as { readonly [RECURSIVE]?: () => Schema.Constraint } | undefined)?.[RECURSIVE]
  const nodes =
    from !== undefined
      ? nodesOf(from)
      : inside !== undefined
        ? nodesOf(inside().ast)
        : ast._tag === "Suspend"
          ? nodesOf(ast.thunk())
          : ast._tag === "Union" && !isTemplate(ast)
            ? ast.types.flatMap(nodesOf)
            : [ast]
  nodesByAst.set(ast, nodes)
  return nodes
}

const tokensByAst = new WeakMap<AST, ReadonlyMap<string, ReadonlySet<unknown>>>()

/** Members of an object that are one of several tokens, by which the objects of a union are told apart. */
const tokensOf = (ast: SchemaAST.Objects): ReadonlyMap<string, ReadonlySet<unknown>> => {
  const cached = tokensByAst.get(ast)
  if (cached !== undefined) return cached
  const tokens = new Map(
    ast.propertySignatures.flatMap(({ name, type }) => {
      const literals = nodesOf(type).map((node) => (node._tag === "Literal" ? node.literal : undefined))
      return literals.includes(undefined) ? [] : [[String(name), new Set<unknown>(literals)] as const]
    })
  )
  tokensByAst.set(ast, tokens)
  return tokens
}

const objectsOf = (nodes: ReadonlyArray<AST>) => nodes.filter((node) => node._tag === "Objects")

const isReferencePlace = (nodes: ReadonlyArray<AST>) =>
  !nodes.some((node) => node._tag === "String") &&
  objectsOf(nodes).some((node) => tokensOf(node).get("kind")?.has("variable") === true)

const fits = (node: SchemaAST.Objects, value: Readonly<Record<string, unknown>>) =>
  [...tokensOf(node)].every(([name, tokens]) => value[name] === undefined || tokens.has(value[name]))

const replace = (nodes: ReadonlyArray<AST>, value: unknown, path: Path, by: Replacement): unknown => {
  if (typeof value === "string" || Array.isArray(value)) {
    if (nodes.some(isTemplate)) return by.template(value, path)
  }
  if (isReferencePlace(nodes) && (typeof value === "string" || isPlainObject(value))) return by.reference(value, path)
  if (Array.isArray(value)) {
    const items = nodes.flatMap((node) =>
      node._tag === "Arrays" ? [...node.elements, ...node.rest].flatMap(nodesOf) : []
    )
    return items.length === 0 ? value : value.map((item, index) => replace(items, item, [...path, index], by))
  }
  if (!isPlainObject(value)) return value
  const members = objectsOf(nodes).filter((node) => fits(node, value))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const inside = members.flatMap((node) =>
        node.propertySignatures.filter(({ name }) => name === key).flatMap(({ type }) => nodesOf(type))
      )
      return [key, inside.length === 0 ? item : replace(inside, item, [...path, key], by)]
    })
  )
}

/** The definition with every template value and reference replaced. */
export const replaceTemplates = (
  definition: Readonly<Record<string, unknown>>,
  by: Replacement
): Readonly<Record<string, unknown>> =>
  replace(nodesOf(CreateBody.ast), definition, [], by) as Readonly<Record<string, unknown>>
