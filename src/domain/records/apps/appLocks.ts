// Locks of definition changes over several apps (developer-api.md 11.3). Writers of records lock their own app and then those to which they
// newly point, in any order of ids. So a change never waits for one app while it holds another: it locks them all before anything else, and
// leaves those that it has as soon as one is taken. Which apps it needs may turn out on the way; then it begins anew.
import { Data, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"

/** The change needs locks of apps that it does not have. */
export class AppsUnlocked extends Data.TaggedError("AppsUnlocked")<{ readonly ids: ReadonlyArray<number> }> {}

/** An app is locked by others. */
class AppTaken extends Data.TaggedError("AppTaken")<{ readonly id: number }> {}

/** Attempts after which the apps are waited for one after another, as they are written at any time. */
const ATTEMPTS = 20

const OtherApp = Schema.Struct({ app_id: Schema.Int, is_locked: Schema.Boolean })

export const makeAppLocks = (sql: Sql) => {
  const idList = idListOf(sql)

  /** Waits for the first one, and takes the others only if they are free. */
  const lockAround = Effect.fnUntraced(function* (first: number, ids: ReadonlySet<number>) {
    yield* sql`SELECT 1 FROM apps WHERE app_id = ${first} FOR UPDATE`
    const otherApps = yield* rowsOf(OtherApp)(sql`
      WITH locked AS MATERIALIZED (
        SELECT app_id FROM apps WHERE app_id = ${idList(ids)} AND app_id <> ${first} ORDER BY app_id FOR UPDATE SKIP LOCKED)
      SELECT a.app_id, l.app_id IS NOT NULL AS is_locked FROM apps a LEFT JOIN locked l USING (app_id)
      WHERE a.app_id = ${idList(ids)} AND a.app_id <> ${first} ORDER BY a.app_id`)
    const busyApp = otherApps.find(({ is_locked }) => !is_locked)
    if (busyApp !== undefined) return yield* new AppTaken({ id: busyApp.app_id })
  })

  /** No record of these apps is written, no change of their definitions begins, until the transaction ends. */
  const lockApps = Effect.fnUntraced(function* (ids: ReadonlySet<number>) {
    if (ids.size === 0) return
    const inOrder = sql`SELECT 1 FROM apps WHERE app_id = ${idList(ids)} ORDER BY app_id FOR UPDATE`
    if (ids.size === 1) return yield* Effect.asVoid(inOrder)
    let [first] = ids
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // A savepoint: its locks go with it.
      const busyAppId = yield* sql
        .withTransaction(Effect.as(lockAround(first!, ids), null))
        .pipe(Effect.catchTag("AppTaken", ({ id }) => Effect.succeed(id)))
      if (busyAppId === null) return
      first = busyAppId
    }
    yield* inOrder
  })

  /**
   * Makes a change in the open transaction; begins it anew where it needs locks of further apps.
   * @param change locks the apps that it is given, before others
   */
  const lockingApps = <A, E, R>(
    change: (ids: ReadonlySet<number>) => Effect.Effect<A, E | AppsUnlocked | SqlError, R>,
    ids: ReadonlySet<number> = new Set()
  ): Effect.Effect<A, Exclude<E, AppsUnlocked> | SqlError, R> =>
    Effect.catchIf(
      sql.withTransaction(change(ids)),
      (error): error is Extract<E | AppsUnlocked | SqlError, AppsUnlocked> => error instanceof AppsUnlocked,
      (unlocked) => lockingApps(change, new Set([...ids, ...unlocked.ids]))
    ) as Effect.Effect<A, Exclude<E, AppsUnlocked> | SqlError, R>

  return { lockApps, lockingApps }
}
