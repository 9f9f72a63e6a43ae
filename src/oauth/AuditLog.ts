// The append-only audit log: grants, refusals with reason id, replays, revocations, admin acts, sign-ins; never a credential.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ReasonId } from "./reasons.ts"

/** The address a request came from (decisions P5); null outside requests. */
export const SourceAddress = Context.Reference<string | null>("millrace/oauth/SourceAddress", {
  defaultValue: () => null
})

export interface AuditEntry {
  /** `<subject>.<verb>`, such as `connection.created` or `token.refused`. */
  readonly event: string
  readonly reasonId?: ReasonId | undefined
  readonly orgId?: number | undefined
  readonly personId?: number | undefined
  readonly userId?: number | undefined
  readonly clientId?: string | undefined
  readonly connectionId?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

export interface AuditRow {
  readonly audit_id: number
  readonly happened_on: Date
  readonly event: string
  readonly reason_id: string | null
  readonly org_id: number | null
  readonly person_id: number | null
  readonly user_id: number | null
  readonly client_id: string | null
  readonly connection_id: number | null
  readonly source_address: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export interface AuditQuery {
  readonly orgId?: number | undefined
  /** Rows older than this one (exclusive), for paging backwards. */
  readonly before?: number | undefined
  readonly limit?: number | undefined
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Joins the caller's transaction, if there is one. */
    readonly record: (entry: AuditEntry) => Effect.Effect<void>
    /** Newest first. */
    readonly read: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditRow>>
  }
>()("millrace/oauth/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const record = Effect.fnUntraced(
        function* (entry: AuditEntry) {
          const now = yield* Clock.currentTimeMillis
          const source = yield* SourceAddress
          yield* sql`
            INSERT INTO audit_log (happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id,
              source_address, details)
            VALUES (${new Date(now)}, ${entry.event}, ${entry.reasonId ?? null}::text, ${entry.orgId ?? null}::bigint,
              ${entry.personId ?? null}::bigint, ${entry.userId ?? null}::bigint,
              ${entry.clientId?.slice(0, 500) ?? null}::text, ${entry.connectionId ?? null}::bigint, ${source}::text,
              ${JSON.stringify(entry.details ?? {})}::jsonb)`
        },
        Effect.catchTag("SqlError", Effect.die)
      )
      const read = Effect.fn("AuditLog.read")(
        function* ({ orgId, before, limit }: AuditQuery) {
          return yield* sql<AuditRow>`
            SELECT audit_id, happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id,
              source_address, details
            FROM audit_log
            WHERE (${orgId ?? null}::bigint IS NULL OR org_id = ${orgId ?? null}::bigint)
              AND (${before ?? null}::bigint IS NULL OR audit_id < ${before ?? null}::bigint)
            ORDER BY audit_id DESC LIMIT ${Math.min(limit ?? 100, 1000)}`
        },
        Effect.catchTag("SqlError", Effect.die)
      )
      return AuditLog.of({ record, read })
    })
  )
}
