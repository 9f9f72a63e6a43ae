// Rules for a hook's filter (decisions W13): the automation's filter tree over the record of the event. The relay's transaction evaluates
// it, so it must not run a script. There is no run whose variables, outputs or collections it could name.
import { Effect, Layer, Option, Result, Schema } from "effect"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { numberOf } from "../../records/fields/input/numbers.ts"
import { Definitions } from "../../records/model/Definitions.ts"
import { FilterRules, FilterUnusable, type HookSieve, type SiftedApp } from "../../webhooks/EventFilters.ts"
import { everyone, type SeenBy, ValidationModels } from "../definitions/ValidationModels.ts"
import { filterMistakes } from "../filter/filterWriteRules.ts"
import { decodeShape } from "../input/automationBodies.ts"
import { rawLimitMistakes } from "../input/definitionLimits.ts"
import { normalizeFilter } from "../input/normalizeFilter.ts"
import type { FilterGroup } from "../model/Definition.ts"
import type { ReasonCode } from "../schema/brokenReasons.ts"
import type { Reference, SecretReference } from "../schema/dynamicValues.ts"
import { FilterGroup as FilterGroupSchema, type FilterRow, isGroup, isScript } from "../schema/Filter.ts"
import { type Mistake, mistakesText, type Path } from "../schema/path.ts"
import { valuesIn } from "../schema/walk.ts"
import { checkFilter } from "../validation/brokenFilters.ts"
import { storedFilter } from "./storedFilter.ts"

const Written = Schema.Struct({ filter: FilterGroupSchema as unknown as Schema.Codec<FilterGroup, unknown> })

const globals: ReadonlySet<string> = new Set(["current_date", "current_datetime", "current_time"])

/** Returns the reason why a hook's filter may not use a reference, or undefined. */
const misplaced = (reference: Reference | SecretReference, appId: number): string | undefined => {
  switch (reference.source) {
    case "field":
      return reference.collection || reference.triggering
        ? "only the record of the event is there, without collections or triggering records"
        : undefined
    case "meta":
      if (reference.collection === true || reference.triggering === true)
        return "only the record of the event is there, without collections or triggering records"
      return reference.app_id === undefined || reference.app_id === appId ? undefined : "must be of the hook's own app"
    case "global":
      return globals.has(reference.global_type) ? undefined : `there is no \`${reference.global_type}\` without a run`
    default:
      return `a ${reference.source} reference has no value without a run`
  }
}

function* rowMistakes(row: FilterRow, path: Path, appId: number): Iterable<Mistake> {
  if (isGroup(row)) {
    for (const [index, inner] of row.rows.entries()) yield* rowMistakes(inner, [...path, "rows", index], appId)
    return
  }
  if (isScript(row)) {
    yield { path, message: "a hook's filter runs no script" }
    return
  }
  if (row.value?.type === "number" && plainNumber(row.value.number) === undefined)
    yield { path: [...path, "value"], message: "a hook's filter compares with a plain number, no expression" }
  for (const item of valuesIn(row)) {
    const message = item.kind === "variable" ? misplaced(item, appId) : undefined
    if (message !== undefined) yield { path, message }
  }
}

/** Returns the number that a code value holds without being run. */
export const plainNumber = (code: ReadonlyArray<unknown>): number | undefined =>
  code.every((item) => typeof item === "string") ? (numberOf(code.join("").trim()) ?? undefined) : undefined

/** Findings that make a filter meaningless. A missing option, user or record only leaves less to match. */
const decisive: ReadonlySet<ReasonCode> = new Set([
  "filter_app_missing",
  "filter_variable_missing",
  "filter_value_variable_missing",
  "filter_match_type_invalid"
])

export const HookFilterRules = Layer.effect(
  FilterRules,
  Effect.gen(function* () {
    const models = yield* ValidationModels
    const definitions = yield* Definitions

    const findings = Effect.fnUntraced(function* ({ app_id, org_id }: SiftedApp, filter: FilterGroup, seenBy: SeenBy) {
      const subject = { org_id, app_id, timezone: "UTC", trigger: null, filter, actions: [] }
      const model = yield* models.load(subject, seenBy)
      const none = new Set<never>()
      const filterFindings = checkFilter(filter, {
        model,
        context: "record",
        outputs: none,
        variables: none,
        collections: none,
        created: none,
        isAwaited: false,
        inRecordLoop: false
      })
      return [...filterFindings]
    })

    const goneFields = Effect.fnUntraced(function* (appId: number, ids: ReadonlyArray<number>) {
      if (ids.length === 0) return []
      const definition = Option.getOrUndefined(yield* definitions.load(appId))
      return ids.filter((id) => definition?.byId.has(id) !== true)
    })

    const read = Effect.fnUntraced(function* (app: SiftedApp, written: HookSieve, caller: CallerShape) {
      const missingFields = yield* goneFields(app.app_id, written.only_fields ?? [])
      if (missingFields.length > 0)
        return yield* new ValidationError({ message: `only_fields: the app has no field ${missingFields.join(", ")}.` })
      if (written.filter === null) return written
      const body = { filter: written.filter }
      const { filter } = yield* Effect.fromResult(decodeShape(Written, body))
      let minted = 0
      const kept = normalizeFilter(filter, () => `row-${++minted}`)
      const mistakes = [
        ...rawLimitMistakes(body),
        ...filterMistakes(filter, ["filter"], false),
        ...rowMistakes(filter, ["filter"], app.app_id)
      ]
      if (mistakes.length > 0) return yield* new ValidationError({ message: mistakesText(mistakes, body) })
      const [first] = yield* findings(app, kept, [caller])
      if (first !== undefined) return yield* new ValidationError({ message: `filter: ${first.message}` })
      return { ...written, filter: kept }
    })

    const usable = Effect.fnUntraced(function* (app: SiftedApp, { filter, only_fields }: HookSieve) {
      const missingFields = yield* goneFields(app.app_id, only_fields ?? [])
      if (missingFields.length > 0)
        return yield* new FilterUnusable({ message: `The app no longer has the field ${missingFields.join(", ")}.` })
      if (filter === null) return
      const filterGroup = storedFilter(filter)
      if (Result.isFailure(filterGroup)) return yield* filterGroup.failure
      const firstFinding = (yield* findings(app, filterGroup.success, everyone)).find(({ code }) => decisive.has(code))
      if (firstFinding !== undefined) return yield* new FilterUnusable({ message: firstFinding.message })
    })

    return FilterRules.of({ read, usable })
  })
)
