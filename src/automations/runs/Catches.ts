// Inbound webhooks (developer-api.md 7.9): found by the hash of their token, counted per minute, kept as "last received", fired where
// the automation is active. The answer may wait for the run.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound, TooManyRequests } from "../../errors.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { hashToken } from "../../Secrets.ts"
import { jsonText } from "../../sql/json.ts"
import type { FileOutput } from "../engine/Scope.ts"
import { fireEvent } from "../triggers/fire.ts"
import type { TriggerConfig } from "../triggers/registry.ts"
import { isOver, Waits } from "./Waits.ts"

export interface Caught {
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly owner_id: number
  readonly active: boolean
  readonly config: TriggerConfig<"webhook_received">
}

export interface CatchAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const PER_MINUTE = 100
const MINUTE = 60_000
const json = (status: number): CatchAnswer => ({ status, contentType: "application/json", body: "{}" })

export class Catches extends Context.Service<
  Catches,
  {
    /** Counts the request, whatever it holds. */
    readonly find: (token: string) => Effect.Effect<Caught, NotFound | TooManyRequests>
    readonly receive: (caught: Caught, payload: unknown, files: ReadonlyArray<FileOutput>) => Effect.Effect<CatchAnswer>
  }
>()("millrace/automations/runs/Catches") {
  static readonly layer = Layer.effect(
    Catches,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const waits = yield* Waits

      const find = Effect.fn("Catches.find")(
        function* (token: string) {
          const [row] = yield* sql<Caught>`
            SELECT automation_id, org_id, app_id, owner_id, NOT paused AND NOT broken AS active, trigger -> 'config' AS config
            FROM automations
            WHERE inbound_hash = ${hashToken(token)} AND deleted_on IS NULL AND trigger_type = 'webhook_received'`
          if (row === undefined) return yield* new NotFound({ message: "No such address." })
          const millis = yield* Clock.currentTimeMillis
          const [window] = yield* sql<{ window_on: Date; window_count: number }>`
            INSERT INTO webhook_catches AS c (automation_id, window_on, window_count)
            VALUES (${row.automation_id}, ${new Date(millis)}, 1)
            ON CONFLICT (automation_id) DO UPDATE SET
              window_on = CASE WHEN c.window_on > ${new Date(millis - MINUTE)} THEN c.window_on ELSE excluded.window_on END,
              window_count = CASE WHEN c.window_on > ${new Date(millis - MINUTE)} THEN c.window_count + 1 ELSE 1 END
            RETURNING window_on, window_count`
          if (window!.window_count > PER_MINUTE) {
            const left = Math.ceil((window!.window_on.getTime() + MINUTE - millis) / 1_000)
            return yield* new TooManyRequests({
              message: `At most ${PER_MINUTE} requests a minute.`,
              retryAfterSeconds: Math.max(1, left)
            })
          }
          return row
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const store = Effect.fnUntraced(function* (
        caught: Caught,
        payload: unknown,
        files: ReadonlyArray<FileOutput>,
        key: string | null
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`
          UPDATE webhook_catches SET payload = ${jsonText(payload ?? null)}::jsonb,
            files = ${jsonText(files)}::jsonb, received_on = ${now} WHERE automation_id = ${caught.automation_id}`
        if (!caught.active) return
        if (key !== null) yield* waits.open(key)
        yield* outbox.append([
          fireEvent(
            {
              automation_id: caught.automation_id,
              run_type: "regular",
              expects: "webhook_received",
              data: { webhook_payload: payload, webhook_files: files },
              ...(key === null ? {} : { wait_key: key })
            },
            { org_id: caught.org_id, app_id: caught.app_id, record_id: null, depth: 0, cause: null }
          )
        ])
      }, sql.withTransaction)

      const receive = Effect.fn("Catches.receive")(
        function* (caught: Caught, payload: unknown, files: ReadonlyArray<FileOutput>) {
          const { config } = caught
          const key = caught.active && config.response_mode === "sync" ? randomUUID() : null
          yield* store(caught, payload, files, key)
          if (key === null) return json(202)
          const waited = yield* waits.until(key, config.response_timeout_seconds * 1_000, isOver)
          if (waited === null || !isOver(waited)) return json(202)
          if (waited.refused !== null) return waited.refused === "mismatch" ? { ...json(204), body: "" } : json(202)
          return waited.status === "completed"
            ? { status: config.response_status, contentType: config.response_content_type, body: waited.html ?? "" }
            : json(500)
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      return Catches.of({ find, receive })
    })
  )
}
