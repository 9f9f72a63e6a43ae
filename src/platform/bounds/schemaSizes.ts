// Derives the sizes that a schema allows from its AST, the members of a union merged (decisions P7). `unbounded` lists the parts without a
// size, for the suite.
import type { Schema, SchemaAST } from "effect"

type AST = SchemaAST.AST

/** Sizes of one part of the input. A part that cannot be sent is absent: the decoder refuses it at once. */
export interface Shape {
  /** Most characters of a text. */
  readonly text?: number
  /** Most entries of a list, and their shape. */
  readonly items?: number
  readonly item?: Shape
  /** Most keys of an object. */
  readonly keys?: number
  readonly members?: ReadonlyMap<string, Shape>
  readonly others?: Shape
  /** Most values of everything below, if the whole is limited too. */
  readonly total?: number
  /** Most values of anything below, all levels together, if the schema does not describe them. */
  readonly nodes?: number
}

/** Annotation of an opaque schema with the schema that is inside. */
export const RECURSIVE = "millrace/recursive"

/** Further keys allowed beyond the known ones, so that the decoder names unknown keys. */
const STRAYS = 50

interface Representation {
  readonly id: string
  readonly payload: Readonly<Record<string, number>> | null
}
const representations = (ast: AST): ReadonlyArray<Representation> => {
  const allRepresentations: Array<Representation> = []
  const add = (check: SchemaAST.Check<unknown>) => {
    if (check._tag === "FilterGroup") for (const inner of check.checks) add(inner)
    const { representation } = (check.annotations ?? {}) as { readonly representation?: Representation }
    if (representation !== undefined) allRepresentations.push(representation)
  }
  for (const check of (ast.checks ?? []) as ReadonlyArray<SchemaAST.Check<unknown>>) add(check)
  return allRepresentations
}

const sizes: Readonly<Record<string, readonly [kind: "length" | "keys" | "nodes", member: string]>> = {
  "effect/schema/isMaxLength": ["length", "maxLength"],
  "effect/schema/isBetweenLength": ["length", "maximum"],
  "effect/schema/isMaxProperties": ["keys", "maxProperties"],
  "effect/schema/isBetweenProperties": ["keys", "maximum"],
  "millrace/isMaxNodes": ["nodes", "maxNodes"]
}
/** Size that the checks of the node name; infinite when none does. */
const sizeOf = (ast: AST, kind: "length" | "keys" | "nodes"): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...representations(ast).flatMap(({ id, payload }) => {
      const [measured, member] = sizes[id] ?? []
      const size = member === undefined ? undefined : payload?.[member]
      return measured === kind && size !== undefined ? [size] : []
    })
  )

const opaque: ReadonlySet<string> = new Set(["Unknown", "Any", "ObjectKeyword", "Declaration"])

/** Nodes that the sent value is decoded by, unions and transformations resolved. */
const nodesOf = (asts: Iterable<AST>): ReadonlySet<AST> => {
  const sentNodes = new Set<AST>()
  const visitedNodes = new Set<AST>()
  const add = (ast: AST): void => {
    if (visitedNodes.has(ast)) return
    visitedNodes.add(ast)
    const from = ast.encoding?.at(-1)?.to
    const inside = (ast.annotations as { readonly [RECURSIVE]?: () => Schema.Constraint } | undefined)?.[RECURSIVE]
    // Opaque values are JSON on the wire; their size stands on the decoded side.
    if (from !== undefined && !(opaque.has(from._tag) && opaque.has(ast._tag))) add(from)
    else if (inside !== undefined) add(inside().ast)
    else if (ast._tag === "Suspend") add(ast.thunk())
    else if (ast._tag === "Union") for (const type of ast.types) add(type)
    else sentNodes.add(ast)
  }
  for (const ast of asts) add(ast)
  return sentNodes
}

const shapesByKey = new Map<string, Shape>()
const ids = new WeakMap<AST, number>()
let lastId = 0
const idOf = (ast: AST): number => {
  const id = ids.get(ast) ?? ++lastId
  ids.set(ast, id)
  return id
}

const most = (numbers: ReadonlyArray<number>): number => Math.max(0, ...numbers)

const makeShape = (asts: Iterable<AST>): Shape => {
  const nodes = [...nodesOf(asts)]
  const key = nodes
    .map(idOf)
    .sort((a, b) => a - b)
    .join()
  const cachedShape = shapesByKey.get(key)
  if (cachedShape !== undefined) return cachedShape
  const shape: { -readonly [K in keyof Shape]: Shape[K] } = {}
  shapesByKey.set(key, shape)
  const texts = nodes.filter((ast) => ast._tag === "String")
  if (texts.length > 0) shape.text = most(texts.map((ast) => sizeOf(ast, "length")))
  const lists = nodes.filter((ast) => ast._tag === "Arrays")
  if (lists.length > 0) {
    const sizeOfList = (ast: (typeof lists)[number]) =>
      ast.rest.length === 0 ? ast.elements.length : sizeOf(ast, "length")
    shape.items = most(lists.map(sizeOfList))
    shape.item = makeShape(lists.flatMap((ast) => [...ast.elements, ...ast.rest]))
  }
  const objects = nodes.filter((ast) => ast._tag === "Objects")
  if (objects.length > 0) {
    const names = new Set(objects.flatMap((ast) => ast.propertySignatures.map(({ name }) => String(name))))
    const sizeOfObject = (ast: (typeof objects)[number]) =>
      ast.indexSignatures.length === 0 || ast.indexSignatures.every(({ type }) => type._tag === "Never")
        ? 0
        : sizeOf(ast, "keys")
    shape.keys = names.size + STRAYS + most(objects.map(sizeOfObject))
    shape.members = new Map(
      [...names].map((name) => [
        name,
        makeShape(
          objects.flatMap((ast) =>
            ast.propertySignatures.filter((signature) => signature.name === name).map(({ type }) => type)
          )
        )
      ])
    )
    const indexTypes = objects.flatMap((ast) => ast.indexSignatures.map(({ type }) => type))
    if (indexTypes.length > 0) shape.others = makeShape(indexTypes)
  }
  const structures = [...lists, ...objects]
  const total = most(structures.map((ast) => sizeOf(ast, "nodes")))
  if (structures.length > 0 && total < Number.POSITIVE_INFINITY) shape.total = total
  const anything = nodes.filter((ast) => opaque.has(ast._tag))
  if (anything.length > 0) shape.nodes = most(anything.map((ast) => sizeOf(ast, "nodes")))
  return shape
}

export const shapeOf = (...schemas: ReadonlyArray<Schema.Constraint>): Shape => makeShape(schemas.map(({ ast }) => ast))

/** Paths of all parts without a size. */
export const unbounded = (root: Shape): ReadonlyArray<string> => {
  const unboundedPaths: Array<string> = []
  const visitedShapes = new Set<Shape>()
  const visit = (shape: Shape, path: string): void => {
    if (visitedShapes.has(shape)) return
    visitedShapes.add(shape)
    if (shape.text === Number.POSITIVE_INFINITY) unboundedPaths.push(`${path}: text`)
    if (shape.items === Number.POSITIVE_INFINITY) unboundedPaths.push(`${path}: list`)
    if (shape.keys === Number.POSITIVE_INFINITY) unboundedPaths.push(`${path}: map`)
    if (shape.nodes === Number.POSITIVE_INFINITY) unboundedPaths.push(`${path}: anything`)
    if (shape.item !== undefined) visit(shape.item, `${path}[]`)
    for (const [name, member] of shape.members ?? []) visit(member, `${path}.${name}`)
    if (shape.others !== undefined) visit(shape.others, `${path}.*`)
  }
  visit(root, "")
  return unboundedPaths
}
