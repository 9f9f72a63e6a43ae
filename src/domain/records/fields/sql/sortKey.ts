// Sort keys of listings over `records r` (developer-api.md 4.2). The key is read back as text, so that a cursor can continue from it.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../../ground/sql/Sql.ts"

export interface SortKey {
  readonly expression: Statement.Fragment
  readonly type: "text" | "numeric" | "timestamptz" | "bigint"
}

export const makeSortSql = (sql: Sql) => ({
  sql,
  lit: sql.literal,
  /** The first entry of a field. */
  first: (id: number) => sql.literal(`(r.cells->'${id}'->0)`),
  firstText: (id: number) => sql.literal(`(r.cells->'${id}'->>0)`),
  /** People's order: case and accents count last. */
  words: (value: Statement.Fragment): SortKey => ({
    expression: sql`left(${value}, 200) COLLATE "und-x-icu"`,
    type: "text"
  })
})
export type SortSql = ReturnType<typeof makeSortSql>
