// Lists and ends the sessions of a person (decisions O12, "The console"). For signed-in pages only: sessions belong to the person in all
// their organizations, a credential belongs to one.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { NotFound, Restricted } from "../../platform/primitives/errors.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "./Caller.ts"

const OwnSession = Schema.Struct({
  session_id: Schema.Int,
  created_on: Schema.Date,
  last_seen_on: Schema.Date,
  agent: Schema.NullOr(Schema.String),
  source_address: Schema.NullOr(Schema.String)
})
export type OwnSession = typeof OwnSession.Type & {
  /** The one that asks. */
  readonly current: boolean
}

export class OwnSessions extends Context.Service<
  OwnSessions,
  {
    readonly list: (caller: CallerShape) => Effect.Effect<ReadonlyArray<OwnSession>, Restricted>
    readonly end: (caller: CallerShape, sessionId: number) => Effect.Effect<OwnSession, Restricted | NotFound>
    /** All but the one that asks. */
    readonly endOthers: (caller: CallerShape) => Effect.Effect<ReadonlyArray<OwnSession>, Restricted>
  }
>()("millrace/accounts/OwnSessions") {
  static readonly layer = Layer.effect(
    OwnSessions,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const columns = sql.literal("session_id, created_on, last_seen_on, agent, source_address")

      const present = ({ credential }: CallerShape) =>
        credential.type === "session"
          ? Effect.succeed(credential.id)
          : Effect.fail(new Restricted({ message: "Sessions are shown to pages of a signed-in person alone." }))
      const sessionView = (current: number) => (row: typeof OwnSession.Type) => ({
        ...row,
        current: row.session_id === current
      })

      const list = Effect.fn("OwnSessions.list")(function* (caller: CallerShape) {
        const current = yield* present(caller)
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* rowsOf(OwnSession)(sql`
          SELECT ${columns} FROM sessions WHERE person_id = ${caller.personId} AND expires_on > ${nowDate}
          ORDER BY last_seen_on DESC, session_id DESC LIMIT 500`)
        return rows.map(sessionView(current))
      }, orSqlDefect)

      const recordSignOuts = Effect.fnUntraced(function* (
        caller: CallerShape,
        rows: ReadonlyArray<typeof OwnSession.Type>
      ) {
        for (const _ of rows) yield* audit.record({ event: "person.signed_out", personId: caller.personId })
      })

      const end = Effect.fn("OwnSessions.end")(
        function* (caller: CallerShape, sessionId: number) {
          const current = yield* present(caller)
          const rows = yield* rowsOf(OwnSession)(sql`
            DELETE FROM sessions WHERE session_id = ${sessionId} AND person_id = ${caller.personId} RETURNING ${columns}`)
          const [row] = rows
          if (row === undefined) return yield* new NotFound({ message: `No session with id ${sessionId}.` })
          yield* recordSignOuts(caller, rows)
          return sessionView(current)(row)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const endOthers = Effect.fn("OwnSessions.endOthers")(
        function* (caller: CallerShape) {
          const current = yield* present(caller)
          const rows = yield* rowsOf(OwnSession)(sql`
            DELETE FROM sessions WHERE person_id = ${caller.personId} AND session_id <> ${current} RETURNING ${columns}`)
          yield* recordSignOuts(caller, rows)
          return rows.map(sessionView(current))
        },
        sql.withTransaction,
        orSqlDefect
      )

      return OwnSessions.of({ list, end, endOthers })
    })
  )
}
