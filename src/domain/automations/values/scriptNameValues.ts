// Names that scripts can use beside their references: records, the trigger, loops, variables, the automation and the time (developer-api.md
// 8.2). Names whose values need a query are bound only if the source can use them.

import { Effect } from "effect"
import { formatDate, formatDateTime } from "../../../platform/primitives/dates.ts"
import { lacking } from "../../accounts/Authority.ts"
import { noMentions } from "../../records/fields/model/Field.ts"
import { typeOf } from "../../records/fields/registry.ts"
import { cellOf } from "../../records/model/AppDefinition.ts"
import type { Lookups } from "../../records/model/Lookups.ts"
import { recordUrl } from "../../records/model/recordUrl.ts"
import { type RecordState, type RunScope, type Variable, variableName, type WebhookRequest } from "../model/RunScope.ts"
import { needs } from "../model/RunVisibility.ts"
import type { Sources } from "./referencedRecords.ts"
import { type Data, filesData, filesIn, named as namedBy } from "./resolveData.ts"
import { codeOf, type ShowContext } from "./resolveProperty.ts"
import type { References } from "./resolveReference.ts"

/** True if the source can reach names without spelling them out. */
const reachesAll = (source: string) => /globalThis|\\u|\bthis\b/.test(source)

/** True for scopes that differ only in the collected record: the names of 8.2 mean the same in both. */
export const isAround = (one: RunScope, other: RunScope): boolean =>
  (
    [
      "run",
      "automation",
      "trigger",
      "payload",
      "request",
      "rawBody",
      "current",
      "previous",
      "triggering",
      "variables",
      "loops",
      "now"
    ] as const
  ).every((member) => one[member] === other[member]) && one.simulation === other.simulation

/** Data that an inbound address has received. */
interface ReceivedWebhook {
  readonly payload: unknown
  readonly request: WebhookRequest | undefined
  readonly rawBody: string | null
}

const fileProperties = ["id", "filename", "size", "mimetype", "download_url"] as const

export const makeScriptNameValues = (
  references: References["Service"],
  sources: Sources["Service"],
  lookups: Lookups["Service"]
) => {
  /** Value of `current_record` and the like: every field by `external_id`, empty ones `null`. */
  const recordView = Effect.fnUntraced(function* (record: RecordState | null, scope: RunScope) {
    const definition = record === null ? null : yield* sources.definition(record.app_id, scope)
    if (record === null || definition === null) return null
    yield* needs(scope, "records:read")
    const fieldCells = definition.fields.map((field) => ({ field, cell: cellOf(field, record.cells, record) }))
    const mentions = noMentions()
    for (const { cell, field } of fieldCells) typeOf(field).mention?.(cell, mentions)
    const foundEntities = yield* lookups.forReading(scope.run.org_id, mentions)
    const { baseUrl } = yield* references.context([], scope)
    const context: ShowContext = { found: foundEntities, zone: scope.automation.timezone, baseUrl }
    const fields = fieldCells.map(({ cell, field }) => {
      const data: Data = { type: "cells", field, cells: [cell], list: false }
      return [field.slug, codeOf(data, undefined, context)] as const
    })
    return {
      record_id: record.record_id,
      app_record_id: record.app_record_id,
      title: record.title,
      record_url: recordUrl(baseUrl, record.record_id),
      fields: Object.fromEntries(fields)
    }
  })

  const triggerView = ({ authority, trigger }: RunScope, { payload, rawBody, request }: ReceivedWebhook) => ({
    type: trigger.type,
    ...(payload === undefined ? {} : { webhook_payload: payload }),
    ...(request === undefined ? {} : { webhook_headers: request.headers, webhook_query: request.query }),
    ...(rawBody === null ? {} : { webhook_raw_body: rawBody }),
    ...(trigger.comment === undefined || lacking(authority.reach, ["records.comments:read"]) !== undefined
      ? {}
      : { comment: trigger.comment }),
    ...(trigger.scheduled_at === undefined ? {} : { scheduled_at: formatDateTime(new Date(trigger.scheduled_at)) }),
    ...(trigger.weblink === undefined ? {} : { weblink: trigger.weblink })
  })

  const received = Effect.fnUntraced(function* (source: string, { payload, rawBody, request }: RunScope) {
    const raw = reachesAll(source) || source.includes("webhook_raw_body")
    return { payload: yield* payload, request: yield* request, rawBody: raw ? yield* rawBody : null }
  })

  const loopItem = Effect.fnUntraced(function* (scope: RunScope) {
    const frame = scope.loops.at(-1)
    if (frame === undefined) return undefined
    if (frame.item.type === "value") return frame.item.value
    return yield* recordView(yield* sources.record(frame.item.record_id, scope), scope)
  })

  const isFile = ({ def }: Pick<Variable, "def">) =>
    def.custom_type === "single_file" || def.custom_type === "multi_file"

  /** Every declared variable is null until it is set (A16). */
  const unset = new WeakMap<object, Record<string, null>>()
  const declared = ({ automation: { declared } }: RunScope) => {
    const cachedBindings = unset.get(declared)
    if (cachedBindings !== undefined) return cachedBindings
    const bindings: Record<string, null> = {}
    for (const def of declared) {
      const name = variableName(def.label)
      bindings[name] = null
      if (isFile({ def })) for (const key of fileProperties) bindings[`${name}_${key}`] = null
    }
    unset.set(declared, bindings)
    return bindings
  }

  const variableBindings = Effect.fnUntraced(function* (scope: RunScope) {
    const variables = yield* scope.variables
    const files = variables.filter(isFile)
    const data = files.map(({ value }) => namedBy("files", filesData(filesIn(value))))
    const context = yield* references.context(data, scope)
    const bindings: Record<string, unknown> = { ...declared(scope) }
    for (const variable of variables) {
      const fileIndex = files.indexOf(variable)
      if (fileIndex < 0) bindings[variable.name] = variable.value ?? null
      else {
        const fileValues = codeOf(data[fileIndex]!, undefined, context) as ReadonlyArray<Record<string, unknown>> | null
        const isSingle = variable.def.custom_type === "single_file"
        bindings[variable.name] = fileValues
        for (const key of fileProperties) {
          const column = fileValues?.map((file) => file[key] ?? null) ?? []
          bindings[`${variable.name}_${key}`] = isSingle ? (column[0] ?? null) : column
        }
      }
    }
    return bindings
  })

  /** Returns the names that the source can reach, with their values. */
  return Effect.fnUntraced(function* (source: string, scope: RunScope) {
    const canReachAll = reachesAll(source)
    const named = (name: string) => canReachAll || source.includes(name)
    const { automation, loops, now } = scope
    const bindings: Record<string, unknown> = {
      current_workflow_id: automation.automation_id,
      current_workflow_name: automation.name,
      current_workflow_timezone: automation.timezone,
      current_workflow_is_simulation: scope.simulation,
      current_date: formatDate(now),
      current_datetime: formatDateTime(now),
      current_time: formatDateTime(now).slice(11)
    }
    if (named("var_")) Object.assign(bindings, yield* variableBindings(scope))
    const records = { current_record: scope.current, previous_record: scope.previous } as const
    for (const [name, record] of Object.entries({ ...records, triggering_record: scope.triggering })) {
      if (named(name)) bindings[name] = yield* recordView(yield* record, scope)
    }
    if (named("trigger")) bindings["trigger"] = triggerView(scope, yield* received(source, scope))
    if (loops.length > 0) {
      bindings["loop_index"] = loops.at(-1)!.index
      if (named("loop_item")) bindings["loop_item"] = yield* loopItem(scope)
    }
    return bindings
  })
}
