// Resolves the visitor of a page: the session's person, the organizations they belong to, and the one they chose (decisions O12).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type CallerShape, OrgRole } from "../../domain/accounts/Caller.ts"
import { withoutFactor } from "../../domain/accounts/factorPolicy.ts"
import { Person } from "../../domain/accounts/People.ts"
import { type Session, Sessions } from "../../domain/oauth/Sessions.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { cookieName } from "./cookie.ts"
import type { Fields } from "./form.ts"

/** An active user of the person. */
export const Membership = Schema.Struct({
  user_id: Schema.Int,
  org_id: Schema.Int,
  org_name: Schema.String,
  role: OrgRole,
  timezone: Schema.String
})
export type Membership = typeof Membership.Type

export interface Visit {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly path: string
  readonly query: Fields
  readonly session: Session | undefined
  /** Undefined until the sign-in. */
  readonly person: Person | undefined
  /** Memberships that the person may act as. */
  readonly users: ReadonlyArray<Membership>
  /** Memberships whose organization requires a second step that is still missing. */
  readonly waiting: ReadonlyArray<Membership>
  /** The chosen one, or the only one. */
  readonly current: Membership | undefined
}

export interface SignedIn extends Visit {
  readonly session: Session
  readonly person: Person
}

/** A signed-in person acting as one of their users. */
export interface MemberVisit extends SignedIn {
  readonly current: Membership
}

export const isSignedIn = (visit: Visit): visit is SignedIn => visit.session !== undefined && visit.person !== undefined
export const isMember = (visit: SignedIn): visit is MemberVisit => visit.current !== undefined

/** The caller that services see: everything the user may do (developer-api.md 2.3). */
export const callerOf = ({ person, session }: Pick<SignedIn, "person" | "session">, user: Membership): CallerShape => ({
  userId: user.user_id,
  orgId: user.org_id,
  personId: person.person_id,
  role: user.role,
  author: { type: "user", user_id: user.user_id },
  credential: { type: "session", id: session.session_id, clientId: null, expiresOn: null },
  scopes: "all",
  selection: "all"
})

type Found = Pick<Visit, "session" | "person" | "users" | "waiting" | "current">

const Standing = Schema.Struct({ ...Membership.fields, without_factor: Schema.Boolean })
const nobody = { person: undefined, users: [], waiting: [], current: undefined }

const SignedIn = Schema.Struct({ ...Person.fields, chosen: Schema.NullOr(Schema.Int) })

export class Visitors extends Context.Service<
  Visitors,
  {
    readonly find: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Found>
    readonly choose: (session: Session, userId: number) => Effect.Effect<void>
  }
>()("millrace/pages/Visitors") {
  static readonly layer = Layer.effect(
    Visitors,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl } = yield* AppConfig
      const sessions = yield* Sessions

      const find = Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest
      ): Effect.fn.Return<Found, never> {
        const session = yield* sessions.find(request.cookies[cookieName(baseUrl)])
        if (session === undefined || session.person_id === null) return { session, ...nobody }
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const [people, all] = yield* Effect.all([
          rowsOf(SignedIn)(sql`
              SELECT p.person_id, p.email, p.name, s.user_id AS chosen FROM sessions s JOIN people p USING (person_id)
              WHERE s.session_id = ${session.session_id}`),
          rowsOf(Standing)(sql`
              SELECT u.user_id, u.org_id, o.name AS org_name, u.role, u.timezone, ${withoutFactor(sql, nowDate)} AS without_factor
              FROM users u JOIN organizations o USING (org_id)
              WHERE u.person_id = ${session.person_id} AND u.status = 'active' ORDER BY o.name, u.user_id`)
        ]).pipe(orSqlDefect)
        const [row] = people
        if (row === undefined) return { session: undefined, ...nobody }
        const { chosen, ...person } = row
        const users = all.filter((user) => !user.without_factor)
        const usersWithoutFactor = all.filter((user) => user.without_factor)
        const current = users.length === 1 ? users[0] : users.find((user) => user.user_id === chosen)
        return { session, person, users, waiting: usersWithoutFactor, current }
      })

      const choose = Effect.fn("Visitors.choose")(function* (session: Session, userId: number) {
        yield* sql`UPDATE sessions SET user_id = ${userId} WHERE session_id = ${session.session_id}`
      }, orSqlDefect)

      return Visitors.of({ find, choose })
    })
  )
}
