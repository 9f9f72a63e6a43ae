// Tells the admins of an app about its hooks (decisions W1, W13, W17). Notices: a hook fails at 50, 70 or 90 % of the threshold, loses its
// verification, is paused because of its filter or because the connection that saved it ended, or is sent without the record (W17). All go
// by mail; the first two also go to hooks of their types.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { trouble } from "../../engine/outbox/Event.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { Notice } from "./failureStreak.ts"

/** The hook that a notice is about. */
export const NoticedHook = Schema.Struct({
  hook_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  host: Schema.String,
  type: Schema.String
})

/** Columns about a hook that a statement which changes the hook returns for a notice. */
export const AboutHook = Schema.Struct({ ...NoticedHook.fields, num_failed_executions: Schema.Int })

export type HookNotice = typeof NoticedHook.Type & {
  readonly failures: number
  readonly allowed: number
  readonly notice: Notice
}

export const aboutOf = ({ num_failed_executions: failures, ...about }: typeof AboutHook.Type) => ({
  ...about,
  failures,
  allowed: failures
})

export class HookNotices extends Context.Service<
  HookNotices,
  {
    /** Call it in the transaction that commits the executions, so that each notice is sent once. */
    readonly tell: (notice: HookNotice) => Effect.Effect<void, SqlError>
  }
>()("millrace/webhooks/HookNotices") {
  static readonly layer = Layer.effect(
    HookNotices,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const tell = Effect.fnUntraced(function* ({ notice, ...about }: HookNotice) {
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const alertShare = notice.kind === "failing" ? notice.share : null
        const why = "reason" in notice ? notice.reason : null
        const row = { ...about, share: alertShare, reason: why, kind: notice.kind, created_on: nowDate }
        yield* sql`INSERT INTO webhook_notices ${sql.insert(row)}`
        if ("error" in notice) {
          const { failures, hook_id } = about
          const type = notice.kind === "failing" ? "hook.failing" : "hook.inactive"
          const reason = notice.error.split(":", 1)[0]!
          yield* outbox.append([trouble(about, { type, payload: { hook_id, failures, reason } })])
        }
      })
      return HookNotices.of({ tell })
    })
  )
}

/** Mail to an app's admins. Names the host and the numbers; never the complete URL. */
export const mailOf = (
  notice: Omit<HookNotice, "notice"> & {
    readonly share: number | null
    readonly reason: string | null
    /** Null: of the release before. */
    readonly kind: string | null
  },
  appName: string
) => {
  const hook = `Webhook ${notice.hook_id} (${notice.type} to ${notice.host}) of the app "${appName}"`
  if (notice.kind === "record_withheld")
    return {
      subject: `Webhook ${notice.hook_id} of ${appName} is sent without records`,
      text: `${hook} goes on without \`record\` in its bodies: ${notice.reason} Save its settings with a credential that may read records to have them again.`
    }
  if (notice.kind === "connection_ended")
    return {
      subject: `Webhook ${notice.hook_id} of ${appName} was paused`,
      text: `${hook} was paused: ${notice.reason} What occurs meanwhile waits for at most seven days. Save the hook to take it over; it then goes on with your rights.`
    }
  if (notice.reason !== null)
    return {
      subject: `Webhook ${notice.hook_id} of ${appName} was paused`,
      text: `${hook} was paused because its filter can no longer be used: ${notice.reason} What occurs meanwhile waits for at most seven days and is sent, unfiltered, once the filter is mended and the hook resumed.`
    }
  return notice.share === null
    ? {
        subject: `Webhook ${notice.hook_id} of ${appName} was switched off`,
        text: `${hook} failed ${notice.failures} times in a row and has lost its verification. Nothing is sent until it is verified again; what occurs meanwhile is kept for replay.`
      }
    : {
        subject: `Webhook ${notice.hook_id} of ${appName} is failing`,
        text: `${hook} has failed ${notice.failures} times in a row. After more than ${notice.allowed} failures in a row it loses its verification.`
      }
}
