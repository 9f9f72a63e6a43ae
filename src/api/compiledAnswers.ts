// Answers are encoded by the schemas of their endpoints, which Effect compiles here as it compiles the decoders of rows (platform/sql/rows.ts):
// a page of fifty records has some five thousand values to look at.
import { SchemaAST } from "effect"
import { enable } from "effect/schema/SchemaJITCompiler"

/**
 * Parts of an answer's schema. They are compiled too, since the library encodes a copy of the whole with the response around it, a schema
 * that is not known here.
 */
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (ast._tag === "Objects") return ast.propertySignatures.map(({ type }) => type)
  if (ast._tag === "Arrays") return [...ast.elements, ...ast.rest]
  return ast._tag === "Union" ? ast.types : []
}

interface Answering {
  readonly endpoints: Readonly<Record<string, { readonly success: ReadonlySet<{ readonly ast: SchemaAST.AST }> }>>
}

/** Before any of them is encoded. What is not asked for is not compiled. */
export const compileAnswers = (groups: Readonly<Record<string, Answering>>) => {
  for (const { endpoints } of Object.values(groups))
    for (const { success } of Object.values(endpoints))
      for (const { ast } of success) {
        const encoded = SchemaAST.flip(ast)
        for (const part of [encoded, ...partsOf(encoded)]) enable(part)
      }
}
