// What other rooms do, in the same transaction, when a user's standing changes (service.md 3.2; developer-api.md 1.7, 7.1).
import { Context, Effect, Layer } from "effect"

export interface UserChange {
  readonly orgId: number
  readonly userId: number
  /**
   * `left`: deactivated or removed · `guest`: became a guest · `role`: organization role changed otherwise ·
   * `workspace`: lost or lowered in a workspace (`workspaceId`).
   */
  readonly kind: "left" | "guest" | "role" | "workspace"
  readonly workspaceId?: number
}

export type UserWatcher = (change: UserChange) => Effect.Effect<void>

/** Rooms register a watcher while their layer is built; the accounts services notify inside their transaction. */
export class UserChanges extends Context.Service<
  UserChanges,
  { readonly register: (watcher: UserWatcher) => void; readonly notify: UserWatcher }
>()("millrace/accounts/UserChanges") {
  static readonly layer = Layer.sync(UserChanges, () => {
    const watchers: Array<UserWatcher> = []
    return UserChanges.of({
      register: (watcher) => void watchers.push(watcher),
      notify: (change) => Effect.forEach(watchers, (watch) => watch(change), { discard: true })
    })
  })
}
