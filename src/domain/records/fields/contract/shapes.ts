// Schemas of field inputs and entries on the wire (developer-api.md 3.2), for the API description only; `parse` and `render` do the work.
import { Schema } from "effect"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { AuthorView, EmbeddedUser } from "../../../accounts/accountSchemas.ts"

/** `{ value }`, as most entries read. */
export const valued = <S extends Schema.Top>(value: S) => Schema.Struct({ value })

export const many = <S extends Schema.Top>(item: S) => Schema.Array(item).check(Schema.isMaxLength(1000))
export const oneOrMany = <S extends Schema.Top>(item: S) => Schema.Union([item, many(item)])

/** A key that an entry has once it is stored: sent again to keep or change that entry. */
export const kept = Schema.optionalKey(Schema.Int.annotate({ description: "Of an entry that the record has already" }))

export const orNull = <S extends Schema.Top>(schema: S) => Schema.NullOr(schema)
export const text = Schema.NullOr(Schema.String)
export const upTo = (characters: number) => Schema.String.check(Schema.isMaxLength(characters))

export const id = Id
export const user = EmbeddedUser
export const author = AuthorView
