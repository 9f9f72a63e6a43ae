// Statement that stores a request to an inbound address (developer-api.md 7.9): the last received one of its automation, its event and, in
// sync mode, the row under which the request can wait for the run.
import { randomUUID } from "node:crypto"
import { Clock, Effect, Schema } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { TriggerConfig } from "../model/Definition.ts"
import { fireEvent } from "../model/fireCommand.ts"
import type { FileOutput, WebhookRequest } from "../model/RunScope.ts"
import { makeSealed } from "../model/sealedValues.ts"
import type { CarriedPayload } from "../model/webhookPayloads.ts"
import { makeWaitingRequests } from "../run/waitingRequests.ts"
import type { Received } from "./webhookPayload.ts"

/** Automation whose address was called. */
export interface Catch {
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly owner_id: number
  readonly active: boolean
  /** True if its definition uses the body as it was sent. */
  readonly names_raw_body: boolean
  readonly config: TriggerConfig<"webhook_received">
}

export type StoredPayload = Pick<Received, "payload" | "numbersKept" | "rawBody"> & { readonly request: WebhookRequest }

/** The automation was paused, broken or deleted while the body was being read; nothing is stored. */
class Inactive extends Schema.TaggedError<Inactive>()("Inactive", {}) {}

export const makeStoreCatch = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const { sealNamed } = yield* makeSealed
  const waits = makeWaitingRequests(sql)

  /** Returns the key of the wait, if there is one; announce the event after the commit. */
  return Effect.fnUntraced(function* (
    target: Catch,
    { numbersKept, request }: StoredPayload,
    carried: CarriedPayload,
    webhook_files: ReadonlyArray<FileOutput>
  ) {
    const { webhook_payload, webhook_payload_id = null, webhook_raw_body = null } = carried
    const payload = webhook_payload_id === null ? JSON.stringify(webhook_payload) : null
    const webhook_request = { headers: sealNamed(request.headers), query: sealNamed(request.query) }
    const waitKey = target.config.response_mode === "sync" ? `webhook/${randomUUID()}` : null
    const event = fireEvent(
      {
        automation_id: target.automation_id,
        run_type: "regular",
        expects: "webhook_received",
        data: {
          ...{ ...carried, webhook_files, webhook_request },
          ...(numbersKept === true ? { numbers_kept: true as const } : {})
        },
        ...(waitKey === null ? {} : { wait_key: waitKey })
      },
      { org_id: target.org_id, app_id: target.app_id, record_id: null, depth: 0, cause: null }
    )
    const isStored = sql.literal("EXISTS (SELECT FROM kept_catch)")
    const [keptCatch] = yield* sql`
      WITH kept_catch AS (
        INSERT INTO webhook_catches AS c (automation_id, payload, payload_id, files, raw_body, request, received_on)
        SELECT automation_id, ${payload}::jsonb, ${webhook_payload_id}::bigint, ${JSON.stringify(webhook_files)}::jsonb,
          ${webhook_raw_body}, ${jsonText(webhook_request)}::jsonb, ${new Date(yield* Clock.currentTimeMillis)}
        FROM automations
        WHERE automation_id = ${target.automation_id} AND NOT paused AND NOT broken AND deleted_on IS NULL
        ON CONFLICT (automation_id) DO UPDATE
          SET payload = EXCLUDED.payload, payload_id = EXCLUDED.payload_id, files = EXCLUDED.files, raw_body = EXCLUDED.raw_body,
            request = EXCLUDED.request, received_on = EXCLUDED.received_on
        RETURNING automation_id
      ), wait AS (${waitKey === null ? sql.literal("SELECT") : yield* waits.opening(waitKey, isStored)}),
      event AS (${yield* outbox.appending([event], isStored)})
      SELECT automation_id FROM kept_catch`
    return keptCatch === undefined ? yield* new Inactive() : waitKey
  })
})
