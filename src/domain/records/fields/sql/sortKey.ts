// Sort keys of listings over `records r` (developer-api.md 4.2). The key is read back as text, so that a cursor can continue from it.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../../platform/sql/Sql.ts"

export interface SortKey {
  readonly expression: Statement.Fragment
  readonly type: "text" | "numeric" | "timestamptz" | "bigint"
}

/** The first entry as a number or an id; null while the field is converted from or to another type (11.4), so that no cast fails. */
export const heldNumber = (id: number, type: "numeric" | "bigint"): string =>
  `(CASE WHEN jsonb_typeof(r.cells->'${id}'->0) = 'number' THEN (r.cells->'${id}'->>0)::${type} END)`

export const makeSortSql = (sql: Sql) => ({
  sql,
  lit: sql.literal,
  /** The first entry of a field. */
  first: (id: number) => sql.literal(`(r.cells->'${id}'->0)`),
  firstText: (id: number) => sql.literal(`(r.cells->'${id}'->>0)`),
  firstNumber: (id: number, type: "numeric" | "bigint") => sql.literal(heldNumber(id, type)),
  /** People's order: case and accents count last. */
  words: (value: Statement.Fragment): SortKey => ({
    expression: sql`left(${value}, 200) COLLATE "und-x-icu"`,
    type: "text"
  })
})
export type SortSql = ReturnType<typeof makeSortSql>
