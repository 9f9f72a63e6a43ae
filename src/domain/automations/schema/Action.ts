// Action object as written and stored (service.md 2.7 "Action object"): the members that actions of every type have. Control flow nests lists
// of actions.
import { Schema } from "effect"
import { list, sizes, text, token } from "../../../platform/bounds/sized.ts"
import { recursive, unset } from "./combinators.ts"
import { Retry } from "./RetryPolicy.ts"

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

/** Facts about a type on which its action object depends. */
interface TypeFacts {
  readonly type: string
  readonly kind: string
  readonly group: Group
  readonly label: string
  readonly description: string
  readonly config: Schema.Struct<Schema.Struct.Fields>
}

/** Schema of a type's action object. `config` is required, also where it is `{}`; outside steps alone are tried again. */
export const actionSchema = (spec: TypeFacts) =>
  Schema.Struct({
    id: unset(token.check(Schema.isNonEmpty()).annotate({ description: "Opaque; minted when left out" })),
    type: Schema.Literal(spec.type),
    group: unset(Schema.Literal(spec.group).annotate({ description: "Derived from the type", readOnly: true })),
    custom_name: unset(text(5000)),
    deactivate: unset(Schema.Boolean),
    continue_on_error: unset(Schema.Boolean),
    ...(spec.kind === "outside" ? { retry: unset(Retry) } : {}),
    config: spec.config
  }).annotate({ title: spec.label, description: spec.description })

/** Slot in which actions/registry.ts puts the union of all actions: conditional and for_loop nest it without importing it. */
export const nested: { action: Schema.Codec<Action, unknown> | undefined } = { action: undefined }
export const Actions: Schema.Codec<ReadonlyArray<Action>, ReadonlyArray<unknown>> = list(
  recursive<Action>("Action", () => nested.action!),
  sizes.definitionList
)
