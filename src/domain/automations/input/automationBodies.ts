// Reads a caller's input: strict shape (`input_validation`), then the rules of the text (`validation`), then the stored form (service.md
// 2.7, 7.2; developer-api.md 1.5, 7.3). If there is a mistake, nothing is written, and all mistakes are reported together.

import { Result, Schema } from "effect"
import { bounds, countNodes, type Look } from "../../../platform/bounds/Bounds.ts"
import { list, sizes, token } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { InputInvalid, ValidationError } from "../../../platform/primitives/errors.ts"
import { isZone } from "../../../platform/primitives/zones.ts"
import { ActionInput, actionSpec } from "../actions/registry.ts"
import { changeTrackingHint, filterMistakes, isChangeTracking } from "../filter/filterWriteRules.ts"
import type { Action, AnyTrigger, Definition, FilterGroup } from "../model/Definition.ts"
import { withDefault } from "../schema/combinators.ts"
import { FilterGroup as FilterGroupSchema } from "../schema/Filter.ts"
import { type Mistake, mistakesText, type Path } from "../schema/path.ts"
import { retryMistakes } from "../schema/RetryPolicy.ts"
import { Concurrency, DebounceMs, PauseAfterFailures } from "../schema/RunSettings.ts"
import { actionFilters, isPlainObject, rowsOf } from "../schema/walk.ts"
import { triggers } from "../triggers/registry.ts"
import { repeatedTags, spelledTags, Tags } from "./automationTags.ts"
import { limitMistakes, rawLimitMistakes, rawMistakes } from "./definitionLimits.ts"
import { duplicateIds, type Mint } from "./nodeIds.ts"
import { normalizeAction, normalizeTrigger } from "./normalizeDefinition.ts"
import { normalizeFilter } from "./normalizeFilter.ts"
import { schemaMistakes } from "./schemaMistakes.ts"

const triggerMembers = Object.values(triggers).map((spec) =>
  Schema.Struct({
    type: Schema.Literal(spec.type),
    config: (spec.config as unknown as Schema.Struct<Schema.Struct.Fields>).pipe(withDefault({}))
  }).annotate({ title: spec.label, description: spec.description })
)
export const TriggerInput = Schema.Union(triggerMembers).annotate({
  identifier: "Trigger"
}) as unknown as Schema.Codec<AnyTrigger, unknown>

const Name = Schema.String.check(Schema.isBetweenLength(1, 5000))
const Description = Schema.String.check(Schema.isMaxLength(25_000))
const Filter = FilterGroupSchema as unknown as Schema.Codec<FilterGroup, unknown>
const ActionList = list(ActionInput, sizes.definitionList).annotate({ identifier: "Actions" })

const OnFailure = Id.annotate({
  description: "An automation of the same app with the trigger `automation_called`, called when a run fails"
})
const settings = {
  concurrency: Schema.optionalKey(Schema.NullOr(Concurrency)),
  debounce_ms: Schema.optionalKey(Schema.NullOr(DebounceMs)),
  pause_after_failures: Schema.optionalKey(Schema.NullOr(PauseAfterFailures))
}

/** Body of `POST /automation/app/{app_id}`. */
export const CreateBody = Schema.Struct({
  name: Name,
  description: Schema.optionalKey(Description),
  trigger: Schema.optionalKey(TriggerInput),
  filter: Schema.optionalKey(Schema.NullOr(Filter)),
  actions: Schema.optionalKey(ActionList),
  timezone: Schema.optionalKey(token),
  on_failure_automation_id: Schema.optionalKey(OnFailure),
  ...settings,
  tags: Schema.optionalKey(Tags)
})
export type CreateBody = typeof CreateBody.Type

/** Body of `PUT /automation/{id}`: `null` clears `description`, `trigger`, `filter`, `on_failure_automation_id`, the settings and `tags`. */
export const UpdateBody = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Schema.NullOr(Description)),
  trigger: Schema.optionalKey(Schema.NullOr(TriggerInput)),
  filter: Schema.optionalKey(Schema.NullOr(Filter)),
  actions: Schema.optionalKey(ActionList),
  timezone: Schema.optionalKey(token),
  on_failure_automation_id: Schema.optionalKey(Schema.NullOr(OnFailure)),
  ...settings,
  tags: Schema.optionalKey(Schema.NullOr(Tags))
})
export type UpdateBody = typeof UpdateBody.Type

/** Body of `POST /automation/{id}/duplicate`. */
export const DuplicateBody = Schema.Struct({
  name: Schema.optionalKey(Name),
  app_id: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0)))
})
export type DuplicateBody = typeof DuplicateBody.Type

/** Body of `POST /automation/schedule/preview`. */
export const SchedulePreviewBody = Schema.Struct({
  config: triggers.periodic.config,
  timezone: Schema.optionalKey(token.annotate({ description: "IANA zone of the automation; `UTC` when left out" }))
})

export type Decoded<A> = Result.Result<A, InputInvalid | ValidationError>

const strict = { onExcessProperty: "error", errors: "first", reportInput: true } as const

/** Maximum of values in a body for which all mistakes are searched (ten of them are named); for a larger one only the first is. */
const ALL_NAMED = 1_000

const boundsBySchema = new WeakMap<object, Look>()
const lookOf = (schema: Schema.Constraint): Look => {
  const cachedBounds = boundsBySchema.get(schema)
  if (cachedBounds !== undefined) return cachedBounds
  const schemaBounds = bounds(schema)
  boundsBySchema.set(schema, schemaBounds)
  return schemaBounds
}

/** Decodes a body by its schema alone; the message lists every mistake with its path. */
export const decodeShape = <A>(schema: Schema.Codec<A, any>, body: unknown): Decoded<A> => {
  const raw = rawMistakes(body)
  if (raw.length > 0) return Result.fail(new InputInvalid({ message: mistakesText(raw, body) }))
  const many = rawLimitMistakes(body)
  if (many.length > 0) return Result.fail(new ValidationError({ message: mistakesText(many, body) }))
  const excess = lookOf(schema)(body)
  if (excess !== undefined) return Result.fail(new InputInvalid({ message: mistakesText([excess], body) }))
  const firstResult = Schema.decodeUnknownResult(schema, strict)(body)
  const result =
    Result.isFailure(firstResult) && countNodes(body, ALL_NAMED) <= ALL_NAMED
      ? Schema.decodeUnknownResult(schema, { ...strict, errors: "all" })(body)
      : firstResult
  return Result.mapError(result, (error) => {
    const mistakes = schemaMistakes(error.issue)
    const tracking = mistakes.filter((mistake) => isChangeTracking(mistake, body))
    if (tracking.length > 0)
      return new ValidationError({ message: mistakesText(tracking.map(changeTrackingHint), body) })
    const hintedMistakes = mistakes.map(readOnlyHint).map((mistake) => secretHint(mistake, body))
    return new InputInvalid({ message: mistakesText(hintedMistakes, body) })
  })
}

const assigned = new Set(Object.values(triggers).flatMap((spec) => Object.keys(spec.readOnly)))
const ofAutomation = new Set(
  "id app_id workspace_id status paused paused_reason broken broken_reason version owner_id created_at updated_at".split(
    " "
  )
)
const readOnlyHint = (mistake: Mistake): Mistake => {
  const key = String(mistake.path.at(-1))
  const readOnly =
    mistake.path.length === 1 ? ofAutomation.has(key) : assigned.has(key) && mistake.path.includes("config")
  return readOnly && mistake.message.startsWith("unknown key")
    ? { ...mistake, message: "is assigned by the service and cannot be written" }
    : mistake
}

/** Explains that a secret is not allowed where its value could be read back (developer-api.md 7.13). */
const secretHint = (mistake: Mistake, body: unknown): Mistake => {
  let value: unknown = body
  for (const key of mistake.path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key]
  if (mistake.path.at(-1) !== "source" || value !== "secret") return mistake
  const message =
    "a secret may stand in the address, headers and body of HTTP requests, in the subject and message of mails, and in custom_code; here it could be read back"
  return { path: mistake.path, message }
}

interface Parts {
  readonly name?: string
  readonly trigger?: AnyTrigger | null
  readonly filter?: FilterGroup | null
  readonly actions?: ReadonlyArray<Action>
  readonly timezone?: string
  readonly tags?: ReadonlyArray<string> | null
}

/** Checks the rules of the text on a well-formed body, then returns the stored form of the parts that were sent. */
const finish = <P extends Parts>(parts: P, body: unknown, mint: Mint): Decoded<P> => {
  const definition: Definition = {
    trigger: parts.trigger ?? null,
    filter: parts.filter ?? null,
    actions: parts.actions ?? []
  }
  const kept = {
    ...parts,
    ...(parts.trigger ? { trigger: normalizeTrigger(parts.trigger, mint) } : {}),
    ...(parts.filter ? { filter: normalizeFilter(parts.filter, mint) } : {}),
    ...(parts.actions ? { actions: parts.actions.map(normalizeAction(mint)) } : {}),
    ...(parts.tags === null ? { tags: [] } : {})
  }
  const mistakes = [
    ...ruleMistakes(definition, parts.timezone),
    ...repeatedTags(parts.tags ?? []),
    ...limitMistakes({ ...definition, ...kept } as Definition)
  ]
  return mistakes.length === 0
    ? Result.succeed(kept)
    : Result.fail(new ValidationError({ message: mistakesText(mistakes, body) }))
}

function* ruleMistakes(definition: Definition, timezone: string | undefined): Iterable<Mistake> {
  if (timezone !== undefined && !isZone(timezone)) {
    yield { path: ["timezone"], message: `${JSON.stringify(timezone)} is no IANA time zone` }
  }
  if (definition.filter !== null) yield* filterMistakes(definition.filter, ["filter"], false)
  yield* actionMistakes(definition.actions, ["actions"])
  yield* duplicateIds(definition)
}

function* actionMistakes(list: ReadonlyArray<Action>, path: Path): Iterable<Mistake> {
  for (const [index, action] of list.entries()) {
    const config = [...path, index, "config"]
    const { refuses, statuses } = actionSpec(action.type)
    const refusal = refuses?.(action.config)
    if (refusal !== undefined) yield { path: config, message: refusal }
    for (const { key, message } of action.retry === undefined ? [] : retryMistakes(action.retry, statuses === true)) {
      yield { path: [...path, index, "retry", key], message }
    }
    for (const filter of actionFilters(action)) yield* filterMistakes(filter.group, [...config, ...filter.path], true)
    for (const rows of rowsOf(action)) yield* actionMistakes(rows.actions, [...config, rows.key])
  }
}

/** A legacy integer `app_id` in a trigger's config is accepted and discarded (developer-api.md 7.5). */
const dropLegacyAppId = (trigger: unknown): unknown => {
  if (!isPlainObject(trigger) || !isPlainObject(trigger["config"])) return trigger
  const { app_id, ...config } = trigger["config"]
  return Number.isSafeInteger(app_id) ? { ...trigger, config } : trigger
}
const prepareBody = (body: unknown): unknown =>
  isPlainObject(body)
    ? {
        ...body,
        ...("trigger" in body ? { trigger: dropLegacyAppId(body["trigger"]) } : {}),
        ...("tags" in body ? { tags: spelledTags(body["tags"]) } : {})
      }
    : body

export const decodeCreate = (body: unknown, mint: Mint): Decoded<CreateBody> =>
  Result.flatMap(decodeShape(CreateBody, prepareBody(body)), (parts) => finish(parts, body, mint))

export const decodeUpdate = (body: unknown, mint: Mint): Decoded<UpdateBody> =>
  Result.flatMap(decodeShape(UpdateBody, prepareBody(body)), (parts) => finish(parts, body, mint))

/** Body of `PUT /automation/{id}/trigger`: the whole body is the trigger. */
export const decodeTrigger = (body: unknown, mint: Mint): Decoded<AnyTrigger> =>
  Result.flatMap(decodeShape(TriggerInput, dropLegacyAppId(body)), (trigger) =>
    Result.map(finish({ trigger }, body, mint), (parts) => parts.trigger)
  )
