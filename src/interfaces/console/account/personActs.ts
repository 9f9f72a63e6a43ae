// `/console/account/…`: who the person of the session is, the choice of their organization (service.md 2.4; decisions O12), and their connected
// apps in all their organizations (service.md 3.2; decisions O15).
import { Effect, Schema } from "effect"
import { Connections } from "../../../domain/connections/Connections.ts"
import { scopeLines } from "../../../domain/oauth/scopes.ts"
import { NotFound } from "../../../platform/primitives/errors.ts"
import { type Membership, Visitors } from "../../web/Visitors.ts"
import type { PageCalls } from "../pageCalls.ts"

const path = "/console/account"

const unknownUser = new NotFound({ message: "You are not an active user of this organization." })
const unknownConnection = new NotFound({ message: "It was disconnected already." })

const membershipView = ({ org_name, role, user_id }: Membership) => ({ org_name, role, user_id })

export const addPersonActs = Effect.fnUntraced(function* ({ addAct }: PageCalls) {
  const connections = yield* Connections
  const visitors = yield* Visitors

  yield* addAct(`${path}/self`, {}, ({ current, person, session, users, waiting }) =>
    Effect.succeed({
      name: person.name,
      email: person.email,
      user_id: current.user_id,
      organizations: users.map(membershipView),
      waiting: waiting.map(membershipView),
      csrf: session.csrf
    })
  )

  yield* addAct(`${path}/organization`, { user_id: Schema.Int }, ({ session, users }, { user_id }) =>
    users.some((user) => user.user_id === user_id) ? visitors.choose(session, user_id) : unknownUser
  )

  yield* addAct(`${path}/connections`, {}, ({ person }) =>
    Effect.map(connections.list({ personId: person.person_id }), (rows) => ({
      connections: rows.map(
        ({ approved_on, client_id, client_name, connection_id, last_used_on, org_name, scopes }) => ({
          ...{ approved_on, client_id, client_name, connection_id, last_used_on, org_name },
          scopes: scopes.map((scope) => ({ scope, line: scopeLines[scope] }))
        })
      )
    }))
  )

  yield* addAct(
    `${path}/connections/end`,
    { connection_id: Schema.Int },
    Effect.fnUntraced(function* ({ person }, { connection_id }) {
      const isEnded = yield* connections.end(connection_id, { personId: person.person_id })
      if (!isEnded) return yield* unknownConnection
    })
  )
})
