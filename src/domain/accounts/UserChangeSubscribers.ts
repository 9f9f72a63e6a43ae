// Notifies other modules, in the same transaction, when a user's standing changes (service.md 3.2; developer-api.md 1.7, 7.1).
import { Context, Layer } from "effect"
import { type Subscribers, subscribers } from "./subscribers.ts"

export interface UserChange {
  readonly orgId: number
  readonly userId: number
  /**
   * `left`: deactivated or removed · `guest`: became a guest · `role`: organization role changed otherwise ·
   * `workspace`: lost or lowered in a workspace (`workspaceId`) · `renamed`: has another name, or was erased.
   */
  readonly kind: "left" | "guest" | "role" | "workspace" | "renamed"
  readonly workspaceId?: number
}

export class UserChangeSubscribers extends Context.Service<UserChangeSubscribers, Subscribers<UserChange>>()(
  "millrace/accounts/UserChangeSubscribers"
) {
  static readonly layer = Layer.sync(UserChangeSubscribers, () => UserChangeSubscribers.of(subscribers()))
}
