// Settles a batch of results that causes a notice to admins or the loss of a verification (decisions W1, W5): in one transaction, execution
// by execution, since the order of successes and failures decides.
import { Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { afterExecution, type HookHealth, type Notice } from "./failureStreak.ts"
import { HookStatus } from "./Hook.ts"
import { AboutHook, type HookNotices } from "./HookNotices.ts"
import { type Result, writtenOf } from "./judgeResults.ts"
import { makeResultStatements, type Written } from "./resultStatements.ts"
import { makeCounting } from "./statistics/counting.ts"
import type { WebhookSettingsShape } from "./WebhookSettings.ts"
import { makeWithheldDeliveries } from "./withheldDeliveries.ts"

const HookRow = Schema.Struct({
  ...AboutHook.fields,
  status: HookStatus,
  alerted: Schema.Int
})
type HookRow = typeof HookRow.Type

export const makeSettle = (settings: WebhookSettingsShape, notices: HookNotices["Service"]) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { release, write } = yield* makeResultStatements
    const withhold = yield* makeWithheldDeliveries
    const { counts } = yield* makeCounting

    /** Locks the hooks `FOR UPDATE`, as withheldDeliveries.ts requires. */
    const lockHooks = (ids: ReadonlyArray<number>) =>
      rowsOf(HookRow)(sql`
      SELECT hook_id, app_id, org_id, host, type, status, num_failed_executions, alerted FROM hooks
      WHERE hook_id = ANY(${ids.map(String)}::bigint[]) ORDER BY hook_id FOR UPDATE`)

    const writeHealth = (hook: HookRow, { status, failures, alerted }: HookHealth) => sql`
      UPDATE hooks SET num_failed_executions = ${failures}, alerted = ${alerted}, status = ${status} WHERE hook_id = ${hook.hook_id}`

    return Effect.fnUntraced(function* (all: ReadonlyArray<Result>, now: Date, random: () => number) {
      const rows = yield* lockHooks([...new Set(all.map(({ row }) => row.hook_id))])
      const hooks = new Map(rows.map((hook) => [hook.hook_id, hook]))
      // Drops results of hooks that were deleted while the POST was in flight: their deliveries are deleted too.
      const results = all.filter(({ row }) => hooks.has(row.hook_id))
      const health = new Map<number, HookHealth>(
        rows.map(({ alerted, hook_id, num_failed_executions: failures, status }) => [
          hook_id,
          { status, failures, alerted }
        ])
      )
      const dueNotices: Array<{ readonly hook: HookRow; readonly notice: Notice; readonly failures: number }> = []
      const writtenRows: Array<Written> = []
      for (const result of results) {
        const hook = hooks.get(result.row.hook_id)!
        const nextState = afterExecution(health.get(hook.hook_id)!, result.outcome.ok, settings.failuresAllowed)
        health.set(hook.hook_id, nextState.health)
        const error = result.outcome.error ?? "status"
        if (nextState.notice !== null)
          dueNotices.push({ hook, notice: { ...nextState.notice, error }, failures: nextState.health.failures })
        writtenRows.push(writtenOf(result, nextState.health.status === "active", settings.retryDelays, random))
      }
      if (writtenRows.length > 0) yield* Effect.andThen(write(writtenRows, now), counts(writtenRows, now))
      for (const hook of rows) yield* writeHealth(hook, health.get(hook.hook_id)!)
      const freed = yield* release(writtenRows.filter(({ ordered }) => ordered))
      for (const hook of rows) if (health.get(hook.hook_id)!.status !== hook.status) yield* withhold(hook.hook_id, now)
      for (const { hook, notice, failures } of dueNotices) {
        const { hook_id, app_id, org_id, host, type } = hook
        const allowed = settings.failuresAllowed
        yield* notices.tell({ hook_id, app_id, org_id, host, type, failures, allowed, notice })
      }
      return { health: health as ReadonlyMap<number, HookHealth>, results, written: writtenRows, freed: freed.length }
    })
  })
