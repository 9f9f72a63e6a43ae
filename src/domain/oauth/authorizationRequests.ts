// Authorization requests that wait for a decision of the signed-in person (service.md 3.2), and the organizations in which that person may
// connect the app.
import { Clock, Effect, Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { withoutFactor } from "../accounts/factorPolicy.ts"
import { Scope } from "../accounts/Scope.ts"
import { type KeptOut, keepsOut, standingsOf } from "../connections/connectPermission.ts"
import { ReasonId } from "./reasons.ts"
import type { Session } from "./Sessions.ts"

/** User of the person in an organization, and the reason that it may not connect the app, if any. */
export interface Choice {
  readonly userId: number
  readonly orgId: number
  readonly orgName: string
  readonly keptOut: KeptOut | undefined
}

export const OpenRequest = Schema.Struct({
  request_id: Schema.String,
  client_id: Schema.String,
  redirect_uri: Schema.String,
  state: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Scope),
  code_challenge: Schema.NullOr(Schema.String),
  fault: Schema.NullOr(ReasonId),
  fault_detail: Schema.NullOr(Schema.String),
  expires_on: Schema.Date
})
export type OpenRequest = typeof OpenRequest.Type

const UserOfPerson = Schema.Struct({
  user_id: Schema.Int,
  org_id: Schema.Int,
  org_name: Schema.String,
  without_factor: Schema.Boolean
})

export const makeAuthorizationRequests = Effect.gen(function* () {
  const sql = yield* Sql

  const openRequestQuery = (requestId: string, session: Session) => sql`
    SELECT request_id, client_id, redirect_uri, state, scopes, code_challenge, fault, fault_detail, expires_on
    FROM authorization_requests
    WHERE request_id = ${requestId} AND session_id = ${session.session_id} AND decided_on IS NULL`

  const choicesOf = Effect.fnUntraced(function* (personId: number, clientId: string) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const users = yield* rowsOf(UserOfPerson)(sql`
      SELECT u.user_id, u.org_id, o.name AS org_name, ${withoutFactor(sql, nowDate)} AS without_factor
      FROM users u JOIN organizations o USING (org_id)
      WHERE u.person_id = ${personId} AND u.status IN ('active', 'deactivated') ORDER BY o.name, u.user_id`)
    const standings = yield* standingsOf(
      sql,
      users.map((user) => user.user_id),
      clientId
    )
    return users.map((user): Choice => {
      const userStanding = standings.find((s) => s.user_id === user.user_id)
      return {
        userId: user.user_id,
        orgId: user.org_id,
        orgName: user.org_name,
        keptOut:
          userStanding === undefined
            ? "inactive"
            : (keepsOut(userStanding) ?? (user.without_factor ? "no_second_step" : undefined))
      }
    })
  })

  return { open: openRequestQuery, choicesOf }
})
