// Notifies other modules, in the same transaction, before a workspace is deleted (developer-api.md 2.2).
import { Context, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Subscribers, subscribers } from "./subscribers.ts"

export class WorkspaceRemovals extends Context.Service<WorkspaceRemovals, Subscribers<number, SqlError>>()(
  "millrace/accounts/WorkspaceRemovals"
) {
  static readonly layer = Layer.sync(WorkspaceRemovals, () => WorkspaceRemovals.of(subscribers()))
}
