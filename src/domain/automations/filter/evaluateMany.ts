// Evaluates filters over scopes (decisions A6 to A8, A13): one scope, or one per collected record. It looks up in batches everything that
// the filters read; evaluateTree decides.
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { inSlices, makeGivingWay } from "../../../platform/primitives/slices.ts"
import type { Condition, FilterGroup, ScriptCondition } from "../model/Definition.ts"
import { type RecordState, type RunScope, withCollected } from "../model/RunScope.ts"
import type { StepFailed } from "../model/Step.ts"
import { isChange } from "../schema/Filter.ts"
import { operators } from "../schema/operators.ts"
import { referenceLabel } from "../schema/referenceLabels.ts"
import { valuesIn } from "../schema/walk.ts"
import { Sources } from "../values/referencedRecords.ts"
import type { Data } from "../values/resolveData.ts"
import { ValueParts } from "../values/resolveLayer.ts"
import { References } from "../values/resolveReference.ts"
import { Scripts } from "../values/resolveScript.ts"
import { type ComparedSubject, decideAll, type Operand } from "./comparison.ts"
import { Operands } from "./comparisonValues.ts"
import { conditionsOf, evaluate } from "./evaluateTree.ts"
import { looksUp, subjectsOf } from "./subjectValues.ts"

type Judged<A> = Effect.Effect<A, StepFailed | SqlError>

/** Comparison value of each condition; `each`: another value for every collected record. */
export type Prepared = ReadonlyMap<Condition, Operand | null | "each">

/** Subjects of the scopes, keyed by what a condition reads of them (`askedBy`): for each scope its subjects. */
export type SeenSubjects = Map<string, ReadonlyArray<ReadonlyArray<ComparedSubject>>>

const keyByCondition = new WeakMap<Condition, string>()
/** Key that is equal for conditions which read the same of a scope. */
const askedBy = (row: Condition): string => {
  const cachedKey = keyByCondition.get(row)
  if (cachedKey !== undefined) return cachedKey
  const conditionKey = JSON.stringify([row.subject, isChange(row) ? "change" : (row.value?.type ?? null)])
  keyByCondition.set(row, conditionKey)
  return conditionKey
}

export class Matching extends Context.Service<
  Matching,
  {
    /** Resolves once the comparison values that hold for all collected records. */
    readonly prepare: (group: FilterGroup, scope: RunScope) => Judged<Prepared>
    /**
     * Returns which of the scopes match, in their order.
     * @param seen cache for several filters over these very scopes
     */
    readonly judge: (
      group: FilterGroup | null,
      scopes: ReadonlyArray<RunScope>,
      prepared?: Prepared,
      seen?: SeenSubjects
    ) => Judged<ReadonlyArray<boolean>>
    /** Returns the records that match as collected ones, in their order. */
    readonly keep: (
      group: FilterGroup | null,
      scope: RunScope,
      records: ReadonlyArray<RecordState>,
      prepared?: Prepared
    ) => Judged<ReadonlyArray<RecordState>>
  }
>()("millrace/automations/filter/Matching") {
  static readonly layer = Layer.effect(
    Matching,
    Effect.gen(function* () {
      const references = yield* References
      const scripts = yield* Scripts
      const operands = yield* Operands
      const sources = yield* Sources

      const takesValue = (row: Condition) => !isChange(row) && operators[row.operator].arity !== "none"

      /** True if the triggering change has changed the subject. */
      const hasChanged = ({ subject }: Condition, { trigger }: RunScope) =>
        subject.source === "field" && trigger.changed?.includes(subject.field_id) === true

      /** Logs that a condition is left out, and why (A27). */
      const tellLeftOut = Effect.fnUntraced(function* (row: Condition, scope: RunScope) {
        const labels = new Map<number, string>()
        for (const reference of [row.subject, ...valuesIn(row.value)]) {
          if (reference.kind !== "variable" || reference.source !== "field") continue
          const appId = yield* sources.appOfField(reference.field_id)
          const field = appId === undefined ? undefined : yield* sources.knownField(reference.field_id, appId, scope)
          if (field !== undefined) labels.set(reference.field_id, field.label)
        }
        const nameOf = (one: Parameters<typeof referenceLabel>[0]) => referenceLabel(one, (id) => labels.get(id))
        const values = [...new Set([...valuesIn(row.value)].map(nameOf))].join(", ")
        scope.onLeftOut?.(
          `The condition on ${nameOf(row.subject)} is left out, since ${values === "" ? "its value" : values} is empty: every record matches it.`
        )
      })

      const resolved = Effect.fnUntraced(function* (row: Condition, scope: RunScope) {
        const operand = yield* operands.of(row, scope)
        if (operand === null && scope.onLeftOut !== undefined) yield* tellLeftOut(row, scope)
        return operand
      })

      const prepare = Effect.fnUntraced(function* (group: FilterGroup, scope: RunScope) {
        const preparedFilter = new Map<Condition, Operand | null | "each">()
        for (const row of conditionsOf(group)) {
          const varies = takesValue(row) && (yield* operands.varies(row, scope))
          preparedFilter.set(row, varies ? "each" : takesValue(row) ? yield* resolved(row, scope) : null)
        }
        return preparedFilter
      })

      const evaluateScopes = Effect.fnUntraced(function* (
        group: FilterGroup | null,
        scopes: ReadonlyArray<RunScope>,
        known?: Prepared,
        seen: SeenSubjects = new Map()
      ) {
        if (group === null || group.rows.length === 0 || scopes.length === 0) return scopes.map(() => true)
        const preparedFilter = known ?? (yield* prepare(group, scopes[0]!))
        const rows = [...preparedFilter.keys()]
        const data = new Map<string, { readonly row: Condition; readonly of: ReadonlyArray<Data> }>()
        for (const row of rows) {
          const key = askedBy(row)
          if (seen.has(key) || data.has(key)) continue
          const scopeData = yield* Effect.forEach(scopes, (scope) => references.data(row.subject, scope, "subject"))
          data.set(key, { row, of: scopeData })
        }
        const lookupData = [...data.values()]
          .flatMap(({ of }) => of)
          .filter((it) => it.type === "cells" && looksUp(it.field))
        const foundEntities = yield* references.found(lookupData, scopes[0]!)
        for (const [key, { of, row }] of data) {
          const subjects = isChange(row)
            ? []
            : yield* inSlices(of, (it) => subjectsOf(row.subject, it, foundEntities, row.value?.type))
          seen.set(key, subjects)
        }
        const decided = new Map<Condition, ReadonlyArray<boolean | undefined>>()
        const givingWay = makeGivingWay()
        for (const row of rows) {
          yield* givingWay
          if (isChange(row)) {
            const changed = scopes.map((scope) => hasChanged(row, scope))
            decided.set(row, changed)
            continue
          }
          const fixed = preparedFilter.get(row)!
          const compared = fixed === "each" ? yield* Effect.forEach(scopes, (scope) => resolved(row, scope)) : undefined
          decided.set(
            row,
            yield* inSlices(seen.get(askedBy(row))!, (subject, index) =>
              decideAll(subject, row.operator, compared === undefined ? (fixed as Operand | null) : compared[index]!)
            )
          )
        }
        return yield* ask(group, scopes, decided)
      })

      /** Runs the scripts that still matter, each over all the scopes that wait for it, until every scope is decided. */
      const ask = Effect.fnUntraced(function* (
        group: FilterGroup,
        scopes: ReadonlyArray<RunScope>,
        decided: ReadonlyMap<Condition, ReadonlyArray<boolean | undefined>>
      ) {
        const answers = new Map<ScriptCondition, Map<number, boolean>>()
        for (;;) {
          const results = yield* inSlices(scopes, (_, index) =>
            evaluate(group, {
              condition: (row) => decided.get(row)?.[index],
              script: (row) => answers.get(row)?.get(index)
            })
          )
          const pendingScripts = new Map<ScriptCondition, Array<number>>()
          for (const [index, result] of results.entries()) {
            if (typeof result === "object") pendingScripts.set(result, [...(pendingScripts.get(result) ?? []), index])
          }
          if (pendingScripts.size === 0) return results as ReadonlyArray<boolean>
          for (const [row, indexes] of pendingScripts) {
            const pendingScopes = indexes.map((index) => scopes[index]!)
            const values =
              pendingScopes.length === 1
                ? [(yield* scripts.evaluate(row.code, pendingScopes[0]!, "subject")).value]
                : yield* scripts.evaluateMany(row.code, pendingScopes, "subject")
            const scriptAnswers = answers.get(row) ?? new Map<number, boolean>()
            for (const [at, index] of indexes.entries()) scriptAnswers.set(index, Boolean(values[at]))
            answers.set(row, scriptAnswers)
          }
        }
      })

      const keep = Effect.fnUntraced(function* (
        group: FilterGroup | null,
        scope: RunScope,
        records: ReadonlyArray<RecordState>,
        prepared?: Prepared
      ) {
        const matches = yield* evaluateScopes(
          group,
          records.map((record) => withCollected(scope, record)),
          prepared
        )
        return records.filter((_, index) => matches[index])
      })

      return Matching.of({ prepare, judge: evaluateScopes, keep })
    })
  ).pipe(Layer.provide(Operands.layer), Layer.provide(ValueParts))
}
