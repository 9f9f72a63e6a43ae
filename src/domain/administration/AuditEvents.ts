// The organization's part of the audit log, for its owners and admins, with the names of whom it is about (decisions O23).
import { Context, Effect, Layer, Schema } from "effect"
import { AuditLog, type AuditQuery } from "../../platform/audit/AuditLog.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import type { Restricted } from "../../platform/primitives/errors.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import type { AuditEvent } from "./administrationSchemas.ts"
import { byAdministrator } from "./administrators.ts"

const Named = Schema.Struct({ user_id: Schema.Int, name: Schema.String })
const NamedClient = Schema.Struct({ client_id: Schema.String, name: Schema.NullOr(Schema.String) })

export type AuditSearch = Omit<AuditQuery, "orgId">

export class AuditEvents extends Context.Service<
  AuditEvents,
  {
    /** Newest first. */
    readonly list: (caller: CallerShape, search: AuditSearch) => Effect.Effect<ReadonlyArray<AuditEvent>, Restricted>
  }
>()("millrace/administration/AuditEvents") {
  static readonly layer = Layer.effect(
    AuditEvents,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const distinct = <A>(all: ReadonlyArray<A | null>) => [...new Set(all.filter((one) => one !== null))]

      const list = Effect.fn("AuditEvents.list")(function* (caller: CallerShape, search: AuditSearch) {
        yield* byAdministrator(caller)
        const rows = yield* audit.read({ ...search, orgId: caller.orgId })
        const userIds = distinct(rows.map(({ user_id }) => user_id))
        const clientIds = distinct(rows.map(({ client_id }) => client_id))
        const people = yield* rowsOf(Named)(sql`
          SELECT user_id, name FROM users WHERE org_id = ${caller.orgId} AND user_id = ANY(${userIds.map(String)}::bigint[])`)
        const clients = yield* rowsOf(NamedClient)(sql`
          SELECT client_id, name FROM oauth_clients WHERE client_id = ANY(${clientIds}::text[])`)
        const nameOf = new Map(people.map(({ name, user_id }) => [user_id, name]))
        const appOf = new Map(clients.map(({ client_id, name }) => [client_id, name]))
        return rows.map(
          ({
            audit_id,
            client_id,
            connection_id,
            credential,
            credential_id,
            count,
            details,
            event,
            happened_on,
            reason_id,
            source_address,
            user_id
          }) => ({
            audit_id,
            happened_on: formatDateTime(happened_on),
            event,
            reason_id,
            user_id,
            user_name: user_id === null ? null : (nameOf.get(user_id) ?? null),
            client_id,
            client_name: client_id === null ? null : (appOf.get(client_id) ?? null),
            connection_id,
            credential,
            credential_id,
            source_address,
            details,
            count
          })
        )
      }, orSqlDefect)

      return AuditEvents.of({ list })
    })
  )
}
