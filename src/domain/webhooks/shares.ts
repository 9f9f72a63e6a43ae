// Shares the concurrency slots of an app among its hooks, which are served round robin (decisions W3): for deliveries in memory
// (bundles/bundleQueue.ts), and for statements (claim.ts).
import type { Sql } from "../../platform/sql/Sql.ts"

/** Minimum concurrency slots of a hook, however many hooks there are. */
const LEAST_SHARE = 2

/** Concurrency slots of each hook if `busy` hooks have something to send. */
export const shareOf = ({ slots }: { readonly slots: number }, busy: number) =>
  Math.max(LEAST_SHARE, Math.floor(slots / Math.max(2, busy)))

/** SQL expression for `shareOf`, from SQL expressions. */
export const shareIn = (slots: string, busy: string) => `greatest(${LEAST_SHARE}, ${slots} / greatest(2, ${busy}))`

/** Hooks in the order in which each is served once: those behind the last one that was served come first. */
export const inRotation = (hookIds: ReadonlyArray<number>, lastHook: number) =>
  [...hookIds].sort((a, b) => Number(a <= lastHook) - Number(b <= lastHook) || a - b)

/** `ORDER BY` of rows with a `hook_id` and a `turn`: the number of deliveries of their hook in flight and before them. */
export const rotationIn = (sql: Sql, lastHook: number) => sql`turn, hook_id <= ${lastHook}, hook_id`
