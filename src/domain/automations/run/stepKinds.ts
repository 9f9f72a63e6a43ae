// Facts about step types that the executor needs, from the registry (design: automations as durable executions).
import { actionSpec, actionTypes } from "../actions/registry.ts"
import type { Action, CustomDef } from "../model/Definition.ts"
import type { StepKind } from "../model/Plan.ts"
import { allActions } from "../schema/walk.ts"

const kinds: ReadonlyMap<string, StepKind> = new Map(actionTypes.map((type) => [type, actionSpec(type).kind]))

/** Returns the kind of a type. For a type that this release does not know the default has no effect: its revision is unreadable. */
export const kindOf = (type: string): StepKind => kinds.get(type) ?? "database"

/** True for leaf actions, which cost a credit (7.11 rule 5); branches and loops cost none. */
export const costs = (type: string): boolean => actionSpec(type).group === "action"

/** True if a success leaves no log entry (7.11). */
export const logsNoSuccess = (type: string): boolean => actionSpec(type).logsNoSuccess === true

/** True if the step only changes its run's record, with values that are set and not computed from stored ones. */
export const onlyChanges = ({ config, type }: Action): boolean => actionSpec(type).onlyChanges?.(config) === true

export const declaredIn = (actions: ReadonlyArray<Action>): ReadonlyArray<CustomDef> =>
  [...allActions(actions)].flatMap((action) => actionSpec(action.type).declares?.(action.config) ?? [])
