// Broken reasons of the references and constants in a step's config (developer-api.md 7.12), apart from those of filters and assignments.
import type { Action } from "../model/Definition.ts"
import { type DefinitionScope, referenceProblem, secretCodes } from "../schema/DefinitionScope.ts"
import type { Finding } from "../schema/ValidationModel.ts"
import { isPlainObject, ownConfig, valuesIn } from "../schema/walk.ts"
import { missingConstant } from "./brokenFilters.ts"

/** Conditions of a loop's iteration: for its item, the first before the body, the second after it (developer-api.md 7.7 rule 4). */
export const iterationConditions = ["continue_condition", "break_condition"] as const

/** Keys whose references have codes of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  ...["field_assignments", "match_condition", "condition", ...iterationConditions],
  ...["attach_files_match_condition", "rollup_variable_def"]
])

const missing = {
  app: "action_app_missing",
  ...secretCodes,
  variable: "action_variable_missing"
} as const

export function* checkReferences(action: Action, scope: DefinitionScope): Iterable<Finding> {
  const otherEntries = Object.entries(ownConfig(action)).filter(([key]) => !elsewhere.has(key))
  for (const item of valuesIn(
    otherEntries.map(([key, value]) => (key === "ref_collection_defs" ? withoutFilters(value) : value))
  )) {
    if (item.kind === "variable") {
      const problem = referenceProblem(item, scope)
      if (problem === undefined) continue
      const { kind, ...found } = problem
      yield { code: missing[kind], ...found }
    } else {
      const constantProblem = missingConstant(item, scope)
      if (constantProblem !== undefined)
        yield {
          code: constantProblem.kind === "user" ? "action_user_missing" : "action_value_missing",
          ...constantProblem.finding
        }
    }
  }
}
const withoutFilters = (defs: unknown): unknown =>
  Array.isArray(defs) ? defs.map((def) => (isPlainObject(def) ? { ...def, match_condition: null } : def)) : defs
