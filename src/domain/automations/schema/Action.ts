// Step as written and stored (service.md 2.7 "Actions"), of any type. Control flow nests lists of steps.
import type { Schema } from "effect"
import { list, sizes } from "../../../platform/bounds/sized.ts"
import { recursive } from "./combinators.ts"
import type { Retry } from "./RetryPolicy.ts"

export type Group = "action" | "control_flow"

/** Step; `config` is typed by `ActionConfig<T>` of actions/registry.ts. */
export interface Action {
  readonly id: string
  readonly type: string
  readonly group: Group
  readonly custom_name?: string
  readonly deactivate?: boolean
  readonly continue_on_error?: boolean
  /** Retry policy of an outside step. */
  readonly retry?: Retry
  readonly config: Record<string, any>
}

/** Slot in which actions/registry.ts puts the union of all actions: conditional and for_loop nest it without importing it. */
export const nested: { action: Schema.Codec<Action, unknown> | undefined } = { action: undefined }
export const Actions: Schema.Codec<ReadonlyArray<Action>, ReadonlyArray<unknown>> = list(
  recursive<Action>("Action", () => nested.action!),
  sizes.definitionList
)
