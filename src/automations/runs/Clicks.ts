// Clicks of weblinks (developer-api.md 7.10): a valid one fires its automation; unknown, expired, spent, paused, broken and
// trashed-record links are told apart by nobody.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { formatDateTime } from "../../dates.ts"
import { NotFound, TooManyRequests } from "../../errors.ts"
import type { Cause } from "../../outbox/Event.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { hashToken } from "../../Secrets.ts"
import type { RunType } from "../engine/Scope.ts"
import { fireEvent } from "../triggers/fire.ts"
import { isOver, type Waited, Waits } from "./Waits.ts"

interface Link {
  readonly weblink_id: number
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly record_id: number
  readonly triggering_record_id: number | null
  readonly arguments: Readonly<Record<string, unknown>>
  readonly run_type: RunType
  readonly clicks: number
  readonly depth: number
  readonly cause: Cause | null
  readonly created_on: Date
}

const PER_MINUTE = 30
const MINUTE = 60_000
const WAIT_MILLIS = 30_000

/** A redirect goes out as soon as it is known: the run goes on. */
const shown = (waited: Waited): boolean => waited.redirect !== null || isOver(waited)

export class Clicks extends Context.Service<
  Clicks,
  {
    /** Fires; the key under which the outcome is waited for. */
    readonly click: (token: string) => Effect.Effect<string, NotFound | TooManyRequests>
    readonly outcome: (key: string) => Effect.Effect<Waited | null>
  }
>()("millrace/automations/runs/Clicks") {
  static readonly layer = Layer.effect(
    Clicks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const waits = yield* Waits
      const gone = new NotFound({ message: "This link is not valid." })

      const click = Effect.fn("Clicks.click")(
        function* (token: string) {
          const millis = yield* Clock.currentTimeMillis
          const now = new Date(millis)
          const [link] = yield* sql<Link & { window_on: Date | null; window_count: number }>`
            SELECT w.weblink_id, w.automation_id, a.org_id, a.app_id, w.record_id, w.triggering_record_id, w.arguments,
              w.run_type, w.clicks, w.depth, w.cause, w.created_on, w.window_on, w.window_count
            FROM weblinks w JOIN automations a USING (automation_id) JOIN records r USING (record_id)
            WHERE w.token_hash = ${hashToken(token)} AND a.deleted_on IS NULL AND NOT a.broken
              AND (NOT a.paused OR w.run_type <> 'regular') AND a.trigger_type = 'weblink_clicked'
              AND r.deleted_on IS NULL AND (w.expires_on IS NULL OR w.expires_on > ${now}) AND (NOT w.once OR w.clicks = 0)
            FOR UPDATE OF w`
          if (link === undefined) return yield* gone
          const fresh = link.window_on === null || link.window_on.getTime() <= millis - MINUTE
          if (!fresh && link.window_count >= PER_MINUTE) {
            const left = Math.ceil((link.window_on!.getTime() + MINUTE - millis) / 1_000)
            return yield* new TooManyRequests({
              message: `At most ${PER_MINUTE} clicks a minute.`,
              retryAfterSeconds: Math.max(1, left)
            })
          }
          yield* sql`
            UPDATE weblinks SET clicks = clicks + 1, window_on = ${fresh ? now : link.window_on},
              window_count = ${fresh ? 1 : link.window_count + 1}::int WHERE weblink_id = ${link.weblink_id}`
          const key = randomUUID()
          yield* waits.open(key)
          const { cause, depth } = link
          yield* outbox.append([
            fireEvent(
              {
                automation_id: link.automation_id,
                run_type: link.run_type,
                expects: "weblink_clicked",
                data: {
                  arguments: link.arguments,
                  ...(link.triggering_record_id === null ? {} : { triggering_record_id: link.triggering_record_id }),
                  weblink: { click_count: link.clicks + 1, created_at: formatDateTime(link.created_on) }
                },
                triggered_by_automation_id: cause?.automation_id ?? null,
                wait_key: key
              },
              { org_id: link.org_id, app_id: link.app_id, record_id: link.record_id, depth, cause }
            )
          ])
          return key
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return Clicks.of({ click, outcome: (key) => waits.until(key, WAIT_MILLIS, shown) })
    })
  )
}
