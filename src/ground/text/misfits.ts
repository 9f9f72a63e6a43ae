// What does not fit a schema, in words for whoever sent it: where it stands, and what is expected there. The name that a schema has in the
// description of the API says nothing to them; the values and kinds that it stands for do.
import { type SchemaAST, SchemaIssue } from "effect"

type AST = SchemaAST.AST

export interface Misfit {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
  /** It is what was expected, but too small or too large a number. */
  readonly beyond: boolean
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const kinds: Partial<Record<AST["_tag"], string>> = {
  String: "string",
  Number: "number",
  Boolean: "boolean",
  Null: "null",
  Arrays: "array",
  Objects: "object"
}

const sentAs = (ast: AST): AST => (ast.encoding === undefined ? ast : sentAs(ast.encoding.at(0)!.to))

/** `undefined` where the library's words are better. */
const meant = (ast: AST): string | undefined => {
  const sent = sentAs(ast)
  if (sent._tag === "Literal") return typeof sent.literal === "bigint" ? undefined : JSON.stringify(sent.literal)
  if (sent._tag === "Suspend") return meant(sent.thunk())
  if (sent._tag !== "Union") return kinds[sent._tag]
  const all = sent.types.map(meant)
  return all.includes(undefined) ? undefined : [...new Set(all)].join(" | ")
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

export const misfitsOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = []): ReadonlyArray<Misfit> => {
  switch (issue._tag) {
    case "Pointer":
      return misfitsOf(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return misfitsOf(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => misfitsOf(inner, path))
  }
  if (issue._tag === "AnyOf" && issue.issues.length > 0) return issue.issues.flatMap((inner) => misfitsOf(inner, path))
  const words = issue._tag === "AnyOf" || issue._tag === "InvalidType" ? expected(issue) : undefined
  const beyond = issue._tag === "Filter" && isRange(issue)
  return format(issue).issues.map(({ message, path: within = [] }) => ({
    path: [...path, ...within.map((segment) => (typeof segment === "object" ? segment.key : segment))],
    message: words ?? message,
    beyond
  }))
}
