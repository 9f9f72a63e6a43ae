// What the executor has to know of a step's type, from the registry (design: automations as durable executions).
import { actionSpec, actionTypes } from "../actions/registry.ts"
import type { Action, CustomDef } from "../model/Definition.ts"
import type { StepKind } from "../model/Plan.ts"
import { allActions } from "../schema/walk.ts"

const kinds: ReadonlyMap<string, StepKind> = new Map(actionTypes.map((type) => [type, actionSpec(type).kind]))

/** Of a type that this release does not know nothing is executed: its revision is unreadable. */
export const kindOf = (type: string): StepKind => kinds.get(type) ?? "database"

/** Leaf actions cost a credit (7.11 rule 5); branches and loops cost none. */
export const costs = (type: string): boolean => actionSpec(type).group === "action"

/** Whether success leaves no log entry (7.11). */
export const isQuiet = (type: string): boolean => actionSpec(type).quiet === true

/** Whether the step only changes its run's record, and what it writes is read and not computed. */
export const onlyChanges = ({ config, type }: Action): boolean => actionSpec(type).onlyChanges?.(config) === true

export const declaredIn = (actions: ReadonlyArray<Action>): ReadonlyArray<CustomDef> =>
  [...allActions(actions)].flatMap((action) => actionSpec(action.type).declares?.(action.config) ?? [])
