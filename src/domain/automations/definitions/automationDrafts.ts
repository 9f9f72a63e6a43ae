// Builds the new state of an automation from the request and the stored row, and checks it (developer-api.md 7.1, 7.13).

import type { CreateBody, UpdateBody } from "../input/automationBodies.ts"
import { debounceMistakes } from "../input/debounceMistakes.ts"
import { limitMistakes } from "../input/definitionLimits.ts"
import { duplicateIds } from "../input/nodeIds.ts"
import type { Definition } from "../model/Definition.ts"
import { mistakesText } from "../schema/path.ts"
import type { Concurrency } from "../schema/RunSettings.ts"
import type { RevisionView } from "./automationView.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

export interface Draft extends Definition {
  readonly name: string
  readonly description: string | null
  readonly timezone: string
  readonly on_failure_automation_id: number | null
  readonly concurrency: Concurrency | null
  readonly debounce_ms: number | null
  readonly pause_after_failures: number | null
  readonly tags: ReadonlyArray<string>
}

export const draftOf = (body: CreateBody): Draft => ({
  name: body.name,
  description: body.description ?? null,
  timezone: body.timezone ?? "UTC",
  on_failure_automation_id: body.on_failure_automation_id ?? null,
  concurrency: body.concurrency ?? null,
  debounce_ms: body.debounce_ms ?? null,
  pause_after_failures: body.pause_after_failures ?? null,
  tags: body.tags ?? [],
  trigger: body.trigger ?? null,
  filter: body.filter ?? null,
  actions: body.actions ?? []
})

/** Merges the sent members into the stored row; `null` clears a member. */
export const changedDraft = (before: AutomationRow, body: UpdateBody): Draft => {
  const valueOf = <Key extends keyof UpdateBody & keyof Draft>(key: Key) =>
    (body[key] === undefined ? before[key] : body[key]) as Draft[Key]
  return {
    name: valueOf("name"),
    description: valueOf("description"),
    timezone: valueOf("timezone"),
    on_failure_automation_id: valueOf("on_failure_automation_id"),
    concurrency: valueOf("concurrency"),
    debounce_ms: valueOf("debounce_ms"),
    pause_after_failures: valueOf("pause_after_failures"),
    tags: valueOf("tags"),
    trigger: valueOf("trigger"),
    filter: valueOf("filter"),
    actions: valueOf("actions")
  }
}

/** Builds the draft of a copy, without settings that refer out of its app. */
export const copiedDraft = (
  source: AutomationRow,
  parts: Definition,
  name: string | undefined,
  appId: number
): Draft => ({
  ...parts,
  name: name ?? `${source.name.slice(0, 4990)} (copy)`.toWellFormed(),
  description: source.description,
  timezone: source.timezone,
  concurrency: source.concurrency,
  debounce_ms: source.debounce_ms,
  pause_after_failures: source.pause_after_failures,
  tags: source.tags,
  on_failure_automation_id: appId === source.app_id ? source.on_failure_automation_id : null
})

export const OF_ITSELF = "on_failure_automation_id: an automation is not called when it fails itself."

/**
 * Checks a draft. The request has been checked already; merged with the stored row it may be too large, or name a node twice. Undefined: no
 * mistake.
 */
export const draftMistakes = (draft: Draft, id?: number): string | undefined => {
  const mistakes = [
    ...(id === undefined ? [] : [...limitMistakes(draft), ...duplicateIds(draft)]),
    ...debounceMistakes(draft)
  ]
  if (mistakes.length > 0) return mistakesText(mistakes, {})
  return id !== undefined && draft.on_failure_automation_id === id ? OF_ITSELF : undefined
}

/** True if the body changes the runs' behavior: the user who saves it becomes the owner (decisions A20). */
export const savesRights = ({ actions, filter, trigger }: UpdateBody) =>
  trigger !== undefined || filter !== undefined || actions !== undefined

/** True if the body changes tags alone: they are about the automation, so that it keeps its version. */
export const savesTagsAlone = (body: UpdateBody): boolean => {
  const { tags, ...members } = body
  return tags !== undefined && Object.keys(members).length === 0
}

/** Members of a revision that define the automation, without those that the service assigns. */
export const contentOfRevision = ({ name, trigger, filter, actions }: RevisionView) => ({
  name,
  trigger,
  filter,
  actions
})
