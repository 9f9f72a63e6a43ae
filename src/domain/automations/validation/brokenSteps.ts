// Broken reasons of steps (service.md 2.7 "Producer and consumer rules", "Trigger-context requirements"; developer-api.md 7.6, 7.12).

import { withheldText } from "../../../platform/sharing/withheldText.ts"
import { type AnyActionSpec, actionSpec } from "../actions/registry.ts"
import type { CallArgument } from "../actions/shared/callConfig.ts"
import type { Action, CustomDef, FilterGroup, Reference } from "../model/Definition.ts"
import {
  type DefinitionScope,
  type ProducedApp,
  referenceProblem,
  secretCodes,
  variableKey
} from "../schema/DefinitionScope.ts"
import { typeNamed } from "../schema/operators.ts"
import type { BrokenReason, Finding } from "../schema/ValidationModel.ts"
import { isPlainObject, ownConfig, rowsOf, valuesIn } from "../schema/walk.ts"
import { checkAssignments } from "./brokenAssignments.ts"
import { checkFilter, missingConstant } from "./brokenFilters.ts"

/** Conditions of a loop's iteration: for its item, the first before the body, the second after it (developer-api.md 7.7 rule 4). */
const turnConditions = ["continue_condition", "break_condition"] as const

/** Checks a list of steps; returns the scope of what follows it. */
export function* checkActions(
  list: ReadonlyArray<Action>,
  before: DefinitionScope,
  deactivated = false
): Generator<BrokenReason, DefinitionScope> {
  let scope = before
  for (const action of list) {
    const off = deactivated || action.deactivate === true
    for (const finding of checkAction(action, scope)) yield placed(finding, action.id, off)
    const inner =
      actionSpec(action.type).kind === "loop"
        ? { ...scope, inRecordLoop: scope.inRecordLoop || loopsOverRecords(action) }
        : scope
    const inside = function* (key: (typeof turnConditions)[number], at: DefinitionScope) {
      const group = action.config[key] as FilterGroup | null | undefined
      if (group != null) for (const finding of checkFilter(group, at)) yield placed(finding, action.id, off)
    }
    let [body, after] = [inner, scope]
    yield* inside("continue_condition", inner)
    for (const rows of rowsOf(action)) {
      const end = yield* checkActions(rows.actions, inner, off)
      body = union(body, end)
      after = union(after, end)
    }
    yield* inside("break_condition", body)
    // A deactivated step publishes nothing.
    if (!off) scope = published(action, after)
  }
  return scope
}

const placed = ({ block_id, ...finding }: Finding, action_id: string, deactivated: boolean): BrokenReason => ({
  ...finding,
  ...(deactivated ? { deactivated: true as const } : {}),
  block_id: block_id ?? action_id,
  action_id
})

const union = (a: DefinitionScope, b: DefinitionScope): DefinitionScope => ({
  ...a,
  variables: new Set([...a.variables, ...b.variables]),
  collections: new Set([...a.collections, ...b.collections]),
  created: new Set([...a.created, ...b.created])
})

const published = (action: Action, scope: DefinitionScope): DefinitionScope => {
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

const loopsOverRecords = ({ config }: Action): boolean => {
  const iterable = config["iterable"] as Reference | undefined
  if (iterable?.source === "action") return iterable.action_type === "record_collection"
  return iterable?.source === "field" && typeNamed(iterable.field_type).kind === "records"
}

function* checkAction(action: Action, scope: DefinitionScope): Iterable<Finding> {
  const spec = actionSpec(action.type)
  const { config } = action
  if (spec.requires !== undefined && !pairs(spec.requires, scope)) {
    yield { code: "action_invalid", message: `\`${action.type}\` ${requirement[spec.requires]}.` }
  }
  for (const { code, key } of spec.needs ?? []) {
    if (isUnset(config[key])) yield { code, message: `\`${key}\` is not set.` }
  }
  const app_id = config["app_id"] as number | undefined
  if (app_id !== undefined && !scope.model.apps.has(app_id)) {
    yield { code: "action_app_missing", message: `There is no app ${app_id}.`, app_id }
  }
  yield* checkCollection(spec, config, scope)
  yield* checkAllowed(action, scope)
  if (spec.calls !== undefined) yield* checkCall(spec, config, scope)
  if (typeof config["author_id"] === "number" && !scope.model.users.has(config["author_id"])) {
    const user_id = config["author_id"]
    yield { code: "action_user_missing", message: `There is no user ${user_id}.`, user_id }
  }
  if (spec.check !== undefined) yield* spec.check(config, scope)
  yield* checkDefs(action, scope)
  const targets = targetsOf(spec, config, scope)
  if (targets !== undefined) yield* checkAssignments(config["field_assignments"], targets, scope)
  for (const { group, collected } of matchConditions(action, scope)) {
    yield* checkFilter(group, collected === undefined ? scope : { ...scope, collected })
  }
  yield* checkReferences(action, scope)
}

const requirement = {
  record: "needs a trigger with a record",
  comment: "needs the trigger `record_comment_or_reply_created`",
  weblink: "needs the trigger `weblink_clicked`"
}
const pairs = (requires: "record" | "comment" | "weblink", { context }: DefinitionScope) =>
  requires === "record" ? context !== "none" : context === requires

const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() === ""))

function* checkCollection(
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

function* checkCall(spec: AnyActionSpec, config: Record<string, any>, { model }: DefinitionScope): Iterable<Finding> {
  const automation_id = config["automation_id"] as number | undefined
  const target = automation_id === undefined ? undefined : model.automations.get(automation_id)
  if (automation_id === undefined) {
    yield { code: "action_automation_missing", message: "`automation_id` is not set." }
    return
  }
  if (target === undefined) {
    yield { code: "action_automation_missing", message: `There is no automation ${automation_id}.`, automation_id }
    return
  }
  if (target.app_id !== model.app_id) {
    yield {
      code: "action_automation_invalid",
      message: `Automation ${automation_id} belongs to another app.`,
      automation_id
    }
  } else if (target.trigger_type !== spec.calls) {
    const message = `Automation ${automation_id} does not have the trigger \`${spec.calls}\`.`
    yield { code: "action_automation_invalid", message, automation_id }
  } else {
    const inputs = new Set(target.inputs.map(variableKey))
    for (const { id, variable_def } of config["call_arguments"] as ReadonlyArray<CallArgument>) {
      if (inputs.has(variableKey(variable_def))) continue
      const message = `Automation ${automation_id} has no input ${JSON.stringify(variable_def.label)} of type \`${variable_def.custom_type}\`.`
      const location = { automation_id, call_argument: variable_def.label, ...(id === "" ? {} : { block_id: id }) }
      yield { code: "action_call_argument_invalid", message, ...location }
    }
  }
}

/** Yields providers and mail accounts of the organization that this workspace may not use (decisions A26). */
function* checkAllowed({ config }: Action, scope: DefinitionScope): Iterable<Finding> {
  const { withheld } = scope.model
  const provider = config["authentication_provider_id"] as number | undefined
  if (provider !== undefined && withheld.providers.has(provider)) {
    const message = `The authentication provider ${provider} ${withheldText}.`
    yield { code: "action_provider_not_allowed", message }
  }
  const account = config["smtp_account_id"] as number | undefined
  if (account !== undefined && withheld.mail_accounts.has(account)) {
    yield { code: "action_mail_account_not_allowed", message: `The SMTP account ${account} ${withheldText}.` }
  }
}

/** Checks the apps and fields that the entries of `ref_collection_defs` name. */
function* checkDefs({ config }: Action, { model }: DefinitionScope): Iterable<Finding> {
  for (const def of (config["ref_collection_defs"] ?? []) as ReadonlyArray<{
    id: string
    app_id?: number
    via_field_ids?: ReadonlyArray<number>
  }>) {
    const location = def.id === "" ? {} : { block_id: def.id }
    if (def.app_id !== undefined && !model.apps.has(def.app_id)) {
      yield { code: "action_app_missing", message: `There is no app ${def.app_id}.`, app_id: def.app_id, ...location }
    }
    for (const field_id of def.via_field_ids ?? []) {
      if (!model.fields.has(field_id)) {
        yield { code: "action_variable_missing", message: `There is no field ${field_id}.`, field_id, ...location }
      }
    }
  }
}

const targetsOf = (
  spec: AnyActionSpec,
  config: Record<string, any>,
  scope: DefinitionScope
): ReadonlySet<ProducedApp> | undefined => {
  switch (spec.assigns) {
    case "current":
      return new Set([scope.model.app_id])
    case "app_id":
      return new Set([(config["app_id"] as number | undefined) ?? "any"])
    case "collection":
      return collectedApps(config["record_collection"], scope)
    default:
      return undefined
  }
}
const collectedApps = (reference: Reference | undefined, scope: DefinitionScope): ReadonlySet<ProducedApp> => {
  if (reference?.source === "action" && reference.app_id !== undefined) return new Set([reference.app_id])
  return reference === undefined || scope.collections.size === 0 ? new Set(["any"]) : scope.collections
}

/** Yields the filters of a step. In a match condition unflagged fields of the collected app are the collected record's (decisions A13). */
function* matchConditions(action: Action, scope: DefinitionScope) {
  const { config } = action
  const ownApps: ReadonlySet<ProducedApp> = new Set([(config["app_id"] as number | undefined) ?? "any"])
  const collects = actionSpec(action.type).consumes === undefined
  const collected = collects ? ownApps : collectedApps(config["record_collection"], scope)
  if (config["match_condition"] != null) yield { group: config["match_condition"], collected }
  for (const def of config["ref_collection_defs"] ?? []) {
    const apps: ReadonlySet<ProducedApp> = new Set([(def.app_id as number | undefined) ?? "any"])
    if (def.match_condition != null) yield { group: def.match_condition, collected: apps }
  }
  for (const key of ["condition", "attach_files_match_condition"]) {
    if (config[key] != null) yield { group: config[key], collected: undefined }
  }
}

/** Keys whose references have codes of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  ...["field_assignments", "match_condition", "condition", ...turnConditions],
  ...["attach_files_match_condition", "rollup_variable_def"]
])

const missing = {
  app: "action_app_missing",
  ...secretCodes,
  variable: "action_variable_missing"
} as const

function* checkReferences(action: Action, scope: DefinitionScope): Iterable<Finding> {
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
