// Clicks on weblinks (developer-api.md 7.10): a valid click is counted and stored as an event in one transaction; the request then waits
// for the run.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { Asker } from "../model/askers.ts"
import { fireEvent } from "../model/fireCommand.ts"
import { RunType } from "../model/RunScope.ts"
import { type RunOutcome, RunOutcomes } from "../requests/RunOutcomes.ts"
import { makeWaitingRequests } from "../run/waitingRequests.ts"

const PER_WINDOW = 30
const WINDOW_MILLIS = 60_000

const LinkRow = Schema.Struct({
  weblink_id: Schema.Int,
  automation_id: Schema.Int,
  org_id: Schema.Int,
  app_id: Schema.Int,
  record_id: Schema.Int,
  triggering_record_id: Schema.NullOr(Schema.Int),
  arguments: jsonb<Readonly<Record<string, unknown>>>(),
  run_type: RunType,
  once: Schema.Boolean,
  clicks: Schema.Int,
  window_on: Schema.NullOr(Schema.Date),
  window_count: Schema.Int,
  depth: Schema.Int,
  cause: Schema.NullOr(jsonb<Cause>()),
  triggered_by_automation_id: Schema.NullOr(Schema.Int),
  created_on: Schema.Date,
  asked_by: Schema.NullOr(jsonb<ReadonlyArray<Asker>>())
})

export type Click =
  /** Unknown, expired, used up, paused, broken or trashed: not distinguished for the clicker. */
  | { readonly type: "gone" }
  | { readonly type: "limited"; readonly retryAfterSeconds: number }
  /** `click` identifies the click in the address under which its outcome is requested. */
  | { readonly type: "fired"; readonly click: string }

/** Both values are needed to see an outcome, and the database stores neither. */
const waitKey = (token: string, click: string) =>
  `click/${Buffer.from(hashToken(`${token}/${click}`)).toString("base64url")}`

export class Clicks extends Context.Service<
  Clicks,
  {
    readonly click: (token: string) => Effect.Effect<Click>
    /** True if a click would be valid now; fires nothing. */
    readonly valid: (token: string) => Effect.Effect<boolean>
    readonly outcome: (
      token: string,
      click: string,
      millis: number,
      enough: (outcome: RunOutcome) => boolean
    ) => Effect.Effect<RunOutcome>
  }
>()("millrace/automations/weblinks/Clicks") {
  static readonly layer = Layer.effect(
    Clicks,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const outcomes = yield* RunOutcomes
      const waits = makeWaitingRequests(sql)

      /** A link to a manual run or a simulation works while the automation is paused, as those do (7.3). */
      const find = Effect.fnUntraced(function* (token: string, now: Date, lock: boolean) {
        const row = yield* rowOf(LinkRow)(sql`
          SELECT w.weblink_id, w.automation_id, x.org_id, x.app_id, w.record_id, w.triggering_record_id, w.arguments,
            w.run_type, w.once, w.clicks, w.window_on, w.window_count, w.depth, w.cause, w.triggered_by_automation_id,
            w.created_on, w.asked_by
          FROM weblinks w JOIN automations x USING (automation_id)
            JOIN records r ON r.record_id = w.record_id AND r.app_id = x.app_id
          WHERE w.token_hash = ${hashToken(token)} AND (w.expires_on IS NULL OR w.expires_on > ${now})
            AND NOT (w.once AND w.clicks > 0) AND x.trigger_type = 'weblink_clicked' AND NOT x.broken
            AND (NOT x.paused OR w.run_type <> 'regular') AND x.deleted_on IS NULL AND r.deleted_on IS NULL
          ${sql.literal(lock ? "FOR UPDATE OF w" : "")}`)
        return row
      })

      const click = Effect.fn("Clicks.click")(
        function* (token: string): Effect.fn.Return<Click, SqlError> {
          const nowDate = new Date(yield* Clock.currentTimeMillis)
          const link = yield* find(token, nowDate, true)
          if (link === undefined) return { type: "gone" }
          const isNewWindow = link.window_on === null || link.window_on.getTime() + WINDOW_MILLIS <= nowDate.getTime()
          const windowOn = isNewWindow ? nowDate : link.window_on!
          if (!isNewWindow && link.window_count >= PER_WINDOW) {
            const millisLeft = windowOn.getTime() + WINDOW_MILLIS - nowDate.getTime()
            return { type: "limited", retryAfterSeconds: Math.max(1, Math.ceil(millisLeft / 1_000)) }
          }
          const count = sql`
            UPDATE weblinks SET clicks = clicks + 1, window_on = ${windowOn},
              window_count = ${isNewWindow ? 1 : link.window_count + 1}::int
            WHERE weblink_id = ${link.weblink_id}`
          const name = randomUUID()
          const key = waitKey(token, name)
          const event = fireEvent(
            {
              automation_id: link.automation_id,
              run_type: link.run_type,
              expects: "weblink_clicked",
              triggered_by_automation_id: link.triggered_by_automation_id ?? link.cause?.automation_id ?? null,
              data: {
                weblink: { click_count: link.clicks + 1, created_at: formatDateTime(link.created_on) },
                arguments: link.arguments,
                ...(link.asked_by === null ? {} : { asked_by: link.asked_by }),
                ...(link.triggering_record_id === null ? {} : { triggering_record_id: link.triggering_record_id })
              },
              wait_key: key
            },
            {
              org_id: link.org_id,
              app_id: link.app_id,
              record_id: link.record_id,
              depth: link.depth,
              cause: link.cause
            }
          )
          yield* sql`
            WITH click_count AS (${count}), wait AS (${yield* waits.opening(key)}), event AS (${yield* outbox.appending([event])})
            SELECT`
          yield* outbox.announce
          return { type: "fired", click: name }
        },
        sql.withTransaction,
        orSqlDefect
      )

      const valid = Effect.fn("Clicks.valid")(function* (token: string) {
        return (yield* find(token, new Date(yield* Clock.currentTimeMillis), false)) !== undefined
      }, orSqlDefect)

      return Clicks.of({
        click,
        valid,
        outcome: (token, name, millis, enough) => outcomes.until(waitKey(token, name), millis, enough)
      })
    })
  )
}
