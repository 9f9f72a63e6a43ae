// Payloads of inbound webhooks and manual runs (developer-api.md 7.3, 7.9). A large payload is stored once; outbox, mailbox and run refer
// to it by id (decisions A3, P8).
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { FireData } from "./fireCommand.ts"
import type { TriggerData } from "./RunScope.ts"
import { StepFailed } from "./StepFailed.ts"

/** Characters of JSON; a smaller payload is cheaper to carry along than to look up. */
const LARGE = 16_384

/** Payload, or the id under which it is stored; neither if there is none. */
export type CarriedPayload = Pick<
  TriggerData,
  "webhook_payload" | "webhook_payload_id" | "webhook_payload_chars" | "webhook_raw_body"
>

/** Payload that events carry unless it is large. */
interface SizedPayload {
  readonly carried: CarriedPayload
  readonly isLarge: boolean
  readonly text: string
  readonly chars: number
}

const sized = (payload: unknown, rawBody?: string): SizedPayload => {
  const text = jsonText(payload)
  const chars = text.length + (rawBody?.length ?? 0)
  const raw = rawBody === undefined ? {} : { webhook_raw_body: rawBody }
  return { carried: { webhook_payload: payload, ...raw }, isLarge: chars > LARGE, text, chars }
}

const PayloadId = Schema.Struct({ payload_id: Schema.Int })

const KeptPayload = Schema.Struct({ payload: Schema.Unknown })
const KeptBody = Schema.Struct({ raw_body: Schema.NullOr(Schema.String) })
const notKept = new StepFailed({ message: "The payload of this run is not kept any more." })

export const makeWebhookPayloads = Effect.gen(function* () {
  const sql = yield* Sql

  /** Stores a large payload; call it in the transaction of the event that refers to it. */
  const keep = Effect.fnUntraced(function* ({ carried, chars, isLarge, text }: SizedPayload) {
    if (!isLarge) return carried
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const row = yield* rowOf(PayloadId)(sql`
      INSERT INTO webhook_payloads (payload, raw_body, kept_on) VALUES (${text}::jsonb, ${carried.webhook_raw_body ?? null}, ${nowDate}) RETURNING payload_id`)
    const large: CarriedPayload = { webhook_payload_id: row!.payload_id, webhook_payload_chars: chars }
    return large
  })

  /** Does the same for fire data that may hold a payload. */
  const carried = ({ webhook_payload, webhook_raw_body, ...rest }: FireData): Effect.Effect<FireData, SqlError> =>
    webhook_payload === undefined
      ? Effect.succeed(rest)
      : Effect.map(keep(sized(webhook_payload, webhook_raw_body)), (kept) => ({ ...rest, ...kept }))

  const load = Effect.fnUntraced(function* ({ webhook_payload, webhook_payload_id }: CarriedPayload) {
    if (webhook_payload_id === undefined) return webhook_payload
    const row = yield* rowOf(KeptPayload)(sql`
      SELECT payload FROM webhook_payloads WHERE payload_id = ${webhook_payload_id}`)
    return row === undefined ? yield* notKept : row.payload
  }, orSqlDefect)

  const loadRaw = Effect.fnUntraced(function* ({ webhook_payload_id, webhook_raw_body }: CarriedPayload) {
    if (webhook_payload_id === undefined) return webhook_raw_body ?? null
    const row = yield* rowOf(KeptBody)(sql`
      SELECT raw_body FROM webhook_payloads WHERE payload_id = ${webhook_payload_id}`)
    return row === undefined ? yield* notKept : row.raw_body
  }, orSqlDefect)

  return { sized, keep, carried, load, loadRaw }
})
