// What does not fit a schema, each with its path, in words for who sent it: a schema's name stands for what it takes, which they know,
// and not for the name, which is the API description's.
import { Schema, type SchemaAST, SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const textOf = (ast: SchemaAST.AST): string | undefined =>
  ast._tag === "Literal" && typeof ast.literal === "string" ? ast.literal : undefined
const isText = (text: string | undefined): text is string => text !== undefined

/** The member that tells a union's objects apart. */
const tagOf = ([first, ...others]: ReadonlyArray<SchemaAST.AST>) => {
  if (first?._tag !== "Objects") return undefined
  for (const { name } of first.propertySignatures) {
    const texts = [first, ...others].map((ast) => {
      const member = ast._tag === "Objects" ? ast.propertySignatures.find((one) => one.name === name) : undefined
      return member === undefined ? undefined : textOf(member.type)
    })
    if (texts.every(isText)) return { name, texts }
  }
  return undefined
}

const oneOf = (texts: ReadonlyArray<string>) => new SchemaIssue.AnyOf(Schema.Literals(texts).ast, [])

/** Names that a value does not fit are replaced by the texts that it may be. */
const spelledOut = (issue: SchemaIssue.Issue): SchemaIssue.Issue => {
  switch (issue._tag) {
    case "Pointer":
      return new SchemaIssue.Pointer(issue.path, spelledOut(issue.issue))
    case "Encoding":
      return new SchemaIssue.Encoding(issue.ast, spelledOut(issue.issue))
    case "Composite": {
      const [first, ...others] = issue.issues
      return new SchemaIssue.Composite(issue.ast, [spelledOut(first), ...others.map(spelledOut)])
    }
    case "AnyOf": {
      if (issue.issues.length > 0) return new SchemaIssue.AnyOf(issue.ast, issue.issues.map(spelledOut))
      const texts = issue.ast.types.map(textOf)
      if (texts.every(isText)) return oneOf(texts)
      const tag = tagOf(issue.ast.types)
      return tag === undefined ? issue : new SchemaIssue.Pointer([tag.name], oneOf(tag.texts))
    }
    default:
      return issue
  }
}

export const issuesOf = (issue: SchemaIssue.Issue) => format(spelledOut(issue)).issues
