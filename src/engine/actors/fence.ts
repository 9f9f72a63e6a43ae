// Checks the fence inside of a single statement (design: actors, point 3). An activation's single statement then needs no transaction
// around it, and so no connection of its own and one round trip instead of four. Such statements share connections: one that waits for a
// row blocks those behind it. So whoever locks such rows never waits for one of these statements.
import type { Slots } from "../../platform/sql/compiledOnce.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import type { Activation } from "./ActorKind.ts"

type Holder = Slots<Pick<Activation, "fence" | "key">>

const fenceQuery = (sql: Sql, { fence, key }: Holder, said: string) => sql`
  SELECT ${sql.literal(said)} FROM actors WHERE actor_key = ${key} AND fence = ${fence} FOR KEY SHARE`

/** Body of a CTE: as `heldBy`, for a statement that sets itself whether its commit waits for the disk. */
export const withinFence = (sql: Sql, holder: Holder) => fenceQuery(sql, holder, "1 AS held")

/**
 * Body of a CTE: one row while the activation holds its fence, none afterwards. Until the statement has committed no other activation can
 * begin. The commit does not wait for the disk: use it only for work that is repeated if it is lost.
 */
export const heldBy = (sql: Sql, holder: Holder) =>
  fenceQuery(sql, holder, "set_config('synchronous_commit', 'off', true) AS unflushed")

/** True if the fence was held, judged by the rows of a statement that selects all of them from such a CTE. */
export const isHeld = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0
