// Declarations of an action's spec.ts. Catalogue, decoding, defaults on read, validation, activities and the set of required runtimes
// derive from it; run.ts in the same folder implements the step.
import type { Schema } from "effect"
import type { Scope } from "../../accounts/Scope.ts"
import type { StepKind } from "../model/Plan.ts"
import type { Group } from "../schema/Action.ts"
import type { ReasonCode } from "../schema/brokenReasons.ts"
import { object } from "../schema/combinators.ts"
import type { DefinitionScope } from "../schema/DefinitionScope.ts"
import type { CustomDef } from "../schema/dynamicValues.ts"
import type { actionOutputs } from "../schema/referenceTypes.ts"
import type { Finding } from "../schema/ValidationModel.ts"

/** Facts that hold for every config of the type; functions receive the decoded config. */
export interface ActionFacts<C> {
  readonly label: string
  readonly description: string
  /**
   * Scopes that the credential which saved the definition needs for the step's own effect (decisions A20): those of the endpoint with the
   * same effect. Scopes for the step's values are checked where these are read.
   */
  readonly scopes: ReadonlyArray<Scope>
  /** Trigger that the step needs (service.md "Trigger-context requirements"); otherwise `action_invalid`. */
  readonly requires?: "record" | "comment" | "weblink"
  /** Output that later steps may reference by an action-output reference. */
  readonly produces?: (typeof actionOutputs)[number]
  /** Reads `record_collection`; `or_loop_item`: left out it is the loop's current item. */
  readonly consumes?: "collection" | "or_loop_item"
  /** Keys without which the definition is invalid, with their reason codes (developer-api.md 7.6 "req."). */
  readonly needs?: ReadonlyArray<{ readonly key: string; readonly code: ReasonCode }>
  /** Key of the app whose fields `field_assignments` may target, or the current record's app. */
  readonly assigns?: "current" | "app_id" | "collection"
  /** Trigger that the target in `automation_id` must have. */
  readonly calls?: "automation_called" | "weblink_clicked"
  /** Variables that the step declares. */
  readonly declares?: (config: C) => ReadonlyArray<CustomDef>
  /** Returns the reason why a well-formed config is refused on write, or undefined. */
  readonly refuses?: (config: C) => string | undefined
  /** Yields semantic mistakes of this type alone, at its place in the definition. */
  readonly check?: (config: C, scope: DefinitionScope) => Iterable<Finding>
  /** Returns the config as stored, if that differs from the written one. */
  readonly normalize?: (config: Readonly<Record<string, any>>) => Record<string, any>
  /** True if it may fail with the status of an HTTP answer, which `on_status` of its `retry` may name. */
  readonly statuses?: boolean
  /** True if its only effect is a change of its run's record, with values that are set and not computed (`commit/singleStatementRuns.ts`). */
  readonly onlyChanges?: (config: C) => boolean
  /** True if a success leaves no log entry (developer-api.md 7.11). */
  readonly logsNoSuccess?: boolean
}

/** Control flow holds steps of its own and costs no credit. */
const controlFlow: ReadonlySet<StepKind> = new Set(["branch", "loop"])

export interface ActionSpec<T extends string, F extends Schema.Struct.Fields, K extends StepKind>
  extends ActionFacts<Schema.Struct<F>["Type"]> {
  readonly type: T
  readonly kind: K
  readonly group: Group
  readonly config: Schema.Struct<F>
}

/** Creates an action's spec. `kind` is how the executor handles it; a database step by default. */
export const action = <const T extends string, F extends Schema.Struct.Fields, const K extends StepKind = "database">(
  spec: { readonly type: T; readonly kind?: K; readonly config: F } & ActionFacts<Schema.Struct<F>["Type"]>
): ActionSpec<T, F, K> => {
  const kind = spec.kind ?? ("database" as K)
  return { ...spec, kind, group: controlFlow.has(kind) ? "control_flow" : "action", config: object(spec.config) }
}
