// Converts field assignments into write input: every assignable type, `set` and `set_code` (developer-api.md 7.7 "Field assignments", 3.2).
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { momentOfInstant } from "../../../../platform/primitives/dates.ts"
import { wallOf } from "../../../../platform/primitives/zones.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { inTransaction } from "../../../../platform/sql/transact.ts"
import type { Field } from "../../../records/fields/model/Field.ts"
import { fieldTypes, typeOf } from "../../../records/fields/registry.ts"
import type { FieldInputs } from "../../../records/writing/fieldInputs.ts"
import type { IdOrReference, Reference, Template } from "../../model/Definition.ts"
import { type ResolvedDate, Values } from "../../model/Resolver.ts"
import type { RunScope } from "../../model/RunScope.ts"
import { RunVisibility } from "../../model/RunVisibility.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import type { AssignedKind, AssignedValue, DateSource, FieldAssignment } from "../../schema/fieldAssignments.ts"
import { Sources } from "../../values/referencedRecords.ts"
import { json } from "../../values/resolveData.ts"
import { ValueParts } from "../../values/resolveLayer.ts"
import { entriesOf, templateOf } from "../../values/resolveProperty.ts"
import { References } from "../../values/resolveReference.ts"
import { Scripts } from "../../values/resolveScript.ts"
import { RunFiles } from "./RunFiles.ts"

const blank = (text: string) => text.trim() === ""
const orNull = <A>(list: ReadonlyArray<A>) => (list.length === 0 ? null : list)

export class Assignments extends Context.Service<
  Assignments,
  {
    /** Returns input for the record writer by field; `null` clears, missing fields stay. */
    readonly inputs: (
      assignments: ReadonlyArray<FieldAssignment>,
      appId: number,
      step: Step
    ) => Effect.Effect<FieldInputs, StepFailed | SqlError>
    /**
     * Prefetches what assignments to the step's own record read first. Does nothing inside of a transaction, which would have to wait for
     * it.
     */
    readonly ahead: (step: Step) => Effect.Effect<void, StepFailed | SqlError>
  }
>()("millrace/automations/actions/Assignments") {
  static readonly layer = Layer.effect(
    Assignments,
    Effect.gen(function* () {
      const sql = yield* Sql
      const values = yield* Values
      const references = yield* References
      const scripts = yield* Scripts
      const sources = yield* Sources
      const runFiles = yield* RunFiles
      const visibility = yield* RunVisibility

      const text = Effect.fnUntraced(function* (template: Template, scope: RunScope) {
        const renderedText = yield* values.text(template, scope)
        return blank(renderedText) ? null : renderedText
      })

      /** Returns texts of one entry each; a single reference may give several. */
      const texts = Effect.fnUntraced(function* (template: Template, scope: RunScope) {
        const items = template.filter((item) => typeof item !== "string" || !blank(item))
        const [only] = items
        if (items.length === 1 && typeof only === "object" && only.kind === "variable") {
          const data = yield* references.data(only, scope)
          const entryValues = entriesOf(data, only.property ?? "all", yield* references.context([data], scope))
          if (Array.isArray(entryValues)) return entryValues.map(String).filter((it) => !blank(it))
        }
        const singleText = yield* text(template, scope)
        return singleText === null ? [] : [singleText]
      })

      /** Returns ids; for options also texts, which the field matches with its own. */
      const choices = Effect.fnUntraced(function* (items: ReadonlyArray<IdOrReference>, field: Field, scope: RunScope) {
        const out = new Set<number | string>()
        const { kind: of, multiple, refersTo: kind } = typeOf(field)
        const options = of === "options"
        for (const item of items) {
          if (typeof item === "number") {
            if (kind !== undefined) yield* visibility[kind](scope, [item])
            out.add(item)
            continue
          }
          const data = yield* references.data(item, scope)
          const context = yield* references.context([data], scope)
          const isSameField = data.type === "cells" && data.field.field_id === field.field_id
          const ids = yield* references.ids(data, scope, kind)
          const foreignOption = data.type === "cells" && !isSameField && typeOf(data.field).kind === "options"
          if (!options || isSameField || (ids.length > 0 && !foreignOption)) for (const id of ids) out.add(id)
          else {
            const entryValues = entriesOf(data, item.property, context)
            const named = Array.isArray(entryValues) ? entryValues : [templateOf(data, item.property, context).text]
            for (const entryValue of named) if (!blank(String(entryValue))) out.add(String(entryValue))
          }
        }
        return multiple ? orNull([...out]) : ([...out][0] ?? null)
      })

      const files = Effect.fnUntraced(function* (refs: ReadonlyArray<Reference>, step: Step) {
        const out = new Set<number>()
        for (const ref of refs) {
          const data = yield* references.data(ref, step)
          for (const id of yield* references.ids(data, step, "files")) out.add(id)
        }
        yield* runFiles.hold(step, [...out])
        return [...out]
      })

      /** Adapts a date to the field's `time` setting: a time is dropped or added in the automation's zone. */
      const fitted = (date: ResolvedDate, field: Field, scope: RunScope): string => {
        const { time } = field.settings as { readonly time: "disabled" | "enabled" | "required" }
        if (date.timed && time === "disabled") return wallOf(date.at.getTime(), scope.automation.timezone).day
        return !date.timed && time === "required" ? momentOfInstant(date.at.getTime()) : date.text
      }

      const dates = Effect.fnUntraced(function* (
        { end, start }: { readonly start: DateSource; readonly end?: DateSource },
        field: Field,
        scope: RunScope
      ) {
        const from = yield* values.date(start, scope)
        const to = end === undefined ? null : yield* values.date(end, scope)
        if (to !== null && typeOf(field).range !== true) {
          return yield* new StepFailed({
            message: `field_assignment_end_date_disabled: fields.${field.slug} has no end.`
          })
        }
        if (from === null) return null
        if (to === null) return { start: fitted(from, field, scope) }
        const [first, last] = [fitted(from, field, scope), fitted(to, field, scope)]
        if (first.length === last.length) return { start: first, end: last }
        // Only one side has a time: the other gets midnight of the automation's zone.
        return { start: momentOfInstant(from.at.getTime()), end: momentOfInstant(to.at.getTime()) }
      })

      const checklist = Effect.fnUntraced(function* (entries: AssignedValue<"checklist">, scope: RunScope) {
        const out: Array<Record<string, unknown>> = []
        for (const entry of entries) {
          const title = yield* text(entry.title, scope)
          if (title === null) continue
          const due = entry.due_at === undefined ? null : yield* values.date(entry.due_at, scope)
          const [assignee] = entry.assignee === undefined ? [] : yield* values.ids([entry.assignee], scope)
          out.push({
            title: title.trim(),
            ...(entry.description === undefined ? {} : { description: yield* values.text(entry.description, scope) }),
            ...(due === null ? {} : { due_at: due.text }),
            ...(assignee === undefined ? {} : { assignee }),
            completed: entry.completed ?? false
          })
        }
        return orNull(out)
      })

      const contacts = Effect.fnUntraced(function* (entries: AssignedValue<"contacts">, key: string, scope: RunScope) {
        const out: Array<Record<string, unknown>> = []
        for (const { type, value } of entries) {
          for (const contactText of yield* texts(value, scope)) {
            out.push({ [key]: contactText.trim(), ...(type === undefined ? {} : { type }) })
          }
        }
        return orNull(out)
      })

      const template = (value: Template, _: Field, step: Step) => text(value, step)

      /** Converters of a step's `set` values, by kind of data. */
      const set: {
        readonly [K in AssignedKind]: (
          value: AssignedValue<K>,
          field: Field,
          step: Step
        ) => Effect.Effect<unknown, StepFailed | SqlError>
      } = {
        text: template,
        location: template,
        number: Effect.fnUntraced(function* (value, _, step) {
          const number = yield* values.code(value, step)
          return typeof number === "string" && blank(number) ? null : number
        }),
        options: choices,
        records: choices,
        users: choices,
        dates,
        checklist: (value, _, step) => checklist(value, step),
        contacts: (value, field, step) => contacts(value, typeOf(field).type, step),
        links: Effect.fnUntraced(function* (value, _, step) {
          const links = yield* Effect.forEach(value, (link) => texts(link, step))
          return orNull(links.flat())
        }),
        files: Effect.fnUntraced(function* (value, field, step) {
          const fileIds = yield* files(value, step)
          return typeOf(field).multiple ? orNull(fileIds) : (fileIds[0] ?? null)
        })
      }

      const inputs = Effect.fnUntraced(function* (
        assignments: ReadonlyArray<FieldAssignment>,
        appId: number,
        step: Step
      ) {
        if (assignments.length === 0) return {}
        const definition = yield* sources.definition(appId, step)
        const out: Record<string, unknown> = {}
        for (const assignment of assignments) {
          const { field_id } = assignment.variable_def
          const field = definition?.byId.get(field_id)
          if (field === undefined) {
            return yield* new StepFailed({ message: `App ${appId} has no field ${field_id}.` })
          }
          if (field.field_type !== assignment.field_type) {
            const message = `fields.${field.slug}: is of type ${field.field_type}, not ${assignment.field_type}`
            return yield* new StepFailed({ message })
          }
          // Uses the name that the API's own answers use, since the automation's builder reads the writer's errors.
          if (assignment.assignment_type === "set") {
            const kind: AssignedKind = fieldTypes[assignment.field_type].kind
            out[field.slug] = yield* set[kind](assignment.field_value as never, field, step)
          } else {
            const result = yield* scripts.evaluate(assignment.code, step)
            for (const { level, message } of result.messages) step.log.add(level, message)
            const kind = typeOf(field).refersTo
            if (kind !== undefined) yield* references.ids(json(result.value), step, kind)
            if (!result.undefined) out[field.slug] = result.value
          }
          step.log.input(field.label, out[field.slug])
        }
        return out
      })

      const prefetch = Effect.fnUntraced(function* (step: Step) {
        if (yield* inTransaction(sql)) return
        yield* Effect.all([step.current, sources.definition(step.automation.app_id, step)], {
          concurrency: "unbounded",
          discard: true
        })
      })

      return Assignments.of({ inputs, ahead: prefetch })
    })
  ).pipe(Layer.provide(ValueParts))
}
