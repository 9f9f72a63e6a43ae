// Inbound webhooks (developer-api.md 7.9): the request is found by the hash of its token, counted, kept as the last received one, and
// stored as an event before it is answered. If the automation is not active, nothing is stored (decisions A23).
import { Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { makeSlotMetrics } from "../../../platform/fairness/slotMetrics.ts"
import { type Conflict, NotFound, type TooManyRequests } from "../../../platform/primitives/errors.ts"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import { onReservedConnection } from "../../../platform/sql/reservedConnection.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Files, type Upload } from "../../records/files/Files.ts"
import { readConfig } from "../input/storedDefinition.ts"
import type { FileOutput } from "../model/RunScope.ts"
import { makeWebhookPayloads } from "../model/webhookPayloads.ts"
import { triggers } from "../triggers/registry.ts"
import { countColumns, makeRequestWindow } from "./requestWindow.ts"
import { type Catch, makeStoreCatch, type StoredPayload } from "./storeCatch.ts"

/**
 * Payloads that one organization may store at once, each over a connection of its own, and additional slots for the others (decisions A22).
 */
const STORED_AT_ONCE = { places: 3, reserve: 2 }

const immediate = Schema.decodeSync(triggers.webhook_received.config)({})

/** `inactive`: nothing is stored (./storeCatch.ts). */
type Stored = { readonly type: "kept"; readonly waitKey: string | null } | { readonly type: "inactive" }

export type SentFile = Upload<never, never>

/** Holder of files that belong to no record, kept for future runs and for those that name them (pruneCatches.ts). */
export const CAUGHT = "webhook/"
const holderOf = (automationId: number): string => `${CAUGHT}${automationId}`

const StoredCatch = Schema.Struct({
  ...countColumns,
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
      const payloads = yield* makeWebhookPayloads
      const storeCatch = yield* makeStoreCatch
      const storeSlots = yield* makeSlotMetrics("catches", STORED_AT_ONCE)
      const { inboundPerMinute } = yield* AppConfig
      const countRequest = makeRequestWindow(sql)

      const find = (token: string) => (count: Statement.Fragment) =>
        rowOf(StoredCatch)(sql`
          WITH target AS MATERIALIZED (
            SELECT automation_id, org_id, app_id, owner_id, NOT paused AND NOT broken AS active, trigger -> 'config' AS config,
              concat(trigger, filter, actions) LIKE '%webhook_raw_body%' AS names_raw_body,
              format, (limits ->> 'inbound_per_minute')::int AS per_minute
            FROM automations JOIN organizations USING (org_id)
            WHERE inbound_hash = ${hashToken(token)} AND deleted_on IS NULL AND trigger_type = 'webhook_received'
          ), request_count AS (${count})
          SELECT * FROM target JOIN request_count USING (automation_id)`).pipe(
          Effect.filterOrFail(
            (row) => row !== undefined,
            () => new NotFound({ message: "There is no webhook at this address." })
          )
        )

      const admit = Effect.fn("Catches.admit")(function* (token: string) {
        const row = yield* countRequest(find(token), ({ per_minute }) => per_minute ?? inboundPerMinute)
        const config = readConfig("webhook_received", row)
        // A config that this release cannot read counts as broken.
        const target: Catch = { ...row, active: row.active && config !== null, config: config ?? immediate }
        return target
      }, orSqlDefect)

      const keepFiles = Effect.fnUntraced(function* (target: Catch, sent: ReadonlyArray<SentFile>) {
        if (sent.length === 0) return []
        const rows = yield* files.store({ orgId: target.org_id, userId: target.owner_id }, sent)
        yield* sql`INSERT INTO file_holds (file_id, holder)
          SELECT unnest(${rows.map(({ file_id }) => String(file_id))}::text[]::bigint[]), ${holderOf(target.automation_id)}`
        return rows.map(
          ({ file_id, mimetype, name, size }): FileOutput => ({ file_id, filename: name, size, mimetype })
        )
      })

      const store = Effect.fn("Catches.store")(
        function* (target: Catch, received: StoredPayload, sent: ReadonlyArray<SentFile>) {
          const sized = payloads.sized(received.payload, target.names_raw_body ? received.rawBody : undefined)
          // Files and a large payload have rows of their own, which are stored or lost with the event.
          const write =
            sent.length === 0 && !sized.isLarge
              ? onReservedConnection(sql)(storeCatch(target, received, sized.carried, []))
              : sql.withTransaction(
                  Effect.gen(function* () {
                    const sentFiles = yield* keepFiles(target, sent)
                    return yield* storeCatch(target, received, yield* payloads.keep(sized), sentFiles)
                  })
                )
          const waitKey = yield* write
          yield* outbox.announce
          return { type: "kept", waitKey } as Stored
        },
        (storing, { org_id }) => storeSlots.use(org_id)(storing),
        Effect.catchTag("Inactive", () => Effect.succeed<Stored>({ type: "inactive" })),
        orSqlDefect
      )

      return Catches.of({ admit, store })
    })
  )
}
