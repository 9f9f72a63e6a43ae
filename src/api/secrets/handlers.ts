// Translates developer-api.md 7.13 between HTTP and the vault of secrets.
import { Effect } from "effect"
import { Granted } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import type { NewSecret } from "../../domain/secrets/Secret.ts"
import { mayManageOrganization, organizationOf, ownerOf } from "../../domain/secrets/SecretOwner.ts"
import { SecretVault } from "../../domain/secrets/SecretVault.ts"
import { group } from "../middleware/requestContext.ts"
import { SecretsApi } from "./Api.ts"

export const SecretsHandlers = group(
  SecretsApi,
  Effect.fnUntraced(function* (handlers) {
    const vault = yield* SecretVault
    const page = <A>(secrets: ReadonlyArray<A>) => ({ total: secrets.length, secrets })

    const create = ({ payload }: { readonly payload: NewSecret }) =>
      Effect.flatMap(Granted, (grant) => vault.create(ownerOf(grant), payload, grant.caller.userId))
    const list = () =>
      Effect.map(
        Effect.flatMap(Granted, (grant) => vault.list(ownerOf(grant))),
        page
      )

    return handlers.handleAll({
      organizationCreate: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* Caller
        const owner = yield* organizationOf(caller)
        yield* mayManageOrganization(caller)
        return yield* vault.create(owner, payload, caller.userId)
      }),
      organizationList: Effect.fnUntraced(function* () {
        const caller = yield* Caller
        return page(yield* vault.shown(caller, yield* vault.list(yield* organizationOf(caller))))
      }),
      workspaceCreate: create,
      workspaceList: list,
      appCreate: create,
      appList: list,
      get: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* Caller
        const [shown] = yield* vault.shown(caller, [yield* vault.reach(caller, params.secret_id, "see")])
        return shown!
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* Caller
        yield* vault.reach(caller, params.secret_id, "manage")
        return yield* vault.update(params.secret_id, payload, caller.userId)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* Caller
        yield* vault.reach(caller, params.secret_id, "manage")
        return yield* vault.remove(params.secret_id, caller.userId)
      })
    })
  })
)
