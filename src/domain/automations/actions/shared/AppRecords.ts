// Finds records of an app that match a condition (service.md 2.7 collect_app_records; decisions A6, A13): narrowed in SQL, decided by the
// evaluator, oldest first, read in pages until enough are found.
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { formatDateTimeOrNull } from "../../../../platform/primitives/dates.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { makeSelection } from "../../../records/listing/recordSelect.ts"
import type { AppDefinition } from "../../../records/model/AppDefinition.ts"
import { factsOf, type RecordRow } from "../../../records/model/RecordRow.ts"
import { shownTitle } from "../../../records/model/recordTitle.ts"
import { Matching } from "../../filter/evaluateMany.ts"
import { makeNarrow, type NarrowingTarget } from "../../filter/sqlNarrowing.ts"
import type { Condition, FilterGroup } from "../../model/Definition.ts"
import type { RecordState, RunScope } from "../../model/RunScope.ts"
import type { StepFailed } from "../../model/Step.ts"
import { metaKinds } from "../../schema/operators.ts"
import { PAGE } from "./filterByPage.ts"

const stateOfRow = (row: RecordRow, { item_name }: AppDefinition): RecordState => ({
  ...factsOf(row),
  record_id: row.record_id,
  app_id: row.app_id,
  revision: row.revision,
  title: shownTitle(row.title, item_name, row.app_record_id),
  cells: row.cells,
  comment_count: row.comment_count,
  deleted_on: formatDateTimeOrNull(row.deleted_on)
})

/** Returns the subject of a condition on the collected record (A13), if SQL can evaluate it. */
export const targetIn =
  (definition: AppDefinition) =>
  ({ subject }: Condition): NarrowingTarget | undefined => {
    if (subject.source === "field" && !subject.previous && !subject.triggering) {
      const field = definition.byId.get(subject.field_id)
      return field === undefined ? undefined : { field }
    }
    if (subject.source === "meta" && subject.previous !== true && subject.triggering !== true) {
      const isSameApp = subject.app_id === undefined || subject.app_id === definition.app_id
      if (isSameApp && subject.meta_type in metaKinds) return { meta: subject.meta_type as keyof typeof metaKinds }
    }
    return undefined
  }

export class AppRecords extends Context.Service<
  AppRecords,
  {
    /** Returns live records of the app that match as collected ones, at most `limit`; null matches all. */
    readonly matching: (
      definition: AppDefinition,
      group: FilterGroup | null,
      limit: number,
      scope: RunScope
    ) => Effect.Effect<ReadonlyArray<RecordState>, StepFailed | SqlError>
  }
>()("millrace/automations/actions/AppRecords") {
  static readonly layer = Layer.effect(
    AppRecords,
    Effect.gen(function* () {
      const sql = yield* Sql
      const selection = yield* makeSelection
      const { keep, prepare } = yield* Matching
      const narrow = makeNarrow(sql)

      const matching = Effect.fnUntraced(function* (
        definition: AppDefinition,
        group: FilterGroup | null,
        limit: number,
        scope: RunScope
      ) {
        const preparedFilter = group === null ? undefined : yield* prepare(group, scope)
        const also =
          group === null || preparedFilter === undefined
            ? null
            : narrow(group, { prepared: preparedFilter, target: targetIn(definition) })
        const recordQuery = { definition, conditions: [], order: "oldest" as const, ...(also === null ? {} : { also }) }
        const matchingRecords: Array<RecordState> = []
        let cursorId: number | null = null
        for (;;) {
          const rows: ReadonlyArray<RecordRow> = yield* selection.rows(
            recordQuery,
            cursorId === null ? null : { id: cursorId },
            group === null ? limit : PAGE
          )
          const states = rows.map((row) => stateOfRow(row, definition))
          matchingRecords.push(...(yield* keep(group, scope, states, preparedFilter)))
          if (matchingRecords.length >= limit || group === null || rows.length < PAGE)
            return matchingRecords.slice(0, limit)
          cursorId = rows.at(-1)!.record_id
        }
      })

      return AppRecords.of({ matching })
    })
  )
}
