// Ids that a definition names. They are looked up in a batch before validation, and stored with the automation, so that an index finds the
// automations that depend on a removed field, app or call target (developer-api.md 7.2).

import type { Definition } from "../model/Definition.ts"
import { secretsNamed } from "../schema/secretsNamed.ts"
import { allActions, isPlainObject, ownConfig } from "../schema/walk.ts"

export interface DefinitionMentions {
  readonly fields: ReadonlySet<number>
  readonly apps: ReadonlySet<number>
  readonly automations: ReadonlySet<number>
  readonly users: ReadonlySet<number>
  readonly records: ReadonlySet<number>
  readonly providers: ReadonlySet<number>
  readonly mailAccounts: ReadonlySet<number>
  /** Secrets by name. */
  readonly secrets: ReadonlySet<string>
  /** Literal ids whose kind the subject's or target's field decides: users or records. */
  readonly literals: ReadonlySet<number>
}

type MentionKind = "fields" | "apps" | "automations" | "users" | "records" | "providers" | "mailAccounts"

const byKey: Record<string, MentionKind> = {
  field_id: "fields",
  date_field_id: "fields",
  match_field_ids: "fields",
  via_field_ids: "fields",
  trigger_on_changes_field_ids: "fields",
  app_id: "apps",
  triggering_app_ids: "apps",
  automation_id: "automations",
  user_id: "users",
  author_id: "users",
  assignee: "users",
  record_id: "records",
  authentication_provider_id: "providers",
  smtp_account_id: "mailAccounts"
}
const literalKeys: ReadonlySet<string> = new Set(["ids", "field_value"])

export const mentionsOf = (definition: Definition): DefinitionMentions => {
  const definitionMentions = {
    fields: new Set<number>(),
    apps: new Set<number>(),
    automations: new Set<number>(),
    users: new Set<number>(),
    records: new Set<number>(),
    providers: new Set<number>(),
    mailAccounts: new Set<number>(),
    literals: new Set<number>(),
    secrets: secretsNamed(definition)
  }
  const add = (key: string, value: unknown): void => {
    const kind = literalKeys.has(key) ? "literals" : byKey[key]
    if (Array.isArray(value)) for (const item of value) add(key, item)
    else if (typeof value === "number" && kind !== undefined) definitionMentions[kind].add(value)
    else visit(value)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (isPlainObject(value)) for (const [key, item] of Object.entries(value)) add(key, item)
  }
  if (definition.on_failure_automation_id != null)
    definitionMentions.automations.add(definition.on_failure_automation_id)
  visit(definition.trigger)
  visit(definition.filter)
  for (const action of allActions(definition.actions)) visit(ownConfig(action))
  return definitionMentions
}
