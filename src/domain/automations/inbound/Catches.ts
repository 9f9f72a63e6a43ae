// Inbound webhooks (developer-api.md 7.9): the request is found by the hash of its token, counted, kept as the last received one, and
// stored as an event before it is answered. If the automation is not active, nothing is stored (decisions A23).
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { makeShownPlaces } from "../../../platform/fairness/slotMetrics.ts"
import { type Conflict, NotFound, type TooManyRequests } from "../../../platform/primitives/errors.ts"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Files, type Upload } from "../../records/files/Files.ts"
import { readConfig } from "../input/stored.ts"
import type { TriggerConfig } from "../model/Definition.ts"
import { fireEvent } from "../model/fireCommand.ts"
import type { FileOutput, WebhookRequest } from "../model/RunScope.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { makeWebhookPayloads } from "../model/webhookPayloads.ts"
import { RunOutcomes } from "../requests/RunOutcomes.ts"
import { triggers } from "../triggers/registry.ts"
import { makeRequestWindow } from "./requestWindow.ts"
import type { Received } from "./webhookPayload.ts"

/**
 * Payloads that one organization may store at once, each over a connection of its own, and additional slots for the others (decisions A22).
 */
const STORED_AT_ONCE = { places: 3, reserve: 2 }

const immediate = Schema.decodeSync(triggers.webhook_received.config)({})

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

type StoredPayload = Pick<Received, "payload" | "numbersKept" | "rawBody"> & { readonly request: WebhookRequest }

/** `inactive`: the automation was paused, broken or deleted while the body was being read; nothing is stored. */
type Stored = { readonly type: "kept"; readonly waitKey: string | null } | { readonly type: "inactive" }

export type SentFile = Upload<never, never>

class Inactive extends Schema.TaggedError<Inactive>()("Inactive", {}) {}

/** Holder of files that belong to no record, kept for future runs and for those that name them (pruneConnections.ts). */
export const CAUGHT = "webhook/"
const holderOf = (automationId: number): string => `${CAUGHT}${automationId}`

const StoredCatch = Schema.Struct({
  automation_id: Schema.Int,
  org_id: Schema.Int,
  app_id: Schema.Int,
  owner_id: Schema.Int,
  active: Schema.Boolean,
  names_raw_body: Schema.Boolean,
  per_minute: Schema.NullOr(Schema.Int),
  config: Schema.Unknown,
  format: Schema.Int
})

export class Catches extends Context.Service<
  Catches,
  {
    /** Returns the automation of a token and counts the request, which may wait briefly (./requestWindow.ts). */
    readonly admit: (token: string) => Effect.Effect<Catch, NotFound | TooManyRequests>
    /** Stores payload and event of an active automation and, in sync mode, the key under which a request can wait for the run. */
    readonly store: (
      target: Catch,
      received: StoredPayload,
      files: ReadonlyArray<SentFile>
    ) => Effect.Effect<Stored, Conflict>
  }
>()("millrace/automations/inbound/Catches") {
  static readonly layer = Layer.effect(
    Catches,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const files = yield* Files
      const outcomes = yield* RunOutcomes
      const payloads = yield* makeWebhookPayloads
      const { sealNamed } = yield* makeSealed
      const storeSlots = yield* makeShownPlaces("catches", STORED_AT_ONCE)
      const { inboundPerMinute } = yield* AppConfig
      const countRequest = makeRequestWindow(sql)
      const currentDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

      const admit = Effect.fn("Catches.admit")(function* (token: string) {
        const storedCatch = yield* rowOf(StoredCatch)(sql`
            SELECT automation_id, org_id, app_id, owner_id, NOT paused AND NOT broken AS active, trigger -> 'config' AS config,
              concat(trigger, filter, actions) LIKE '%webhook_raw_body%' AS names_raw_body,
              format, (limits ->> 'inbound_per_minute')::int AS per_minute
            FROM automations JOIN organizations USING (org_id)
            WHERE inbound_hash = ${hashToken(token)} AND deleted_on IS NULL AND trigger_type = 'webhook_received'`)
        if (storedCatch === undefined) return yield* new NotFound({ message: "There is no webhook at this address." })
        const { per_minute, ...row } = storedCatch
        const config = readConfig("webhook_received", row)
        // A config that this release cannot read counts as broken.
        const target: Catch = { ...row, active: row.active && config !== null, config: config ?? immediate }
        yield* countRequest(target.automation_id, per_minute ?? inboundPerMinute)
        return target
      }, orSqlDefect)

      const keep = Effect.fnUntraced(function* (target: Catch, sent: ReadonlyArray<SentFile>) {
        if (sent.length === 0) return []
        const rows = yield* files.store({ orgId: target.org_id, userId: target.owner_id }, sent)
        yield* sql`INSERT INTO file_holds (file_id, holder)
          SELECT unnest(${rows.map(({ file_id }) => String(file_id))}::text[]::bigint[]), ${holderOf(target.automation_id)}`
        return rows.map(
          ({ file_id, mimetype, name, size }): FileOutput => ({ file_id, filename: name, size, mimetype })
        )
      })

      const store = Effect.fn("Catches.store")(
        function* (
          target: Catch,
          { numbersKept, payload, rawBody, request }: StoredPayload,
          sent: ReadonlyArray<SentFile>
        ) {
          const webhook_files = yield* keep(target, sent)
          const carried = yield* payloads.keep(payload, target.names_raw_body ? rawBody : undefined)
          const payloadText = carried.webhook_payload_id === undefined ? JSON.stringify(payload) : null
          const webhook_request = { headers: sealNamed(request.headers), query: sealNamed(request.query) }
          const [stored] = yield* sql`
            INSERT INTO webhook_catches AS c (automation_id, payload, payload_id, files, raw_body, request, received_on)
            SELECT automation_id, ${payloadText}::jsonb, ${carried.webhook_payload_id ?? null}::bigint,
              ${JSON.stringify(webhook_files)}::jsonb, ${carried.webhook_raw_body ?? null},
              ${jsonText(webhook_request)}::jsonb, ${yield* currentDate}
            FROM automations
            WHERE automation_id = ${target.automation_id} AND NOT paused AND NOT broken AND deleted_on IS NULL
            ON CONFLICT (automation_id) DO UPDATE
              SET payload = EXCLUDED.payload, payload_id = EXCLUDED.payload_id, files = EXCLUDED.files, raw_body = EXCLUDED.raw_body,
                request = EXCLUDED.request, received_on = EXCLUDED.received_on
            RETURNING automation_id`
          if (stored === undefined) return yield* new Inactive()
          const waitKey = target.config.response_mode === "sync" ? `webhook/${randomUUID()}` : null
          const wait = waitKey === null ? Effect.void : outcomes.open(waitKey)
          const append = outbox.append([
            fireEvent(
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
          ])
          // Both go in one round trip.
          yield* Effect.all([wait, append], { concurrency: "unbounded", discard: true })
          return { type: "kept", waitKey } as Stored
        },
        sql.withTransaction,
        (storing, { org_id }) => storeSlots.use(org_id)(storing),
        Effect.catchTag("Inactive", () => Effect.succeed<Stored>({ type: "inactive" })),
        orSqlDefect
      )

      return Catches.of({ admit, store })
    })
  )
}
