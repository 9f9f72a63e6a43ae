// Notifies other modules, in the same transaction, before a workspace is deleted (developer-api.md 2.2).
import { Context, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Subscribers, subscribers } from "./subscribers.ts"

export class WorkspaceRemovalSubscribers extends Context.Service<
  WorkspaceRemovalSubscribers,
  Subscribers<number, SqlError>
>()("millrace/accounts/WorkspaceRemovalSubscribers") {
  static readonly layer = Layer.sync(WorkspaceRemovalSubscribers, () => WorkspaceRemovalSubscribers.of(subscribers()))
}
