// Checks the data with which a requested run begins (developer-api.md 7.3 run body): it must fit the trigger.
import { Effect, Schema } from "effect"
import { NotFound, RecordNotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { type AutomationRow, automationColumns, readRow, StoredAutomation } from "../definitions/StoredAutomation.ts"
import type { FireData } from "../model/fireCommand.ts"
import { triggers } from "../triggers/registry.ts"

export interface RunBody {
  readonly record_id?: number
  readonly webhook_payload?: unknown
  readonly use_last_received_webhook_payload?: boolean
}

export const mismatch = (message: string) => new ValidationError({ message })

const CaughtBody = Schema.Struct({
  payload: Schema.Unknown,
  payload_id: Schema.NullOr(Schema.Int),
  files: Schema.NullOr(jsonb<NonNullable<FireData["webhook_files"]>>()),
  raw_body: Schema.NullOr(Schema.String),
  request: Schema.NullOr(jsonb<NonNullable<FireData["webhook_request"]>>())
})

export const makeRunBodyChecks = (sql: Sql) => {
  const find = Effect.fnUntraced(function* (id: number) {
    const row = yield* rowOf(StoredAutomation)(sql`
      SELECT ${sql.literal(automationColumns)} FROM automations x JOIN apps a USING (app_id)
      WHERE x.automation_id = ${id} AND x.deleted_on IS NULL`)
    return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
  })

  const liveRecord = Effect.fnUntraced(function* (appId: number, recordId: number) {
    const [row] = yield* sql`
      SELECT 1 FROM records WHERE record_id = ${recordId} AND app_id = ${appId} AND deleted_on IS NULL`
    if (row === undefined) return yield* new RecordNotFound({ recordId })
  })

  /** Reads the last payload and locks it until the caller's transaction also refers to it: a payload with a reference is not pruned. */
  const lastPayload = Effect.fnUntraced(function* (automationId: number) {
    const row = yield* rowOf(CaughtBody)(sql`
      SELECT payload, payload_id, files, raw_body, request FROM webhook_catches
      WHERE automation_id = ${automationId} AND received_on IS NOT NULL FOR SHARE`)
    if (row === undefined) {
      return yield* new ValidationError({
        message: "use_last_received_webhook_payload: nothing has been received yet."
      })
    }
    const requestParts = {
      webhook_files: row.files ?? [],
      ...(row.request === null ? {} : { webhook_request: row.request })
    }
    const raw = row.raw_body === null ? {} : { webhook_raw_body: row.raw_body }
    return (row.payload_id === null
      ? { webhook_payload: row.payload, ...raw, ...requestParts }
      : { webhook_payload_id: row.payload_id, ...requestParts }) satisfies FireData as FireData
  })

  /** Returns the run's data; the body must fit the trigger (7.3). */
  const dataOf = Effect.fnUntraced(function* (automation: AutomationRow, body: RunBody) {
    const type = automation.trigger?.type
    if (type === "webhook_received") {
      if (body.record_id !== undefined) return yield* mismatch("record_id: the trigger has no record.")
      const usesLastPayload = body.use_last_received_webhook_payload === true
      if (usesLastPayload === "webhook_payload" in body) {
        return yield* mismatch("Send either `webhook_payload` or `use_last_received_webhook_payload: true`.")
      }
      return usesLastPayload ? yield* lastPayload(automation.automation_id) : { webhook_payload: body.webhook_payload }
    }
    if ("webhook_payload" in body || body.use_last_received_webhook_payload !== undefined) {
      return yield* mismatch("webhook_payload: the trigger receives no webhook.")
    }
    if (type === undefined || triggers[type].context === "none") {
      if (body.record_id !== undefined) return yield* mismatch("record_id: the trigger has no record.")
      return {}
    }
    if (body.record_id === undefined) return yield* mismatch("record_id: is required for this trigger.")
    yield* liveRecord(automation.app_id, body.record_id)
    return {}
  })

  return { dataOf, find, lastPayload, liveRecord }
}
