// Producers and consumers among the steps (service.md 2.7 "Producer and consumer rules"): the collections, created records and variables that
// a step brings into scope for later ones, and the collection that a step needs.
import { type AnyActionSpec, actionSpec } from "../actions/registry.ts"
import type { Action, CustomDef, Reference } from "../model/Definition.ts"
import { type DefinitionScope, type ProducedApp, variableKey } from "../schema/DefinitionScope.ts"
import { typeNamed } from "../schema/operators.ts"
import type { Finding } from "../schema/ValidationModel.ts"

/** Scope after branches that may have been taken: all that either of them publishes. */
export const union = (a: DefinitionScope, b: DefinitionScope): DefinitionScope => ({
  ...a,
  variables: new Set([...a.variables, ...b.variables]),
  collections: new Set([...a.collections, ...b.collections]),
  created: new Set([...a.created, ...b.created])
})

/** Scope after a step. */
export const published = (action: Action, scope: DefinitionScope): DefinitionScope => {
  const spec = actionSpec(action.type)
  const { automation_id, wait_for_result } = action.config
  const waited: ReadonlyArray<CustomDef> =
    spec.calls !== undefined && wait_for_result === true
      ? (scope.model.automations.get(automation_id)?.outputs ?? [])
      : []
  const defs: ReadonlyArray<CustomDef> = [...(spec.declares?.(action.config) ?? []), ...waited]
  const variables = defs.length === 0 ? scope.variables : new Set([...scope.variables, ...defs.map(variableKey)])
  const apps = spec.produces === undefined ? [] : producedApps(action)
  return {
    ...scope,
    variables,
    collections: spec.produces === "record_collection" ? new Set([...scope.collections, ...apps]) : scope.collections,
    created: spec.produces === "created_record" ? new Set([...scope.created, ...apps]) : scope.created
  }
}

const producedApps = ({ config }: Action): ReadonlyArray<ProducedApp> => {
  const defs = config["ref_collection_defs"] as ReadonlyArray<{ app_id?: number }> | undefined
  if (defs !== undefined) return defs.length === 0 ? ["any"] : defs.map((def) => def.app_id ?? "any")
  return [(config["app_id"] as number | undefined) ?? "any"]
}

export const loopsOverRecords = ({ config }: Action): boolean => {
  const iterable = config["iterable"] as Reference | undefined
  if (iterable?.source === "action") return iterable.action_type === "record_collection"
  return iterable?.source === "field" && typeNamed(iterable.field_type).kind === "records"
}

/** Yields the fault of a step whose collection no earlier step or enclosing loop provides. */
export function* checkCollection(
  { consumes }: AnyActionSpec,
  config: Record<string, any>,
  scope: DefinitionScope
): Iterable<Finding> {
  if (consumes === undefined) return
  const reference = config["record_collection"] as Reference | undefined
  if (reference === undefined) {
    if (consumes === "or_loop_item" && scope.inRecordLoop) return
    const message =
      consumes === "collection"
        ? "`record_collection` is not set."
        : "`record_collection` is not set, and the step stands in no loop over records."
    yield { code: "action_variable_missing", message }
  } else if (reference.source !== "action" || reference.action_type !== "record_collection") {
    yield { code: "action_variable_missing", message: "`record_collection` does not refer to a record collection." }
  }
}

/** Apps of the records that a reference to a collection gives. */
export const collectedApps = (reference: Reference | undefined, scope: DefinitionScope): ReadonlySet<ProducedApp> => {
  if (reference?.source === "action" && reference.app_id !== undefined) return new Set([reference.app_id])
  return reference === undefined || scope.collections.size === 0 ? new Set(["any"]) : scope.collections
}
