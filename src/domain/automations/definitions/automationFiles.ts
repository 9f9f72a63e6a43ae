// Definitions as files kept in git: YAML or JSON, without members that the service assigns, compared place by place (our extension).
import { isDeepStrictEqual } from "node:util"
import { Result } from "effect"
import { parseDocument, stringify } from "yaml"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import type { UpdateBody } from "../input/automationBodies.ts"
import type { Action } from "../model/Definition.ts"
import { pathText } from "../schema/path.ts"
import { isPlainObject, rowsOf } from "../schema/walk.ts"
import { settingsOf } from "./automationView.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

export interface AutomationFile {
  /** Id of the automation to change; a file without one creates a new automation. */
  readonly id?: number
  readonly body: Readonly<Record<string, unknown>>
}

/** YAML is a superset of JSON, so one parser reads both. */
export const readFile = (text: string): Result.Result<AutomationFile, InputInvalid> => {
  const document = parseDocument(text, { uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) return Result.fail(new InputInvalid({ message: error.message }))
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (!isPlainObject(value)) return Result.fail(new InputInvalid({ message: "The file holds no object." }))
  const { id, ...body } = value
  if (id === undefined) return Result.succeed({ body })
  return Number.isSafeInteger(id)
    ? Result.succeed({ id: id as number, body })
    : Result.fail(new InputInvalid({ message: "id: expected an integer." }))
}

const withoutGroup = ({ group: _, ...action }: Action): object => ({
  ...action,
  config: {
    ...action.config,
    ...Object.fromEntries(
      rowsOf({ ...action, group: "action" }).map(({ actions, key }) => [key, actions.map(withoutGroup)])
    )
  }
})

type Kept = Pick<
  AutomationRow,
  | "name"
  | "description"
  | "timezone"
  | "on_failure_automation_id"
  | "concurrency"
  | "debounce_ms"
  | "pause_after_failures"
  | "tags"
  | "trigger"
  | "filter"
  | "actions"
>

/** Content of an automation's file, in a stable order of keys. */
export const contentOf = (row: Kept) => ({
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  timezone: row.timezone,
  ...(row.on_failure_automation_id === null ? {} : { on_failure_automation_id: row.on_failure_automation_id }),
  ...settingsOf(row),
  trigger: row.trigger,
  filter: row.filter,
  actions: row.actions.map(withoutGroup)
})

/** Completes a file's body: the file is the whole definition, so omitted members are cleared. */
export const wholeBody = (body: Readonly<Record<string, unknown>>) => ({
  ...{ description: null, trigger: null, filter: null, actions: [], timezone: "UTC" },
  ...{ on_failure_automation_id: null, concurrency: null, debounce_ms: null, pause_after_failures: null, tags: [] },
  ...body
})

export const writeFile = (id: number, row: Kept, format: "yaml" | "json"): string =>
  textOf({ id, ...contentOf(row) }, format)

export const textOf = (content: unknown, format: "yaml" | "json"): string =>
  format === "json"
    ? `${JSON.stringify(content, null, 2)}\n`
    : stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })

/**
 * Compares a file with the automation that it changes: `changes` by place, and `body` to save. Where tags alone differ, they are saved alone, so
 * that the automation keeps its version.
 */
export const fileChanges = (before: AutomationRow, decoded: UpdateBody) => {
  const changedRow = { ...before, ...decoded } as AutomationRow
  const { tags } = changedRow
  const hasSameDefinition = isDeepStrictEqual(contentOf({ ...before, tags }), contentOf(changedRow))
  return {
    changes: differences(contentOf(before), contentOf(changedRow)),
    body: hasSameDefinition ? { tags } : decoded
  }
}

/** Returns lines, one for each place that differs: `+` added, `-` removed, `~` changed. */
export const differences = (
  before: unknown,
  after: unknown,
  path: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<string> => {
  if (isDeepStrictEqual(before, after)) return []
  const position = path.length === 0 ? "definition" : pathText(path)
  if (before === undefined) return [`+ ${position}: ${JSON.stringify(after)}`]
  if (after === undefined) return [`- ${position}: ${JSON.stringify(before)}`]
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, n) => differences(before[n], after[n], [...path, n])).flat()
  }
  if (isPlainObject(before) && isPlainObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]))
  }
  return [`~ ${position}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`]
}
