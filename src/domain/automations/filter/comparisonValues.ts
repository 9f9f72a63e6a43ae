// Resolves comparison values into the form that comparison.ts compares (service.md 2.7 "Value union"; decisions A8, A9). Null: resolved to
// nothing.

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { addDays, dayStart } from "../../../platform/primitives/calendar.ts"
import { AFTER_ALL, formatDate, formatDateTime } from "../../../platform/primitives/dates.ts"
import { toInstant, toLocal } from "../../../platform/primitives/zones.ts"
import { numberOf } from "../../records/fields/input/numbers.ts"
import type { AnyOption } from "../../records/fields/kinds/optionFields.ts"
import type { Field } from "../../records/fields/model/Field.ts"
import { typeOf } from "../../records/fields/registry.ts"
import type { Condition, FilterValue, IdOrReference, RelativeDate } from "../model/Definition.ts"
import { type ResolvedDate, Values } from "../model/Resolver.ts"
import type { RunScope } from "../model/RunScope.ts"
import { StepFailed } from "../model/Step.ts"
import { valuesIn } from "../schema/walk.ts"
import { Sources } from "../values/referencedRecords.ts"
import { idsOf } from "../values/resolveIds.ts"
import { ValueParts } from "../values/resolveLayer.ts"
import { templateOf } from "../values/resolveProperty.ts"
import { References } from "../values/resolveReference.ts"
import { Scripts } from "../values/resolveScript.ts"
import { type DateOperand, type Operand, plain } from "./comparison.ts"

const DAY = 86_400_000
const dayOf = (local: number): number => Math.floor(local / DAY) * DAY

/** Formats an instant so that the texts sort like the instants. */
const sorted = (at: number, text: (date: Date) => string): string => {
  const date = new Date(at)
  return date.getUTCFullYear() > 9999 ? AFTER_ALL : text(date)
}

/** Returns the day of a date in the zone, and its instant if hours are compared. */
export const dateOperand = (date: ResolvedDate, unit: RelativeDate["unit"], zone: string): DateOperand => {
  const local = date.timed ? dayOf(toLocal(date.at.getTime(), zone)) : dayStart(date.text)
  const startOfDay = (day: number) => sorted(toInstant(day, zone, "moved"), formatDateTime)
  return {
    day: sorted(local, formatDate),
    from: startOfDay(local),
    to: startOfDay(addDays(local, 1)),
    ...(unit === "hour" ? { instant: sorted(date.at.getTime(), formatDateTime) } : {})
  }
}

const hasOptions = (field: Field) => typeOf(field).kind === "options"

export class Operands extends Context.Service<
  Operands,
  {
    readonly of: (row: Condition, scope: RunScope) => Effect.Effect<Operand | null, StepFailed | SqlError>
    /** True if the value may differ from one collected record to the next. */
    readonly varies: (row: Condition, scope: RunScope) => Effect.Effect<boolean, StepFailed | SqlError>
  }
>()("millrace/automations/filter/Operands") {
  static readonly layer = Layer.effect(
    Operands,
    Effect.gen(function* () {
      const values = yield* Values
      const references = yield* References
      const scripts = yield* Scripts
      const sources = yield* Sources

      /** Returns the subject's field if its options can be named by their text. */
      const optionField = Effect.fnUntraced(function* ({ subject }: Condition, scope: RunScope) {
        if (subject.source !== "field") return undefined
        const appId = yield* sources.appOfField(subject.field_id)
        const definition = appId === undefined ? null : yield* sources.definition(appId, scope)
        const field = definition?.byId.get(subject.field_id)
        return field !== undefined && hasOptions(field) ? field : undefined
      })

      const idsOfItems = Effect.fnUntraced(function* (
        items: ReadonlyArray<IdOrReference>,
        row: Condition,
        scope: RunScope
      ) {
        const out = new Set<number>()
        for (const item of items) {
          if (typeof item === "number") {
            out.add(item)
            continue
          }
          const data = yield* references.data(item, scope)
          const context = yield* references.context([data], scope)
          const field = yield* optionField(row, scope)
          const foreign = data.type !== "cells" || data.field.field_id !== field?.field_id
          if (field !== undefined && foreign) {
            // A value from another field's option or from plain text selects the option of the same text.
            const options = (field.settings as { readonly options: ReadonlyArray<AnyOption> }).options
            const texts =
              data.type === "json" && Array.isArray(data.value)
                ? data.value
                : [templateOf(data, item.property, context).text]
            const optionTexts = new Set(texts.map((text) => String(text)))
            for (const option of options) if (optionTexts.has(option.text)) out.add(option.id)
            if (data.type === "cells" && hasOptions(data.field)) continue
          }
          for (const id of idsOf(data, context.found)) out.add(id)
        }
        return [...out]
      })

      const number = Effect.fnUntraced(function* (
        code: Extract<FilterValue, { type: "number" }>["number"],
        scope: RunScope
      ) {
        const { value } = yield* scripts.evaluate(code, scope)
        if (value === null || (typeof value === "string" && value.trim() === "")) return null
        const parsedNumber = numberOf(value)
        return (
          parsedNumber ??
          (yield* new StepFailed({ message: `A comparison value is not a number: ${JSON.stringify(value)}` }))
        )
      })

      const operandOf = Effect.fnUntraced(function* (
        row: Condition,
        scope: RunScope
      ): Effect.fn.Return<Operand | null, StepFailed | SqlError> {
        const { value } = row
        switch (value?.type) {
          case "text": {
            const text = plain(yield* values.text(value.text, scope))
            return text === "" ? null : { type: "text", text }
          }
          case "number": {
            const operandNumber = yield* number(value.number, scope)
            return operandNumber === null ? null : { type: "number", number: operandNumber }
          }
          case "ids": {
            const ids = yield* idsOfItems(value.ids, row, scope)
            return ids.length === 0 ? null : { type: "ids", ids }
          }
          case "date": {
            const date = yield* values.date(value.date, scope)
            if (date === null) return null
            return { type: "date", date: dateOperand(date, value.date.unit, scope.automation.timezone) }
          }
          case "boolean":
            return { type: "boolean", boolean: value.boolean }
          case "entity_type":
            return { type: "entity_type", entity_type: value.entity_type }
          case undefined:
            return null
        }
      })

      const varies = Effect.fnUntraced(function* (row: Condition, scope: RunScope) {
        for (const item of valuesIn(row.value)) {
          if (item.kind !== "variable" || (item.source !== "field" && item.source !== "meta")) continue
          if (item.previous === true || item.triggering === true) continue
          if (item.collection === true) return true
          const appId = item.source === "meta" ? item.app_id : yield* sources.appOfField(item.field_id)
          // A reference to the own app means the collected record if there is no current record.
          if (appId !== scope.automation.app_id || (yield* scope.current) === null) return true
        }
        return false
      })

      return Operands.of({ of: operandOf, varies })
    })
  ).pipe(Layer.provide(ValueParts))
}
