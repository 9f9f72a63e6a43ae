// What listings sort by (developer-api.md 4.2): a field's first value as people read it, or a record's own facts. Empty values
// come last, ties by record_id. The key is read back as text, so that a cursor can go on from it.
import { Result } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { OptionSettings } from "../fields/kinds/options.ts"
import type { Field, Problem } from "../fields/model/FieldType.ts"
import { typeOf } from "../fields/registry.ts"
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
export type Fact = keyof typeof facts

/** `sort_by` as sent: the `external_id` of a field (it wins), its id in decimals, or a fact. */
export const sortOf = (definition: AppDefinition, key: string, desc: boolean): Result.Result<Sort, Problem> => {
  const field = fieldByKey(definition, key)
  if (field !== undefined) return Result.succeed({ by: field, desc })
  return Object.hasOwn(facts, key)
    ? Result.succeed({ by: key as Fact, desc })
    : Result.fail(`sort_by: the app has no field ${JSON.stringify(key)}`)
}

export interface SortKey {
  readonly expression: Statement.Fragment
  readonly type: "text" | "numeric" | "timestamptz" | "bigint"
}

export const makeSortKey = (sql: SqlClient.SqlClient) => {
  const lit = sql.literal
  /** People's order: case and accents count last. */
  const words = (value: Statement.Fragment): SortKey => ({
    expression: sql`left(${value}, 200) COLLATE "und-x-icu"`,
    type: "text"
  })
  const fieldKey = (field: Field): SortKey => {
    const { type } = typeOf(field)
    const id = field.field_id
    const first = lit(`(r.cells->'${id}'->0)`)
    const text = lit(`(r.cells->'${id}'->>0)`)
    switch (type) {
      case "number":
        return field.field_type === "unique_id"
          ? { expression: lit("r.app_record_id"), type: "bigint" }
          : { expression: sql`${text}::numeric`, type: "numeric" }
      case "category":
      case "status": {
        const order = (field.settings as OptionSettings).options.map((option) => String(option.id))
        return { expression: sql`array_position(${order}::text[], ${text})::numeric`, type: "numeric" }
      }
      case "date":
        return { expression: sql`(${first}->>'start') COLLATE "C"`, type: "text" }
      case "created_at":
        return { expression: lit("r.created_on"), type: "timestamptz" }
      case "last_modified_at":
        return { expression: lit("r.last_modified_on"), type: "timestamptz" }
      case "relation":
        if (!typeOf(field).multiple) {
          return words(sql`(
            SELECT coalesce(t.title, a.item_name || ' #' || t.app_record_id) FROM records t JOIN apps a USING (app_id)
            WHERE t.record_id = ${text}::bigint AND t.deleted_on IS NULL)`)
        }
        return words(sql`(
          SELECT coalesce(t.title, a.item_name || ' #' || t.app_record_id)
          FROM jsonb_array_elements_text(r.cells->${lit(`'${id}'`)}) WITH ORDINALITY AS e (id, ord)
          JOIN records t ON t.record_id = e.id::bigint AND t.deleted_on IS NULL JOIN apps a ON a.app_id = t.app_id
          ORDER BY e.ord LIMIT 1)`)
      case "user":
        return words(sql`(SELECT u.name FROM users u WHERE u.user_id = ${text}::bigint)`)
      case "created_by":
      case "last_modified_by":
        return words(sql`coalesce(
          (SELECT u.name FROM users u WHERE u.user_id = (${lit(`r.${type}`)}->>'user_id')::bigint),
          (SELECT x.name FROM automations x WHERE x.automation_id = (${lit(`r.${type}`)}->>'automation_id')::bigint))`)
      case "attachment":
      case "image":
        return words(sql`(SELECT f.name FROM files f WHERE f.file_id = ${text}::bigint)`)
      case "checklist":
        return words(sql`(${first}->>'title')`)
      case "link":
        return words(sql`(${first}->>'url')`)
      case "email":
      case "phone":
      case "location":
        return words(sql`nullif(${first}->>'value', '')`)
      default:
        return words(
          field.field_type === "multi_text" ? sql`btrim(regexp_replace(${text}, '<[^>]*>', ' ', 'g'))` : text
        )
    }
  }
  return ({ by }: Sort): SortKey => {
    if (typeof by !== "string") return fieldKey(by)
    const { column, type } = facts[by]
    return type === "text" ? words(lit(column)) : { expression: lit(column), type }
  }
}

/** What a cursor is bound to. */
export const sortName = (sort: Sort | null) =>
  sort === null ? "" : `${typeof sort.by === "string" ? sort.by : sort.by.field_id}${sort.desc ? " desc" : ""}`
