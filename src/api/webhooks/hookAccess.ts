// The caller's right to what belongs to a hook is the one to the hook; what is a stranger's looks unknown (developer-api.md 1.2, 2.3).
import { Effect } from "effect"
import type { Access } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import { NotFound } from "../../platform/primitives/errors.ts"

export const hookAccess = Effect.fnUntraced(function* (access: Access["Service"], hookId: number, missing: string) {
  yield* access
    .check(yield* Caller, "hook", hookId, 5)
    .pipe(Effect.catchTag(["NotFound", "RecordNotFound"], () => Effect.fail(new NotFound({ message: missing }))))
})
