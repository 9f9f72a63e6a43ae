// What a schema of a description is, part by part, for those who compare two of them.

export type Schema = Record<string, any>

/** Of a union; a schema that is none is the only one of its own. */
export const membersOf = (schema: Schema): ReadonlyArray<Schema> => schema["oneOf"] ?? schema["anyOf"] ?? [schema]

export const typesOf = (schema: Schema): ReadonlyArray<string> => {
  const { enum: values, type } = schema
  if (type !== undefined) return [type].flat()
  return values === undefined ? ["anything"] : [...new Set<string>(values.map((value: unknown) => typeof value))]
}

/** Takes all that the other one takes. */
export const looser = (type: string, other: string): boolean =>
  type === "anything" || (type === "number" && other === "integer")

/** By what a member of a union is known again: what it says that it is, its name, or its type; a list is one, named or not. */
export const tagOf = (schema: Schema, named: Schema): string => {
  const said = Object.entries<Schema>(schema["properties"] ?? {}).flatMap(([name, { enum: values }]) =>
    schema["required"]?.includes(name) && Array.isArray(values) && values.length === 1 && typeof values[0] === "string"
      ? [values[0]]
      : []
  )
  if (said.length > 0) return said.join(" ")
  return typeof named["$ref"] === "string" && schema["type"] !== "array"
    ? named["$ref"].split("/").at(-1)!
    : String(typesOf(schema))
}
