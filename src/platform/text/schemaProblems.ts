// Explains to the sender what does not fit a schema: the path, and what is expected there. The name that a schema has in the description of
// the API says nothing to them; the values and kinds that it stands for do.
import { SchemaAST, SchemaIssue } from "effect"
import { nearestHint } from "./nearest.ts"

type AST = SchemaAST.AST

export interface SchemaProblem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
  /** True if the value has the expected kind, but is too small or too large a number. */
  readonly beyond: boolean
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const kinds: Partial<Record<AST["_tag"], string>> = {
  String: "string",
  Number: "number",
  Boolean: "boolean",
  Null: "null",
  Arrays: "array"
}

const sentAs = (ast: AST): AST => (ast.encoding === undefined ? ast : sentAs(ast.encoding.at(0)!.to))

const literal = (ast: AST): string | undefined => {
  const sentType = sentAs(ast)
  if (sentType._tag === "Union") return eachOf(sentType.types, literal)
  return sentType._tag === "Literal" && typeof sentType.literal !== "bigint"
    ? JSON.stringify(sentType.literal)
    : undefined
}

const eachOf = (all: ReadonlyArray<AST>, told: (ast: AST) => string | undefined): string | undefined => {
  const words = all.map(told)
  return words.includes(undefined) ? undefined : [...new Set(words)].join(" | ")
}

const typeAt = ({ propertySignatures }: SchemaAST.Objects, name: PropertyKey) =>
  propertySignatures.find((property) => property.name === name)?.type ?? SchemaAST.unknown

/** Describes kinds of an object that a member discriminates, with the member's values. */
const objectOf = (kinds: ReadonlyArray<SchemaAST.Objects>): string => {
  if (kinds.length > 1)
    for (const { name } of kinds[0]!.propertySignatures) {
      const values = eachOf(
        kinds.map((kind) => typeAt(kind, name)),
        literal
      )
      if (values !== undefined) return `object with ${String(name)} ${values}`
    }
  return "object"
}

const flat = (ast: AST): ReadonlyArray<AST> => {
  const sentType = sentAs(ast)
  if (sentType._tag === "Suspend") return flat(sentType.thunk())
  return sentType._tag === "Union" ? sentType.types.flatMap(flat) : [sentType]
}

/** Expected values in words; `undefined` if the library's own are better. */
const meant = (ast: AST): string | undefined => {
  const alternatives = flat(ast)
  const objects = alternatives.filter((one) => one._tag === "Objects")
  const otherTypes = alternatives.filter((one) => one._tag !== "Objects")
  const words = otherTypes.length === 0 ? "" : eachOf(otherTypes, (one) => literal(one) ?? kinds[one._tag])
  if (words === undefined || objects.length === 0) return words
  return words === "" ? objectOf(objects) : `${words} | ${objectOf(objects)}`
}

const expected = (issue: SchemaIssue.InvalidType | SchemaIssue.AnyOf): string | undefined => {
  if (issue.ast.annotations?.["message"] !== undefined) return undefined
  const words = meant(issue.ast)
  return words === undefined ? undefined : `Expected ${words}`
}

const BETWEEN = "effect/schema/isBetween"

const isRange = ({ filter }: SchemaIssue.Filter) => {
  const { representation } = (filter.annotations ?? {}) as { readonly representation?: { readonly id?: unknown } }
  return representation?.id === BETWEEN
}

const keysOf = ({ propertySignatures }: SchemaAST.Objects) => propertySignatures.map(({ name }) => String(name))

export const schemaProblemsOf = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<SchemaProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return schemaProblemsOf(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return schemaProblemsOf(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => schemaProblemsOf(inner, path))
  }
  if (issue._tag === "UnexpectedKey") {
    const key = path.at(-1)
    const hint = typeof key === "string" && issue.ast._tag === "Objects" ? nearestHint(key, keysOf(issue.ast)) : ""
    return format(issue).issues.map(({ message }) => ({ path, message: message + hint, beyond: false }))
  }
  if (issue._tag === "AnyOf" && issue.issues.length > 0)
    return issue.issues.flatMap((inner) => schemaProblemsOf(inner, path))
  const words = issue._tag === "AnyOf" || issue._tag === "InvalidType" ? expected(issue) : undefined
  const beyond = issue._tag === "Filter" && isRange(issue)
  return format(issue).issues.map(({ message, path: within = [] }) => ({
    path: [...path, ...within.map((segment) => (typeof segment === "object" ? segment.key : segment))],
    message: words ?? message,
    beyond
  }))
}
