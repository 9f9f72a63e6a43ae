// A step as it is written and kept (service.md 2.7 "Actions"), whatever its type. Control flow nests lists of them.
import type { Schema } from "effect"
import { list, sizes } from "../../../ground/bounds/sized.ts"
import { recursive } from "./combinators.ts"
import type { Retry } from "./RetryPolicy.ts"

export type Group = "action" | "control_flow"

/** A step. `config` is typed by `ActionConfig<T>` of actions/registry.ts. */
export interface Action {
  readonly id: string
  readonly type: string
  readonly group: Group
  readonly custom_name?: string
  readonly deactivate?: boolean
  readonly continue_on_error?: boolean
  /** Of outside steps. */
  readonly retry?: Retry
  readonly config: Record<string, any>
}

/** actions/registry.ts puts the union of all actions here: conditional and for_loop nest it without importing it. */
export const nested: { action: Schema.Codec<Action, unknown> | undefined } = { action: undefined }
export const Actions: Schema.Codec<ReadonlyArray<Action>, ReadonlyArray<unknown>> = list(
  recursive<Action>("Action", () => nested.action!),
  sizes.definitionList
)
