// Payloads of inbound webhooks and manual runs (developer-api.md 7.3, 7.9): a large one is kept once, and whatever it goes through on
// its way to a step, the outbox, the mailbox, the run, names it by id (decisions A3, P8).
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { jsonText } from "../../../ground/sql/json.ts"
import { rowOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { FireData } from "./fireCommand.ts"
import type { TriggerData } from "./RunScope.ts"
import { StepFailed } from "./StepFailed.ts"

/** Characters of JSON; a smaller one is quicker carried along than looked up. */
const LARGE = 16_384

/** Either the payload or where it is kept; neither where there is none. */
export type CarriedPayload = Pick<TriggerData, "webhook_payload" | "webhook_payload_id" | "webhook_payload_chars">

const PayloadId = Schema.Struct({ payload_id: Schema.Int })

const KeptPayload = Schema.Struct({ payload: Schema.Unknown })

export const makeWebhookPayloads = Effect.gen(function* () {
  const sql = yield* Sql

  /** In the transaction of the event that names it. */
  const keep = Effect.fnUntraced(function* (payload: unknown) {
    const text = jsonText(payload)
    if (text.length <= LARGE) return { webhook_payload: payload } satisfies CarriedPayload as CarriedPayload
    const now = new Date(yield* Clock.currentTimeMillis)
    const row = yield* rowOf(PayloadId)(sql`
      INSERT INTO webhook_payloads (payload, kept_on) VALUES (${text}::jsonb, ${now}) RETURNING payload_id`)
    const large: CarriedPayload = { webhook_payload_id: row!.payload_id, webhook_payload_chars: text.length }
    return large
  })

  /** The same for data that may hold a payload. */
  const carried = ({ webhook_payload, ...rest }: FireData): Effect.Effect<FireData, SqlError> =>
    webhook_payload === undefined
      ? Effect.succeed(rest)
      : Effect.map(keep(webhook_payload), (kept) => ({ ...rest, ...kept }))

  const load = Effect.fnUntraced(function* ({ webhook_payload, webhook_payload_id }: CarriedPayload) {
    if (webhook_payload_id === undefined) return webhook_payload
    const row = yield* rowOf(KeptPayload)(sql`
      SELECT payload FROM webhook_payloads WHERE payload_id = ${webhook_payload_id}`)
    if (row === undefined) return yield* new StepFailed({ message: "The payload of this run is not kept any more." })
    return row.payload
  }, orSqlDefect)

  return { keep, carried, load }
})
