// Append-only audit log: grants, refusals with reason id, replays, revocations, admin acts, sign-ins; never a credential. Every entry says
// by whom, with which credential and from where (P14; AuditActor.ts). The entry belongs to the organization whose admins read it: that of
// its connection, else those of its person. A refusal before anybody is known is counted, not an entry of its own (decisions O23).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { jsonb } from "../sql/columns.ts"
import { rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"
import { type AuditActor, CurrentActor } from "./AuditActor.ts"
import type { AuditKind } from "./auditKinds.ts"
import { type CountedRefusal, makeRefusalCounts } from "./RefusalCounts.ts"

/** Address that a request came from (decisions P5); null outside requests. */
export const SourceAddress = Context.Reference<string | null>("millrace/oauth/SourceAddress", {
  defaultValue: () => null
})

export interface AuditEntry {
  readonly event: AuditKind
  /** Reason of a refusal (service.md 7.1). */
  readonly reasonId?: string | undefined
  readonly orgId?: number | undefined
  readonly personId?: number | undefined
  readonly userId?: number | undefined
  readonly clientId?: string | undefined
  readonly connectionId?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

export const AuditRow = Schema.Struct({
  audit_id: Schema.Int,
  happened_on: Schema.Date,
  event: Schema.String,
  reason_id: Schema.NullOr(Schema.String),
  org_id: Schema.NullOr(Schema.Int),
  person_id: Schema.NullOr(Schema.Int),
  user_id: Schema.NullOr(Schema.Int),
  client_id: Schema.NullOr(Schema.String),
  connection_id: Schema.NullOr(Schema.Int),
  credential: Schema.NullOr(Schema.String),
  credential_id: Schema.NullOr(Schema.Int),
  source_address: Schema.NullOr(Schema.String),
  details: jsonb<Readonly<Record<string, unknown>>>(),
  /** Occurrences in the minute that begins at `happened_on`; null unless the row is a counted one. */
  count: Schema.NullOr(Schema.Int)
})
export type AuditRow = typeof AuditRow.Type

export interface AuditQuery {
  readonly orgId?: number | undefined
  readonly userId?: number | undefined
  readonly clientId?: string | undefined
  /** Event, or the part before its dot: `person` for every `person.…`. */
  readonly event?: string | undefined
  readonly reasonId?: string | undefined
  readonly since?: Date | undefined
  /** Exclusive end of the time range. */
  readonly until?: Date | undefined
  /** Rows older than this one (exclusive), for paging backwards. */
  readonly before?: number | undefined
  readonly limit?: number | undefined
}

/** Completes an entry of an organization from the current actor: the user if it names nobody, app and connection if it names none. */
const byActor = (entry: AuditEntry, actor: AuditActor | null): AuditEntry => {
  if (actor === null || entry.orgId === undefined) return entry
  const { clientId, connectionId, userId } = actor
  const named = entry.userId !== undefined || entry.personId !== undefined
  const ofApp = entry.clientId === undefined && entry.connectionId === undefined
  return {
    ...entry,
    ...(named || userId === null ? {} : { userId }),
    ...(ofApp && clientId !== null ? { clientId } : {}),
    ...(ofApp && connectionId !== null ? { connectionId } : {})
  }
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * Writes an entry; joins the caller's transaction, if there is one. An entry of a person without an organization is written once for
     * each of their active users, so that the admins of each see it, and later members of others do not.
     */
    readonly record: (entry: AuditEntry) => Effect.Effect<void>
    /** Writes many entries in one statement; each names its organization. */
    readonly recordAll: (entries: ReadonlyArray<AuditEntry & { readonly orgId: number }>) => Effect.Effect<void>
    /** Counts a refusal in memory; it is written within a second, outside of the caller's transaction. */
    readonly count: (refusal: CountedRefusal) => Effect.Effect<void>
    /** Writes what was counted so far. */
    readonly flush: Effect.Effect<void>
    /** Reads entries, newest first, with all that this process has counted. */
    readonly read: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditRow>>
  }
>()("millrace/oauth/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const sql = yield* Sql
      const counts = yield* makeRefusalCounts
      const count = (refusal: CountedRefusal) =>
        Effect.flatMap(SourceAddress, (address) => counts.count(refusal, address))
      const record = Effect.fnUntraced(function* (entry: AuditEntry) {
        const nowMillis = yield* Clock.currentTimeMillis
        const source = yield* SourceAddress
        const actor = yield* CurrentActor
        const { orgId, personId, userId, clientId, connectionId } = byActor(entry, actor)
        yield* sql`
            INSERT INTO audit_log (happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id,
              source_address, details, credential, credential_id)
            SELECT ${new Date(nowMillis)}, ${entry.event}, ${entry.reasonId ?? null}::text,
              COALESCE(e.org_id, c.org_id, u.org_id), e.person_id, COALESCE(e.user_id, c.user_id, u.user_id),
              COALESCE(${clientId?.slice(0, 500) ?? null}::text, c.client_id), e.connection_id, ${source}::text,
              ${JSON.stringify(entry.details ?? {})}::jsonb, ${actor?.credential ?? null}::text, ${actor?.credentialId ?? null}::bigint
            FROM (SELECT ${orgId ?? null}::bigint AS org_id, ${personId ?? null}::bigint AS person_id,
              ${userId ?? null}::bigint AS user_id, ${connectionId ?? null}::bigint AS connection_id) e
            LEFT JOIN connections c ON e.org_id IS NULL AND c.connection_id = e.connection_id
            LEFT JOIN users u ON e.org_id IS NULL AND c.org_id IS NULL AND (u.user_id = e.user_id
              OR (e.user_id IS NULL AND u.person_id = e.person_id AND u.status = 'active'))`
      }, orSqlDefect)
      const recordAll = Effect.fnUntraced(function* (entries: ReadonlyArray<AuditEntry & { readonly orgId: number }>) {
        if (entries.length === 0) return
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const source = yield* SourceAddress
        const actor = yield* CurrentActor
        const rows = entries
          .map((entry) => byActor(entry, actor))
          .map(({ clientId, details, ...entry }) => ({
            ...entry,
            clientId: clientId?.slice(0, 500),
            details: details ?? {}
          }))
        yield* sql`
            INSERT INTO audit_log (happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id,
              source_address, details, credential, credential_id)
            SELECT ${nowDate}, event, "reasonId", "orgId", "personId", "userId", "clientId", "connectionId", ${source}::text, details,
              ${actor?.credential ?? null}::text, ${actor?.credentialId ?? null}::bigint
            FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x (event text, "reasonId" text, "orgId" bigint, "personId" bigint,
              "userId" bigint, "clientId" text, "connectionId" bigint, details jsonb)`
      }, orSqlDefect)
      const read = Effect.fn("AuditLog.read")(function* (query: AuditQuery) {
        const { orgId, userId, clientId, event, reasonId, since, until, before, limit } = query
        yield* counts.flush
        return yield* rowsOf(AuditRow)(sql`
            SELECT audit_id, happened_on, event, reason_id, org_id, person_id, user_id, client_id, connection_id,
              credential, credential_id, source_address, details, count
            FROM audit_log
            WHERE ${sql.and([
              sql`true`,
              ...(orgId === undefined ? [] : [sql`org_id = ${orgId}`]),
              ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
              ...(clientId === undefined ? [] : [sql`client_id = ${clientId}`]),
              ...(event === undefined ? [] : [sql`(event = ${event} OR starts_with(event, ${`${event}.`}))`]),
              ...(reasonId === undefined ? [] : [sql`reason_id = ${reasonId}`]),
              ...(since === undefined ? [] : [sql`happened_on >= ${since}`]),
              ...(until === undefined ? [] : [sql`happened_on < ${until}`]),
              ...(before === undefined ? [] : [sql`audit_id < ${before}`])
            ])}
            ORDER BY audit_id DESC LIMIT ${Math.min(limit ?? 100, 1000)}`)
      }, orSqlDefect)
      return AuditLog.of({ record, recordAll, count, flush: counts.flush, read })
    })
  )
}
