// Turns schema issues into what a builder wants to read: the path, what is wrong, what is allowed, the nearest valid token.
import type { SchemaAST, SchemaIssue } from "effect"
import { unknownToken } from "../../../platform/text/nearest.ts"
import type { Mistake, Path } from "../schema/path.ts"

type AST = SchemaAST.AST

/** Every mistake that the issue holds. Decode with `errors: "all"` and `reportInput: true`. */
export const schemaMistakes = (issue: SchemaIssue.Issue, path: Path = []): ReadonlyArray<Mistake> => {
  switch (issue._tag) {
    case "Pointer":
      return schemaMistakes(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => schemaMistakes(inner, path))
    case "Encoding":
      return schemaMistakes(issue.issue, path)
    case "Filter":
      return [{ path, message: checkMessage(issue) }]
    case "AnyOf":
      return explainUnion(issue, path)
    case "MissingKey":
      return [{ path, message: "is required" }]
    case "UnexpectedKey":
      return [{ path, message: unexpected(issue.ast, String(path.at(-1))) }]
    case "InvalidType":
      return [{ path, message: mismatch(issue.ast, issue.input) }]
    default:
      return [{ path, message: messageOf(issue) ?? "is not allowed here" }]
  }
}

const messageOf = (issue: object): string | undefined => {
  const annotations = (issue as { annotations?: unknown }).annotations as
    | { message?: string; expected?: string }
    | undefined
  return annotations?.message ?? (annotations?.expected === undefined ? undefined : `expected ${annotations.expected}`)
}

const checkMessage = (issue: SchemaIssue.Filter): string => {
  const filter = issue.filter as { annotations?: { expected?: string; message?: string } }
  const inner = issue.issue as { annotations?: { message?: string } }
  const text = inner.annotations?.message ?? filter.annotations?.message
  return text ?? `expected ${filter.annotations?.expected ?? "another value"}`
}

/** Picks the member of a union that the author meant: by its tags first, else by the keys that the input has. */
const explainUnion = (issue: SchemaIssue.AnyOf, path: Path): ReadonlyArray<Mistake> => {
  const literals = issue.ast.types.map(literalOf)
  if (literals.every((literal) => literal !== undefined)) return [{ path, message: mismatch(issue.ast, issue.input) }]
  if (!isObject(issue.input)) {
    if (issue.issues.length === 1) return schemaMistakes(issue.issues[0]!, path)
    return [{ path, message: mismatch(issue.ast, issue.input) }]
  }
  const input = issue.input
  let members = objectsOf(issue.ast)
  const used = new Set<string>()
  for (let tag = tagOf(members, used); tag !== undefined; tag = tagOf(members, used)) {
    const key = tag
    used.add(key)
    const tokens = [...new Set(members.flatMap((member) => tokensAt(member, key)))]
    const tagValue = input[key]
    if (tagValue === undefined) return [{ path: [...path, key], message: `is required; allowed: ${quote(tokens)}` }]
    const matchingMembers = members.filter((member) => tokensAt(member, key).includes(tagValue as string))
    if (matchingMembers.length === 0) {
      const message = typeof tagValue === "string" ? unknownToken(tagValue, tokens) : `expected one of ${quote(tokens)}`
      return [{ path: [...path, key], message }]
    }
    members = matchingMembers
  }
  const tried = issue.issues.flatMap(compositeOf)
  const meant = tried.toSorted((a, b) => likeness(b.ast, input) - likeness(a.ast, input))[0]
  if (meant !== undefined) return schemaMistakes(meant, path)
  return issue.issues.length > 0
    ? schemaMistakes(issue.issues[0]!, path)
    : [{ path, message: mismatch(issue.ast, input) }]
}

const compositeOf = (issue: SchemaIssue.Issue): ReadonlyArray<SchemaIssue.Composite> =>
  issue._tag === "Composite"
    ? [issue]
    : issue._tag === "Encoding"
      ? compositeOf(issue.issue)
      : issue._tag === "AnyOf"
        ? issue.issues.flatMap(compositeOf)
        : []

const keysOf = (ast: AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map((property) => String(property.name)) : []
const likeness = (ast: AST, input: Record<string, unknown>) =>
  keysOf(ast).filter((key) => Object.hasOwn(input, key)).length

const encodedOf = (ast: AST): AST => (ast.encoding === undefined ? ast : encodedOf(ast.encoding.at(0)!.to))
/** Returns the object members of a union, those of nested unions included. */
const objectsOf = (ast: AST): ReadonlyArray<SchemaAST.Objects> => {
  const encoded = encodedOf(ast)
  if (encoded._tag === "Suspend") return objectsOf(encoded.thunk())
  if (encoded._tag === "Union") return encoded.types.flatMap(objectsOf)
  return encoded._tag === "Objects" ? [encoded] : []
}
const literalOf = (ast: AST): string | undefined =>
  ast._tag === "Literal" && typeof ast.literal === "string" ? ast.literal : undefined

const tokensAt = (member: SchemaAST.Objects, key: string): ReadonlyArray<string> => {
  const type = member.propertySignatures.find((property) => property.name === key)?.type
  if (type === undefined) return []
  const encoded = encodedOf(type)
  return (encoded._tag === "Union" ? encoded.types : [encoded]).map(literalOf).filter((token) => token !== undefined)
}

/** Returns the next key that tells the members apart: `kind`, then `source`, then `trigger_type`. */
const tagOf = (members: ReadonlyArray<SchemaAST.Objects>, used: ReadonlySet<string>): string | undefined =>
  members.length < 2
    ? undefined
    : keysOf(members[0]!).find((key) => !used.has(key) && members.every((member) => isTag(member, key)))
const isTag = (member: SchemaAST.Objects, key: string): boolean => {
  const type = member.propertySignatures.find((property) => property.name === key)?.type
  return type !== undefined && encodedOf(type).context?.isOptional !== true && tokensAt(member, key).length > 0
}

const quote = (tokens: ReadonlyArray<string>) => tokens.map((token) => JSON.stringify(token)).join(", ")
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const unexpected = (ast: AST, key: string): string => {
  const allowed = keysOf(ast)
  if (allowed.length === 0) return "no keys are allowed here"
  return `unknown key; ${unknownToken(key, allowed)}`
}

const mismatch = (ast: AST, input: unknown): string => {
  if (ast._tag === "Never") return "no keys are allowed here"
  const tokens = (ast._tag === "Union" ? ast.types : [ast]).map(literalOf)
  if (tokens.every((token) => token !== undefined) && typeof input === "string") return unknownToken(input, tokens)
  return `expected ${describe(ast)}, got ${kindOf(input)}`
}

const kindOf = (input: unknown): string =>
  input === null
    ? "null"
    : Array.isArray(input)
      ? "an array"
      : typeof input === "object"
        ? "an object"
        : `a ${typeof input}`

const names: Record<string, string> = {
  String: "a string",
  Number: "a number",
  Boolean: "a boolean",
  Null: "null",
  Arrays: "an array",
  Objects: "an object"
}
const describe = (ast: AST): string => {
  const encoded = encodedOf(ast)
  if (encoded._tag === "Literal") return JSON.stringify(encoded.literal)
  if (encoded._tag === "Union") return [...new Set(encoded.types.map(describe))].join(" or ")
  if (encoded._tag === "Suspend") return describe(encoded.thunk())
  return names[encoded._tag] ?? "another value"
}
