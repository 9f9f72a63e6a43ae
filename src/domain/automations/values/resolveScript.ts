// Evaluates scripts (developer-api.md 8). References are bound as variables, never pasted as source, beside the names of scriptNameValues.ts.

import { Context, Effect, Layer, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { arithmetic, namesIn } from "../../../platform/primitives/arithmetic.ts"
import { evaluateSimple } from "../../../platform/sandbox/evaluateSimple.ts"
import { type JoinedSource, joined, placeWords } from "../../../platform/sandbox/joinedSource.ts"
import { Sandbox, type ScriptError, type ScriptResourceLimit } from "../../../platform/sandbox/Sandbox.ts"
import { HIDDEN, isSecretName } from "../../../platform/text/redaction.ts"
import { Lookups } from "../../records/model/Lookups.ts"
import type { Code } from "../model/Definition.ts"
import type { RunScope } from "../model/RunScope.ts"
import { type LogLevel, type LogMessage, StepFailed } from "../model/Step.ts"
import type { CodeWithSecrets } from "../schema/dynamicValues.ts"
import { secretCall } from "../schema/secretsNamed.ts"
import { unusedName } from "../schema/unusedName.ts"
import { type Role, Sources } from "./referencedRecords.ts"
import type { Data } from "./resolveData.ts"
import { codeOf } from "./resolveProperty.ts"
import { References } from "./resolveReference.ts"
import { isAround, makeScriptNameValues } from "./scriptNameValues.ts"

export interface Script extends JoinedSource {
  readonly bindings: Readonly<Record<string, unknown>>
}
export interface Evaluated {
  readonly value: unknown
  /** True if the value was `undefined`: `set_code` leaves the field unchanged. */
  readonly undefined: boolean
  readonly messages: ReadonlyArray<LogMessage>
  /** Inputs for the log: the values that the source names. */
  readonly inputs: Readonly<Record<string, unknown>>
}

type Bound = Effect.Effect<Script, StepFailed | SqlError>

const LEVELS: Record<string, LogLevel | null> = { log: null, info: "info", warn: "warn", error: "error" }
export const scriptMessages = (logs: ReadonlyArray<{ readonly level: string; readonly message: string }>) =>
  logs.map(({ level, message }): LogMessage => ({ level: LEVELS[level] ?? null, message }))

const NO_SECRET = "secret is not defined"
const WHY = ": it is there in custom_code alone, since elsewhere its value could be read back"
const placeOf = ({ column, line }: ScriptError, { positionOf }: JoinedSource) =>
  placeWords(line === null || column === null ? null : positionOf({ line, column }))

/** Returns the step's error with its place in the author's text; the messages that the script logged before it are kept. */
export const scriptFailed = (error: ScriptError | ScriptResourceLimit, script: JoinedSource): StepFailed =>
  error._tag === "ScriptResourceLimit"
    ? new StepFailed({ message: error.message, reason: "actions_resource_limit_exceeded" })
    : new StepFailed({
        message: `${error.message}${error.message.endsWith(NO_SECRET) ? WHY : ""}${placeOf(error, script)}`
      })

/** Returns the source without its references. */
const textOf = (code: CodeWithSecrets) => code.filter((item) => typeof item === "string").join("")

/** Returns references in their order, and variables that the source names; hidden if their name says so. */
export const inputsOf = ({ bindings, source }: Script): Readonly<Record<string, unknown>> => {
  const shownInputs: Record<string, unknown> = {}
  let references = 0
  for (const [name, value] of Object.entries(bindings)) {
    if (name.startsWith("$ref")) shownInputs[`reference ${++references}`] = value
    else if (name.startsWith("var_") && source.includes(name)) shownInputs[name] = isSecretName(name) ? HIDDEN : value
  }
  return shownInputs
}

export class Scripts extends Context.Service<
  Scripts,
  {
    /** Binds references. Secrets are available to `custom_code` alone. */
    readonly bind: (code: CodeWithSecrets, scope: RunScope, role?: Role) => Bound
    /** Evaluates one expression in the synchronous sandbox (8.1). */
    readonly evaluate: (code: Code, scope: RunScope, role?: Role) => Effect.Effect<Evaluated, StepFailed | SqlError>
    /** Evaluates the same expression for many scopes in few round trips; the first failure fails all. */
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

      const ambient = makeScriptNameValues(references, sources, lookups)

      /** @param around the names of 8.2, if they are known already */
      const bind = Effect.fnUntraced(function* (
        code: CodeWithSecrets,
        scope: RunScope,
        role: Role = "value",
        around?: Readonly<Record<string, unknown>>
      ) {
        const pieces: Array<string | { readonly name: string }> = []
        const boundReferences: Array<{
          readonly name: string
          readonly data: Data
          readonly property: string | undefined
        }> = []
        const text = textOf(code)
        const named = new Map<string, string>()
        // Prefix of the variables' names, one that the source does not contain.
        const prefix = unusedName(text)
        for (const item of code) {
          if (typeof item === "string") pieces.push(item)
          else if (item.source === "secret") pieces.push({ name: secretCall(item) })
          else {
            // A repeated reference is bound once.
            const key = JSON.stringify(item)
            const name = named.get(key) ?? `${prefix}${boundReferences.length}`
            if (!named.has(key))
              boundReferences.push({ name, data: yield* references.data(item, scope, role), property: item.property })
            named.set(key, name)
            pieces.push({ name })
          }
        }
        const context = yield* references.context(
          boundReferences.map(({ data }) => data),
          scope
        )
        const bindings = { ...(around ?? (yield* ambient(text, scope))) }
        for (const { data, name, property } of boundReferences)
          bindings[name] = codeOf(data, property as never, context)
        return { ...joined(pieces), bindings }
      })

      const unavailable = (error: { readonly message: string }) => new StepFailed({ message: error.message })

      const toEvaluated = (value: unknown, inputs: Evaluated["inputs"] = {}): Evaluated => ({
        ...{ value: value === undefined ? null : value, undefined: false, messages: [], inputs }
      })

      /** Computes arithmetic of numbers exactly (decisions A30), which JavaScript does not. */
      const computed = Effect.fnUntraced(function* (code: Code, scope: RunScope, role: Role) {
        const prefix = unusedName(textOf(code))
        const named = code.filter((item) => typeof item !== "string")
        let referenceIndex = 0
        const source = code.map((item) => (typeof item === "string" ? item : ` ${prefix}${referenceIndex++} `)).join("")
        const names = namesIn(source)
        if (names === null || !names.every((name) => name.startsWith("var_") || name.startsWith(prefix))) return null
        const values = new Map<string, unknown>()
        if (names.some((name) => name.startsWith("var_")))
          for (const { name, value } of yield* scope.variables) values.set(name, value)
        const inputs: Record<string, unknown> = {}
        for (const [index, reference] of named.entries()) {
          const data = yield* references.data(reference, scope, role)
          const value = codeOf(data, reference.property, yield* references.context([data], scope))
          values.set(`${prefix}${index}`, value)
          inputs[`reference ${index + 1}`] = value
        }
        for (const name of names)
          if (name.startsWith("var_")) inputs[name] = isSecretName(name) ? HIDDEN : values.get(name)
        const value = arithmetic(source, (name) => values.get(name))
        return value === undefined ? null : toEvaluated(value, inputs)
      })

      /** Evaluates numbers, single references and arithmetic without the sandbox. */
      const simple = Effect.fnUntraced(function* (code: Code, scope: RunScope, role: Role) {
        const items = code.filter((item) => typeof item !== "string" || item.trim() !== "")
        if (items.length === 0) return toEvaluated(null)
        const [item] = items
        if (items.length === 1 && typeof item === "string") {
          const [, whole, part = ""] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(item.trim()) ?? []
          if (whole !== undefined && whole.length <= 15 && part.length <= 15) return toEvaluated(Number(item))
        }
        if (items.length > 1 || item === undefined || typeof item === "string")
          return yield* computed(code, scope, role)
        const data = yield* references.data(item, scope, role)
        return toEvaluated(codeOf(data, item.property, yield* references.context([data], scope)))
      })

      const evaluate = Effect.fnUntraced(function* (code: Code, scope: RunScope, role: Role = "value") {
        const simpleResult = yield* simple(code, scope, role)
        if (simpleResult !== null) return simpleResult
        const script = yield* bind(code, scope, role)
        const { bindings, source } = script
        const simpleValue = evaluateSimple(source, bindings)
        if (simpleValue !== undefined) return toEvaluated(simpleValue, inputsOf(script))
        const result = yield* sandbox.runSync({ source, bindings, orgId: scope.run.org_id }).pipe(
          Effect.catchTags({
            ScriptError: (error) => Effect.fail(scriptFailed(error, script)),
            ScriptResourceLimit: (error) => Effect.fail(scriptFailed(error, script)),
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
        const ambientBindings = yield* ambient(textOf(code), first!)
        const bound = yield* Effect.forEach(scopes, (scope) =>
          bind(code, scope, role, isAround(first!, scope) ? ambientBindings : undefined)
        )
        const results = yield* sandbox
          .runMany({
            orgId: scopes[0]!.run.org_id,
            source: bound[0]!.source,
            rows: bound.map(({ bindings }) => bindings)
          })
          .pipe(Effect.catchTag("SandboxUnavailable", (error) => Effect.fail(unavailable(error))))
        return yield* Effect.forEach(results, (result) =>
          Result.isSuccess(result)
            ? Effect.succeed(result.success.value)
            : Effect.fail(scriptFailed(result.failure, bound[0]!))
        )
      })

      return Scripts.of({ bind, evaluate, evaluateMany })
    })
  )
}
