// Translates developer-api.md 2.1 and 2.2 between HTTP and the accounts services.

import { Effect } from "effect"
import { Granted } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import { Invitations } from "../../domain/accounts/invitations/Invitations.ts"
import { type OwnSession, OwnSessions } from "../../domain/accounts/OwnSessions.ts"
import { Users } from "../../domain/accounts/Users.ts"
import { Workspaces } from "../../domain/accounts/Workspaces.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { group } from "../middleware/requestContext.ts"
import { AccountsApi, WorkspacesApi } from "./Api.ts"

const renderSession = ({ created_on, last_seen_on, ...session }: OwnSession) => ({
  ...session,
  created_on: formatDateTime(created_on),
  last_seen_on: formatDateTime(last_seen_on)
})
const renderSessions = (sessions: ReadonlyArray<OwnSession>) => ({
  sessions: sessions.map(renderSession),
  total: sessions.length
})

export const AccountsHandlers = group(
  AccountsApi,
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const sessions = yield* OwnSessions
    const invitations = yield* Invitations
    return handlers.handleAll({
      me: () => Effect.flatMap(Caller, users.me),
      organization: () => Effect.flatMap(Caller, users.organization),
      users: () => Effect.map(Effect.flatMap(Caller, users.list), (all) => ({ users: all, total: all.length })),
      userCreate: ({ payload }) => Effect.flatMap(Caller, (caller) => users.create(caller, payload)),
      userUpdate: ({ params, payload }) =>
        Effect.flatMap(Caller, (caller) => users.update(caller, params.user_id, payload)),
      userRemove: ({ params }) => Effect.flatMap(Caller, (caller) => users.remove(caller, params.user_id)),
      userInvite: ({ params }) => Effect.flatMap(Caller, (caller) => invitations.send(caller, params.user_id)),
      userInvitationWithdraw: ({ params }) =>
        Effect.flatMap(Caller, (caller) => invitations.withdraw(caller, params.user_id)),
      sessions: () => Effect.map(Effect.flatMap(Caller, sessions.list), renderSessions),
      sessionEnd: ({ params }) =>
        Effect.map(
          Effect.flatMap(Caller, (caller) => sessions.end(caller, params.session_id)),
          renderSession
        ),
      sessionEndOthers: () => Effect.map(Effect.flatMap(Caller, sessions.endOthers), renderSessions)
    })
  })
)

export const WorkspacesHandlers = group(
  WorkspacesApi,
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    return handlers.handleAll({
      list: () =>
        Effect.map(Effect.flatMap(Caller, workspaces.list), (all) => ({ total: all.length, workspaces: all })),
      get: () => Effect.flatMap(Granted, workspaces.get),
      create: ({ payload }) => Effect.flatMap(Caller, (caller) => workspaces.create(caller, payload)),
      update: ({ payload }) => Effect.flatMap(Granted, (grant) => workspaces.update(grant, payload)),
      remove: () => Effect.flatMap(Granted, workspaces.remove),
      members: () => Effect.map(Effect.flatMap(Granted, workspaces.members), (all) => ({ workspace_members: all })),
      memberPut: ({ payload }) =>
        Effect.flatMap(Granted, (grant) => workspaces.putMember(grant, payload.user_id, payload.role)),
      memberRemove: ({ params }) => Effect.flatMap(Granted, (grant) => workspaces.removeMember(grant, params.user_id))
    })
  })
)
