// Broken reasons of steps (service.md 2.7 "Trigger-context requirements"; developer-api.md 7.6, 7.12), each in the scope that the steps
// before it leave.
import { withheldText } from "../../../platform/sharing/withheldText.ts"
import { type AnyActionSpec, actionSpec } from "../actions/registry.ts"
import type { Action, FilterGroup } from "../model/Definition.ts"
import type { DefinitionScope, ProducedApp } from "../schema/DefinitionScope.ts"
import type { BrokenReason, Finding } from "../schema/ValidationModel.ts"
import { rowsOf } from "../schema/walk.ts"
import { checkAssignments } from "./brokenAssignments.ts"
import { checkCall } from "./brokenCalls.ts"
import { checkFilter } from "./brokenFilters.ts"
import { checkReferences, type iterationConditions } from "./brokenReferences.ts"
import { checkCollection, collectedApps, loopsOverRecords, published, union } from "./producersAndConsumers.ts"

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
    const inside = function* (key: (typeof iterationConditions)[number], at: DefinitionScope) {
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
