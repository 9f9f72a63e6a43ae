// Building blocks of the definition's schemas: defaults on read, recursion without import cycles, bare strings wrapped.
import { Effect, Schema, SchemaGetter } from "effect"
import { RECURSIVE } from "../../../platform/bounds/schemaSizes.ts"
import { list, sizes, text } from "../../../platform/bounds/sized.ts"

/** Key that may be left out; it then reads as `value`. The JSON Schema shows the default. */
export const withDefault =
  <S extends Schema.Constraint>(value: S["Encoded"]) =>
  (schema: S): Schema.withDecodingDefaultKey<S> =>
    (schema as any)
      .annotate({ default: value })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed(value))) as Schema.withDecodingDefaultKey<S>

/** Key that may be left out and then stays absent. */
export const unset = <S extends Schema.Constraint>(schema: S): Schema.optionalKey<S> => Schema.optionalKey(schema)

export const flag = (value: boolean, description?: string) =>
  Schema.Boolean.annotate(description === undefined ? {} : { description }).pipe(withDefault(value))

/**
 * Recursive schema. Its encoded side is opaque, named `id`: JSON Schema shows `#/$defs/<id>`, which meta/definitionSchema.ts fills in. (A
 * transformed schema inside `suspend` alone would be flipped without end by the JSON Schema compiler.)
 */
export const recursive = <T>(id: string, schema: () => Schema.Codec<T, any>): Schema.Codec<T, unknown> =>
  Schema.Json.annotate({ identifier: id, [RECURSIVE]: schema }).pipe(
    Schema.decodeTo(Schema.suspend(schema) as any, {
      decode: SchemaGetter.passthrough() as any,
      encode: SchemaGetter.passthrough() as any
    })
  ) as unknown as Schema.Codec<T, unknown>

/** Array of items that may also be sent as one bare string, which reads back as a one-item array. */
export const wrapped = <A, E>(item: Schema.Codec<A, E>, identifier: string, description: string) => {
  const items = list(item, sizes.definitionList)
  return Schema.Union([text(sizes.definitionText), Schema.toEncoded(items)])
    .annotate({ identifier, description })
    .pipe(
      Schema.decodeTo(items, {
        decode: SchemaGetter.transform((value: string | ReadonlyArray<E>) =>
          typeof value === "string" ? [value as E] : value
        ),
        encode: SchemaGetter.passthrough() as any
      })
    ) as unknown as Schema.Codec<ReadonlyArray<A>, string | ReadonlyArray<E>>
}

/** Closed object. Effect's empty struct is TypeScript's `{}` and lets every key (and text) through. */
export const object = <const F extends Schema.Struct.Fields>(fields: F): Schema.Struct<F> =>
  Object.keys(fields).length > 0
    ? Schema.Struct(fields)
    : (Schema.Record(Schema.String, Schema.Never) as unknown as Schema.Struct<F>)
