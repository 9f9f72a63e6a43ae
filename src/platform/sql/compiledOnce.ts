// Caches the compiled text of statements that run again and again with other values, once for each shape. Compiling a long one of many
// fragments takes as long as a short request has (docs/benchmarks.md, "Measured choices").
import type { Sql, Undecoded } from "./Sql.ts"

/** Placeholder for a value of a call while a text is compiled. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Placeholders for the values of a statement: a text is compiled from them once. */
export type Slots<Values> = { readonly [Name in keyof Values]: unknown }

export const slotsOf = <Values>(): Slots<Values> =>
  new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Slots<Values>

/**
 * Caches statements.
 * @returns takes the name of a shape, the values of a call, and the statement, which is built once for each shape; undefined: one of too
 * many to be remembered. Everything that differs from call to call within a shape is a slot. A statement with another parameter is a
 * defect, since all calls after the first would be given it.
 */
export const compiledOnce = <Values extends object>(sql: Sql) => {
  const compiledByShape = new Map<string, { readonly text: string; readonly names: ReadonlyArray<keyof Values> }>()
  const compile = (statement: Undecoded) => {
    const [text, parameters] = statement.compile()
    const names = parameters.map((parameter) => {
      if (parameter instanceof Slot) return parameter.name as keyof Values
      throw new Error("a statement that is compiled once has a parameter that is no slot")
    })
    return { text, names }
  }
  const remembered = (shape: string, statement: () => Undecoded) => {
    let compiledStatement = compiledByShape.get(shape)
    if (compiledStatement === undefined) {
      compiledStatement = compile(statement())
      compiledByShape.set(shape, compiledStatement)
    }
    return compiledStatement
  }
  return (shape: string | undefined, values: Values, statement: () => Undecoded): Undecoded => {
    const { names, text } = shape === undefined ? compile(statement()) : remembered(shape, statement)
    return sql.unsafe(
      text,
      names.map((name) => values[name])
    )
  }
}
