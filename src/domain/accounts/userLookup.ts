// Looks up users of an organization for pages, however many there are: names by ids, and users by a typed text.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"

const Found = Schema.Struct({ user_id: Schema.Int, name: Schema.String, email: Schema.String })
export type FoundUser = typeof Found.Type

export const makeUserLookup = Effect.map(Sql, (sql) => {
  const users = sql.literal(`SELECT u.user_id, u.name, p.email FROM users u JOIN people p USING (person_id)
    WHERE u.status <> 'removed' AND u.org_id =`)

  /** Names of users by their ids; omits users of other organizations. */
  const named = Effect.fn("userLookup.named")(function* (orgId: number, ids: Iterable<number>) {
    const userRows = yield* rowsOf(Found)(
      sql`${users} ${orgId} AND u.user_id = ANY(${[...ids].map(String)}::text[]::bigint[])`
    )
    return new Map(userRows.map(({ name, user_id }) => [user_id, name]))
  }, orSqlDefect)

  /** Users that a text means by id, email address or name; two if several have the name. */
  const meant = Effect.fn("userLookup.meant")(function* (orgId: number, text: string) {
    if (/^\d{1,15}$/.test(text)) return yield* rowsOf(Found)(sql`${users} ${orgId} AND u.user_id = ${Number(text)}`)
    const byEmail = yield* rowsOf(Found)(sql`${users} ${orgId} AND lower(p.email) = lower(${text})`)
    if (byEmail.length > 0) return byEmail
    return yield* rowsOf(Found)(
      sql`${users} ${orgId} AND fold_case(u.name) = fold_case(${text}) ORDER BY u.user_id LIMIT 2`
    )
  }, orSqlDefect)

  return { named, meant }
})
