// Scripts: references bound as variables, never pasted as source, and the names of developer-api.md 8.2. What costs a look-up is
// bound only where the source can name it.
import { Context, Effect, Layer, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { formatDate, formatDateTime } from "../../../ground/primitives/dates.ts"
import { Sandbox, type ScriptError, type ScriptResourceLimit } from "../../../ground/sandbox/Sandbox.ts"
import { HIDDEN, isSecretName } from "../../../ground/text/redaction.ts"
import { lacking } from "../../accounts/Authority.ts"
import { noMentions } from "../../records/fields/model/Field.ts"
import { typeOf } from "../../records/fields/registry.ts"
import { cellOf } from "../../records/model/AppDefinition.ts"
import { Lookups } from "../../records/model/Lookups.ts"
import type { Code } from "../model/Definition.ts"
import { type RecordState, type RunScope, type Variable, variableName } from "../model/RunScope.ts"
import { needs } from "../model/Sight.ts"
import { type LogLevel, type LogMessage, StepFailed } from "../model/Step.ts"
import { type Data, filesData, filesIn, json, named as namedBy } from "./resolveData.ts"
import { References } from "./resolveReference.ts"
import { codeOf, type ShowContext } from "./resolveShown.ts"
import { type Role, Sources } from "./resolveSource.ts"

export interface Script {
  readonly source: string
  readonly bindings: Readonly<Record<string, unknown>>
}
export interface Evaluated {
  readonly value: unknown
  /** The value was `undefined`: `set_code` leaves the field alone. */
  readonly undefined: boolean
  readonly messages: ReadonlyArray<LogMessage>
  /** What the log shows of what the source names. */
  readonly inputs: Readonly<Record<string, unknown>>
}

type Bound = Effect.Effect<Script, StepFailed | SqlError>

const LEVELS: Record<string, LogLevel | null> = { log: null, info: "info", warn: "warn", error: "error" }
export const scriptMessages = (logs: ReadonlyArray<{ readonly level: string; readonly message: string }>) =>
  logs.map(({ level, message }): LogMessage => ({ level: LEVELS[level] ?? null, message }))

const NO_SECRET = "secret is not defined"
const WHY = ": it is there in custom_code alone, since elsewhere its value could be read back"
const withLine = (message: string, { line }: ScriptError) => (line === null ? message : `${message} (line ${line})`)

/** The step's error; what the script logged before it goes along. */
export const scriptFailed = (error: ScriptError | ScriptResourceLimit): StepFailed =>
  error._tag === "ScriptResourceLimit"
    ? new StepFailed({ message: error.message, reason: "actions_resource_limit_exceeded" })
    : new StepFailed({
        message: withLine(error.message.endsWith(NO_SECRET) ? error.message + WHY : error.message, error)
      })

/** Whether the source can reach names that it does not spell out. */
const reachesAll = (source: string) => /globalThis|\\u|\bthis\b/.test(source)

/** References in their order, and variables that the source names; hidden where the name says so. */
export const inputsOf = ({ bindings, source }: Script): Readonly<Record<string, unknown>> => {
  const shown: Record<string, unknown> = {}
  let references = 0
  for (const [name, value] of Object.entries(bindings)) {
    if (name.startsWith("$ref")) shown[`reference ${++references}`] = value
    else if (name.startsWith("var_") && source.includes(name)) shown[name] = isSecretName(name) ? HIDDEN : value
  }
  return shown
}

/** Scopes that differ in the collected record alone: the names of 8.2 mean the same in both. */
const isAround = (one: RunScope, other: RunScope): boolean =>
  (
    [
      "run",
      "automation",
      "trigger",
      "payload",
      "current",
      "previous",
      "triggering",
      "variables",
      "loops",
      "now"
    ] as const
  ).every((member) => one[member] === other[member]) && one.simulation === other.simulation

const fileProperties = ["id", "filename", "size", "mimetype", "download_url"] as const

export class Scripts extends Context.Service<
  Scripts,
  {
    readonly bind: (code: Code, scope: RunScope, role?: Role) => Bound
    /** One expression in the synchronous sandbox (8.1). */
    readonly evaluate: (code: Code, scope: RunScope, role?: Role) => Effect.Effect<Evaluated, StepFailed | SqlError>
    /** The same expression for many scopes in few round trips; the first failure fails all. */
    readonly evaluateMany: (
      code: Code,
      scopes: ReadonlyArray<RunScope>,
      role?: Role
    ) => Effect.Effect<ReadonlyArray<unknown>, StepFailed | SqlError>
  }
>()("millrace/automations/values/Scripts") {
  static readonly layer = Layer.effect(
    Scripts,
    Effect.gen(function* () {
      const references = yield* References
      const sources = yield* Sources
      const lookups = yield* Lookups
      const sandbox = yield* Sandbox

      /** `current_record` and its like: every field by `external_id`, empty ones `null`. */
      const recordView = Effect.fnUntraced(function* (record: RecordState | null, scope: RunScope) {
        const definition = record === null ? null : yield* sources.definition(record.app_id, scope)
        if (record === null || definition === null) return null
        yield* needs(scope, "records:read")
        const all = definition.fields.map((field) => ({ field, cell: cellOf(field, record.cells, record) }))
        const mentions = noMentions()
        for (const { cell, field } of all) typeOf(field).mention?.(cell, mentions)
        const found = yield* lookups.forReading(scope.run.org_id, mentions)
        const { baseUrl } = yield* references.context([], scope)
        const context: ShowContext = { found, zone: scope.automation.timezone, baseUrl }
        const fields = all.map(({ cell, field }) => {
          const data: Data = { type: "cells", field, cells: [cell], list: false }
          return [field.slug, codeOf(data, undefined, context)] as const
        })
        return {
          record_id: record.record_id,
          app_record_id: record.app_record_id,
          title: record.title,
          record_url: `${baseUrl}/record/${record.record_id}`,
          fields: Object.fromEntries(fields)
        }
      })

      const triggerView = ({ authority, trigger }: RunScope, payload: unknown) => ({
        type: trigger.type,
        ...(payload === undefined ? {} : { webhook_payload: payload }),
        ...(trigger.comment === undefined || lacking(authority.reach, ["records.comments:read"]) !== undefined
          ? {}
          : { comment: trigger.comment }),
        ...(trigger.scheduled_at === undefined ? {} : { scheduled_at: formatDateTime(new Date(trigger.scheduled_at)) }),
        ...(trigger.weblink === undefined ? {} : { weblink: trigger.weblink })
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
        const known = unset.get(declared)
        if (known !== undefined) return known
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
          const at = files.indexOf(variable)
          if (at < 0) bindings[variable.name] = variable.value ?? null
          else {
            const shown = codeOf(data[at]!, undefined, context) as ReadonlyArray<Record<string, unknown>> | null
            const one = variable.def.custom_type === "single_file"
            bindings[variable.name] = shown
            for (const key of fileProperties) {
              const column = shown?.map((file) => file[key] ?? null) ?? []
              bindings[`${variable.name}_${key}`] = one ? (column[0] ?? null) : column
            }
          }
        }
        return bindings
      })

      /** The names of 8.2 that the source can reach. */
      const ambient = Effect.fnUntraced(function* (source: string, scope: RunScope) {
        const all = reachesAll(source)
        const named = (name: string) => all || source.includes(name)
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
        if (named("trigger")) bindings["trigger"] = triggerView(scope, yield* scope.payload)
        if (loops.length > 0) {
          bindings["loop_index"] = loops.at(-1)!.index
          if (named("loop_item")) bindings["loop_item"] = yield* loopItem(scope)
        }
        return bindings
      })

      /** @param around the names of 8.2, where they are known */
      const bind = Effect.fnUntraced(function* (
        code: Code,
        scope: RunScope,
        role: Role = "value",
        around?: Readonly<Record<string, unknown>>
      ) {
        let source = ""
        const own: Array<{ readonly name: string; readonly data: Data; readonly property: string | undefined }> = []
        const text = code.filter((item) => typeof item === "string").join("")
        const named = new Map<string, string>()
        // A name that the source does not hold.
        let prefix = "$ref"
        while (text.includes(prefix)) prefix += "$"
        for (const item of code) {
          if (typeof item === "string") source += item
          else {
            // One that is written often is bound once.
            const key = JSON.stringify(item)
            const name = named.get(key) ?? `${prefix}${own.length}`
            if (!named.has(key))
              own.push({ name, data: yield* references.data(item, scope, role), property: item.property })
            named.set(key, name)
            source += name
          }
        }
        const context = yield* references.context(
          own.map(({ data }) => data),
          scope
        )
        const bindings = { ...(around ?? (yield* ambient(text, scope))) }
        for (const { data, name, property } of own) bindings[name] = codeOf(data, property as never, context)
        return { source, bindings }
      })

      const unavailable = (error: { readonly message: string }) => new StepFailed({ message: error.message })

      /** Numbers and lone references need no sandbox. */
      const simple = Effect.fnUntraced(function* (code: Code, scope: RunScope, role: Role) {
        const items = code.filter((item) => typeof item !== "string" || item.trim() !== "")
        if (items.length === 0) return json(null)
        const [item] = items
        if (items.length > 1 || item === undefined) return null
        if (typeof item === "string") {
          const [, whole, part = ""] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(item.trim()) ?? []
          return whole !== undefined && whole.length <= 15 && part.length <= 15 ? json(Number(item)) : null
        }
        const data = yield* references.data(item, scope, role)
        return json(codeOf(data, item.property, yield* references.context([data], scope)))
      })

      const evaluate = Effect.fnUntraced(function* (code: Code, scope: RunScope, role: Role = "value") {
        const known = yield* simple(code, scope, role)
        if (known?.type === "json")
          return { value: known.value, undefined: false, messages: [], inputs: {} } satisfies Evaluated
        const script = yield* bind(code, scope, role)
        const result = yield* sandbox.runSync({ ...script, orgId: scope.run.org_id }).pipe(
          Effect.catchTags({
            ScriptError: (error) => Effect.fail(scriptFailed(error)),
            ScriptResourceLimit: (error) => Effect.fail(scriptFailed(error)),
            SandboxUnavailable: (error) => Effect.fail(unavailable(error))
          })
        )
        return {
          value: result.value,
          undefined: result.undefined,
          messages: scriptMessages(result.logs),
          inputs: inputsOf(script)
        } satisfies Evaluated
      })

      const evaluateMany = Effect.fnUntraced(function* (
        code: Code,
        scopes: ReadonlyArray<RunScope>,
        role: Role = "value"
      ) {
        if (scopes.length === 0) return []
        const [first] = scopes
        const text = code.filter((item) => typeof item === "string").join("")
        const around = yield* ambient(text, first!)
        const bound = yield* Effect.forEach(scopes, (scope) =>
          bind(code, scope, role, isAround(first!, scope) ? around : undefined)
        )
        const results = yield* sandbox
          .runMany({
            orgId: scopes[0]!.run.org_id,
            source: bound[0]!.source,
            rows: bound.map(({ bindings }) => bindings)
          })
          .pipe(Effect.catchTag("SandboxUnavailable", (error) => Effect.fail(unavailable(error))))
        return yield* Effect.forEach(results, (result) =>
          Result.isSuccess(result) ? Effect.succeed(result.success.value) : Effect.fail(scriptFailed(result.failure))
        )
      })

      return Scripts.of({ bind, evaluate, evaluateMany })
    })
  )
}
