// Sort orders of listings (developer-api.md 4.2): a field's first value as people read it, or a fact of the record. Empty values come last,
// ties are ordered by record_id. The key is read back as text, so that a cursor can continue from it.
import { Result } from "effect"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { nearestHint } from "../../../platform/text/nearest.ts"
import type { Field, Problem } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { makeSortSql, type SortKey } from "../fields/sql/sortKey.ts"
import { type AppDefinition, fieldByKey } from "../model/AppDefinition.ts"

/** A field, or one of `facts`. */
export interface Sort {
  readonly by: Field | Fact
  readonly desc: boolean
}

const facts = {
  created_on: { column: "r.created_on", type: "timestamptz" },
  last_modified_on: { column: "r.last_modified_on", type: "timestamptz" },
  app_record_id: { column: "r.app_record_id", type: "bigint" },
  title: { column: "left(r.title, 200)", type: "text" }
} as const
type Fact = keyof typeof facts

const namesOf = ({ bySlug }: AppDefinition) => [...bySlug.keys(), ...Object.keys(facts)]

/** `sort_by` as sent: the `external_id` of a field (it wins), its id in decimals, or a fact. */
export const sortOf = (definition: AppDefinition, key: string, desc: boolean): Result.Result<Sort, Problem> => {
  const field = fieldByKey(definition, key)
  if (field !== undefined) return Result.succeed({ by: field, desc })
  return Object.hasOwn(facts, key)
    ? Result.succeed({ by: key as Fact, desc })
    : Result.fail(`sort_by: the app has no field ${JSON.stringify(key)}${nearestHint(key, namesOf(definition))}`)
}

export const makeSortKey = (sql: Sql) => {
  const sortSql = makeSortSql(sql)
  return ({ by }: Sort): SortKey => {
    if (typeof by !== "string") return typeOf(by).sortKey(sortSql, by)
    const { column, type } = facts[by]
    return type === "text" ? sortSql.words(sql.literal(column)) : { expression: sql.literal(column), type }
  }
}

/** Name of a field with what its values are: a cursor from before its conversion is none of the present listing. */
export const kindName = (field: Field): string => `${field.field_id} ${field.field_type} ${typeOf(field).kind}`

/** Name of the order that a cursor is bound to. */
export const sortName = (sort: Sort | null) =>
  sort === null ? "" : `${typeof sort.by === "string" ? sort.by : kindName(sort.by)}${sort.desc ? " desc" : ""}`
