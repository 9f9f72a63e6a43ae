// Translates developer-api.md 2.1 and 2.2 between HTTP and the accounts services.

import { Effect } from "effect"
import { Granted } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import { Users } from "../../domain/accounts/Users.ts"
import { Workspaces } from "../../domain/accounts/Workspaces.ts"
import { group } from "../door/lean.ts"
import { AccountsApi, WorkspacesApi } from "./Api.ts"

export const AccountsHandlers = group(
  AccountsApi,
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    return handlers.handleAll({
      me: () => Effect.flatMap(Caller, users.me),
      organization: () => Effect.flatMap(Caller, users.organization),
      users: () => Effect.map(Effect.flatMap(Caller, users.list), (all) => ({ users: all, total: all.length })),
      userCreate: ({ payload }) => Effect.flatMap(Caller, (caller) => users.create(caller, payload)),
      userUpdate: ({ params, payload }) =>
        Effect.flatMap(Caller, (caller) => users.update(caller, params.user_id, payload)),
      userRemove: ({ params }) => Effect.flatMap(Caller, (caller) => users.remove(caller, params.user_id))
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
