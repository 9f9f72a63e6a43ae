// Resolves values at run time (developer-api.md 7.4): templates with their escaping, code values, references, ids, dates, iterables.
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { joinedAddresses } from "../../../platform/mail/addresses.ts"
import { placeholders } from "../../../platform/pdf/pdfDocument.ts"
import type { Cell, DateEntry } from "../../../platform/primitives/Cell.ts"
import { numberOf } from "../../records/fields/input/numbers.ts"
import { typeOf } from "../../records/fields/registry.ts"
import type { IdOrReference, Reference, RelativeDate, Template, TemplateWithSecrets } from "../model/Definition.ts"
import { type Iterable, type TextTarget, Values } from "../model/Resolver.ts"
import type { RunScope } from "../model/RunScope.ts"
import { RunSecrets } from "../model/RunSecrets.ts"
import { RunVisibility } from "../model/RunVisibility.ts"
import { type Step, StepFailed } from "../model/Step.ts"
import { LONG_CHARS, tooLong, VALUE_CHARS, written } from "../model/textBounds.ts"
import type { Constant, Property } from "../schema/dynamicValues.ts"
import { jsonWriter } from "./jsonWriter.ts"
import { Sources } from "./referencedRecords.ts"
import { authorData, type Data, json, named, recordsData } from "./resolveData.ts"
import { type Moment, relativeMoment, resolvedDate, storedMoment, todayIn, writtenMoment } from "./resolveDates.ts"
import { idsOf } from "./resolveIds.ts"
import { ValueParts } from "./resolveLayer.ts"
import { momentAt } from "./resolvePayload.ts"
import { codeOf, entriesOf, inCodeOf, templateOf } from "./resolveProperty.ts"
import { References } from "./resolveReference.ts"
import { Scripts } from "./resolveScript.ts"

/** Escapes in this order: the entities contain `&` themselves. */
const escapes = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"]
] as const
/** Uses split and join, since a replacer function called for each character takes three times as long. */
const escapeHtml = (text: string): string =>
  escapes.reduce((done, [sign, entity]) => (done.includes(sign) ? done.split(sign).join(entity) : done), text)

const escaped = ({ html, text }: { readonly text: string; readonly html: boolean }, target: TextTarget): string =>
  target === "url" ? encodeURIComponent(text.toWellFormed()) : target === "html" && !html ? escapeHtml(text) : text

const joinedFor = (target: TextTarget) =>
  target === "addresses" ? joinedAddresses : (texts: ReadonlyArray<string>) => texts.join("")

/** Returns the moment of the data's first value. */
const momentOf = (data: Data, property: Property | undefined, scope: RunScope): Moment | null => {
  if (data.type === "cells") {
    const entry = data.cells.flat()[0]
    if (entry === undefined) return null
    if (data.today === true) return todayIn(scope.now, scope.automation.timezone)
    if (typeOf(data.field).kind === "dates") {
      const { end, start } = entry as DateEntry
      const side = property?.startsWith("end") === true ? end : start
      if (side === undefined) return null
      const moment = storedMoment(side)
      // The property asks only for the day.
      if (!moment.timed || property?.includes("_date") !== true) return moment
      return writtenMoment(property.endsWith("_utc") ? side.slice(0, 10) : localDay(moment.at, scope), "UTC")
    }
    return typeof entry === "string" ? writtenMoment(entry, scope.automation.timezone) : null
  }
  return data.type === "json" ? momentAt(data.value) : null
}
const localDay = (at: number, { automation }: RunScope): string => {
  const today = todayIn(new Date(at), automation.timezone)
  return today.timed ? "" : today.day
}

const noSecrets: ReadonlyMap<string, string> = new Map()

const isTemplate = (value: unknown): value is Template => Array.isArray(value)

export const ValuesLive = Layer.effect(
  Values,
  Effect.gen(function* () {
    const references = yield* References
    const scripts = yield* Scripts
    const sources = yield* Sources
    const visibility = yield* RunVisibility
    const secrets = yield* RunSecrets

    const constant = Effect.fnUntraced(function* (value: Constant, scope: RunScope) {
      switch (value.value_type) {
        case "option": {
          const appId = yield* sources.appOfField(value.field_id)
          if (appId !== undefined) yield* visibility.apps(scope, [appId])
          const definition = appId === undefined ? null : yield* sources.definition(appId, scope)
          const field = definition?.byId.get(value.field_id)
          const cell: Cell = [value.option_id]
          return field === undefined ? null : ({ type: "cells", field, cells: [cell], list: false } satisfies Data)
        }
        case "user":
          return named("users", authorData({ type: "user", user_id: value.user_id }))
        case "record":
          return named("records", recordsData([value.record_id]))
        case "pdf":
          return { type: "html", html: placeholders[value.pdf] } satisfies Data
        case "date":
          return { type: "json", value: value.date } satisfies Data
        case "time":
          return { type: "json", value: value.time } satisfies Data
      }
    })
    const composed = Effect.fnUntraced(function* (
      template: TemplateWithSecrets,
      scope: RunScope,
      target: TextTarget,
      given: ReadonlyMap<string, string>,
      most: number
    ) {
      if (template.every((item) => typeof item === "string")) return joinedFor(target)(template)
      const parts: Array<{ readonly text: string } | { readonly data: Data; readonly property: Property | undefined }> =
        []
      for (const item of template) {
        if (typeof item === "string") parts.push({ text: item })
        else if (item.kind === "value") {
          const data = yield* constant(item, scope)
          if (data !== null) parts.push({ data, property: undefined })
        } else if (item.source === "secret") parts.push({ data: json(given.get(item.name)), property: undefined })
        else parts.push({ data: yield* references.data(item, scope), property: item.property })
      }
      const partData = parts.flatMap((part) => ("data" in part ? [part.data] : []))
      const context = yield* references.context(partData, scope)
      const writer = jsonWriter()
      // An address that a reference begins with has its scheme and host from there: encoded, it would be none.
      const origin = target === "url" ? parts[0] : undefined
      const texts = written(
        parts,
        (part) => {
          if ("text" in part) return target === "json" ? writer.literal(part.text) : part.text
          const shownText = templateOf(part.data, part.property, context)
          if (part === origin) return shownText.text
          return target === "json" ? writer.reference(shownText.text) : escaped(shownText, target)
        },
        most
      )
      return texts === null ? yield* tooLong("The text is", most) : joinedFor(target)(texts)
    })

    const text = (template: Template, scope: RunScope, target: TextTarget = "text") =>
      composed(template, scope, target, noSecrets, target === "html" ? LONG_CHARS : VALUE_CHARS)

    const textToSend = Effect.fnUntraced(function* (
      template: TemplateWithSecrets,
      step: Step,
      target: TextTarget = "text"
    ) {
      const names = template.flatMap((item) =>
        typeof item !== "string" && item.kind === "variable" && item.source === "secret" ? [item.name] : []
      )
      return yield* composed(template, step, target, yield* secrets.give(step, names), LONG_CHARS)
    })

    const reference = Effect.fnUntraced(function* (ref: Reference, scope: RunScope) {
      const data = yield* references.data(ref, scope)
      return codeOf(data, ref.property, yield* references.context([data], scope))
    })

    const ids = Effect.fnUntraced(function* (list: ReadonlyArray<IdOrReference>, scope: RunScope) {
      const out: Array<number> = []
      for (const item of list) {
        if (typeof item === "number") out.push(item)
        else {
          const data = yield* references.data(item, scope)
          out.push(...(yield* references.ids(data, scope)))
        }
      }
      return out
    })

    const fileIds = (ref: Reference, scope: RunScope) =>
      Effect.flatMap(references.data(ref, scope), (data) => references.ids(data, scope, "files"))

    const momentOfReference = Effect.fnUntraced(function* (ref: Reference, scope: RunScope) {
      return momentOf(yield* references.data(ref, scope), ref.property, scope)
    })

    const moment = Effect.fnUntraced(function* (
      value: RelativeDate | Template,
      scope: RunScope
    ): Effect.fn.Return<Moment | null, StepFailed | SqlError> {
      const zone = scope.automation.timezone
      if (isTemplate(value)) {
        const items = value.filter((item) => typeof item !== "string" || item.trim() !== "")
        const [only] = items
        if (items.length === 1 && only !== undefined && typeof only !== "string" && only.kind === "variable") {
          return yield* momentOfReference(only, scope)
        }
        const dateText = (yield* text(value, scope)).trim()
        if (dateText === "") return null
        return writtenMoment(dateText, zone) ?? (yield* new StepFailed({ message: `This is no date: ${dateText}` }))
      }
      const base = yield* momentOfReference(value.base, scope)
      if (base === null) return null
      const amount = (yield* scripts.evaluate(value.amount, scope)).value
      if (amount === null || (typeof amount === "string" && amount.trim() === "")) return null
      const number = numberOf(amount)
      if (number === null) {
        return yield* new StepFailed({ message: `The amount of a date is not a number: ${JSON.stringify(amount)}` })
      }
      const moved = relativeMoment(base, value.operator === "minus" ? -number : number, value.unit, zone)
      return moved ?? (yield* new StepFailed({ message: "A date lies beyond the years 100 to 9999." }))
    })

    const iterable = Effect.fnUntraced(function* (
      ref: Reference,
      scope: RunScope
    ): Effect.fn.Return<Iterable, StepFailed | SqlError> {
      const data = yield* references.data(ref, scope)
      const foundEntities = yield* references.found([data], scope)
      if (data.type === "cells") {
        const { kind, multiple } = typeOf(data.field)
        if (kind === "records") {
          const record_ids = idsOf(data, foundEntities)
          const app_id = foundEntities.records.get(record_ids[0] ?? 0)?.app_id ?? 0
          const output = ref.source === "action" ? yield* scope.output(ref.action_type, ref.app_id) : null
          return { type: "records", app_id: output?.app_id ?? app_id, record_ids }
        }
        if (data.cells.flat().length === 0) return { type: "values", values: [] }
        const inCode = inCodeOf(kind)
        if (data.list || multiple || inCode === "all") {
          const property = ref.property ?? (inCode === "first" ? "all" : undefined)
          const value = entriesOf(data, property, yield* references.context([data], scope))
          return { type: "values", values: Array.isArray(value) ? value : value === null ? [] : [value] }
        }
      }
      const value = entriesOf(data, ref.property, yield* references.context([data], scope))
      if (value === null || value === "") return { type: "values", values: [] }
      if (Array.isArray(value)) return { type: "values", values: value }
      return yield* new StepFailed({ message: `A value of type ${typeof value} cannot be iterated.` })
    })

    return Values.of({
      text,
      textToSend,
      code: (code, scope) => Effect.map(scripts.evaluate(code, scope), ({ value }) => value),
      reference,
      ids,
      fileIds,
      date: (value, scope) =>
        Effect.map(moment(value, scope), (it) => (it === null ? null : resolvedDate(it, scope.automation.timezone))),
      iterable
    })
  })
).pipe(Layer.provide(RunSecrets.layer.pipe(Layer.provideMerge(ValueParts))))
