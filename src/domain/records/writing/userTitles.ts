// Updates titles that are names of users when a user is renamed or erased (developer-api.md 4.1; decisions P1), in the transaction of the
// change.
import { Effect, Layer } from "effect"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { UserChangeSubscribers } from "../../accounts/UserChangeSubscribers.ts"
import { makeStoredTitles } from "./storedTitles.ts"

export const UserTitles = Layer.effectDiscard(
  Effect.gen(function* () {
    const changes = yield* UserChangeSubscribers
    const { retitleNaming } = yield* makeStoredTitles
    changes.register(({ kind, orgId, userId }) =>
      kind === "renamed" ? orSqlDefect(retitleNaming(orgId, userId)) : Effect.void
    )
  })
)
