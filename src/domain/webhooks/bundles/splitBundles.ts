// Splits bundles of an activation: their deliveries become rows of the queue, in flight under its fence, or open for the next claim by any
// activation.
import { Effect, Schema } from "effect"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { heldBy, isHeld } from "../../../engine/actors/fence.ts"
import { idListParameter } from "../../../platform/sql/listParameters.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { ClaimedHooks, hooksWhere, SENDABLE_HOOK, UNPACED } from "../claimParts.ts"
import { isNamedBy, lockedDeliveries } from "../queueDeliveries.ts"
import type { Bundle } from "./Bundle.ts"

const Standing = Schema.Struct({ hooks: ClaimedHooks })

export const makeSplitBundles = Effect.map(Sql, (sql) => {
  const unbundle = (bundles: ReadonlyArray<Bundle>) =>
    sql`webhook_unbundle(${bundles.map(({ event_id }) => String(event_id))}::bigint[])`

  /**
   * Notes that the split is committed. Until then results are written to the bundle: if it is no longer there they learn of it
   * (bundleForm.ts, `isThere`), whereas a row of the queue that is not there yet would be missed.
   */
  const markSplit = (bundles: ReadonlyArray<Bundle>) =>
    Effect.sync(() => {
      for (const bundle of bundles) bundle.whole = false
    })

  /** Turns bundles into rows of the queue under the activation's fence. Deliveries in flight stay in flight. */
  const takeApart = (activation: Activation, bundles: ReadonlyArray<Bundle>) =>
    Effect.suspend(() =>
      bundles.length === 0
        ? Effect.void
        : Effect.andThen(
            activation.statement(
              sql`WITH mine AS MATERIALIZED (${heldBy(sql, activation)}) SELECT 1 AS held, ${unbundle(bundles)} FROM mine`,
              isHeld
            ),
            markSplit(bundles)
          )
    )

  /**
   * Opens waiting deliveries for any claim, and removes those from the used part of the window (W4): a repeat after a lost answer finds none.
   * Locks the window first, as a claim does.
   */
  const giveBack = (
    activation: Activation,
    given: ReadonlyArray<{ readonly hook_id: number; readonly bundle: Bundle }>
  ) => {
    const rows = JSON.stringify(
      given.map(({ bundle: { event_id, record_id, since }, hook_id }) => ({
        hook_id,
        record_id,
        event_id,
        since: new Date(since)
      }))
    )
    const bundles = [...new Set(given.map(({ bundle }) => bundle))]
    const appId = Number(activation.id)
    const commit = activation.commit(
      Effect.all([
        sql`SELECT 1 FROM webhook_windows WHERE app_id = ${appId} FOR NO KEY UPDATE`,
        sql`SELECT ${unbundle(bundles)}`,
        sql`
          WITH waiting_rows AS (
            SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS g(hook_id bigint, record_id bigint, event_id bigint, since timestamptz)
          ), held AS (
            SELECT q.hook_id, q.event_id, x.since FROM ${lockedDeliveries(sql, "waiting_rows", "NO KEY UPDATE", sql`q.fence = ${activation.fence}`)}
          ), opened AS (
            UPDATE webhook_queue q SET fence = 0, claims = 0 FROM held WHERE ${isNamedBy(sql, "held")}
          )
          UPDATE webhook_windows w SET used = greatest(0, used - (SELECT count(hook_id) FROM held WHERE since >= w.window_start))
          WHERE app_id = ${appId}`
      ])
    )
    return Effect.andThen(commit, markSplit(bundles))
  }

  /** Reads the given hooks that may send without pacing, as they are now. */
  const readUnpacedHooks = (activation: Activation, hookIds: ReadonlyArray<number>) =>
    Effect.map(
      activation.statement(
        rowsOf(Standing)(sql`
          WITH mine AS (${heldBy(sql, activation)}), picked AS MATERIALIZED (
            SELECT h.hook_id FROM hooks h WHERE h.app_id = ${Number(activation.id)} AND h.hook_id IN ${idListParameter(sql, hookIds)}
              AND ${sql.literal(SENDABLE_HOOK)} AND ${sql.literal(UNPACED)}
          ) SELECT ${sql.literal(hooksWhere("h.hook_id IN (SELECT hook_id FROM picked)"))} AS hooks FROM mine`),
        isHeld
      ),
      ([row]) => row!.hooks
    )

  return { takeApart, giveBack, standing: readUnpacedHooks }
})
