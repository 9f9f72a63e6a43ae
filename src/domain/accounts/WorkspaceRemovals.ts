// What other rooms do, in the same transaction, before a workspace goes (developer-api.md 2.2).
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"

export type WorkspaceRemoval = (workspaceId: number) => Effect.Effect<void, SqlError>

/** Rooms register while their layer is built; the accounts services notify inside their transaction. */
export class WorkspaceRemovals extends Context.Service<
  WorkspaceRemovals,
  { readonly register: (removal: WorkspaceRemoval) => void; readonly notify: WorkspaceRemoval }
>()("millrace/accounts/WorkspaceRemovals") {
  static readonly layer = Layer.sync(WorkspaceRemovals, () => {
    const removals: Array<WorkspaceRemoval> = []
    return WorkspaceRemovals.of({
      register: (removal) => void removals.push(removal),
      notify: (workspaceId) => Effect.forEach(removals, (remove) => remove(workspaceId), { discard: true })
    })
  })
}
