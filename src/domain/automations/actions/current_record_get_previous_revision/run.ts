// `current_record_get_previous_revision` (developer-api.md 7.6): afterwards `previous` means the record before its current revision.
import { Effect, Schema } from "effect"
import type { Author } from "../../../../engine/outbox/Event.ts"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import { formatDateTime } from "../../../../platform/primitives/dates.ts"
import { jsonb } from "../../../../platform/sql/columns.ts"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { noMentions } from "../../../records/fields/model/Field.ts"
import { Lookups } from "../../../records/model/Lookups.ts"
import { shownTitle, titleOf } from "../../../records/model/recordTitle.ts"
import { mentionCells } from "../../../records/reading/render.ts"
import type { Delta } from "../../../records/writing/fieldInputs.ts"
import type { RecordState } from "../../model/RunScope.ts"
import { success } from "../../model/Step.ts"
import { Sources } from "../../values/referencedRecords.ts"
import { currentRecord, prepared, type StepOf } from "../runtime.ts"

const RevisionRow = Schema.Struct({
  revision: Schema.Int,
  delta: jsonb<Delta>(),
  created_on: Schema.Date,
  created_by: jsonb<Author>()
})

export const run = Effect.gen(function* () {
  const sql = yield* Sql
  const sources = yield* Sources
  const lookups = yield* Lookups

  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"current_record_get_previous_revision">) {
      const record = yield* currentRecord(step)
      const { revision } = record
      const rows = yield* rowsOf(RevisionRow)(sql`
        SELECT revision, delta, created_on, created_by FROM revisions
        WHERE record_id = ${record.record_id} AND revision IN (${revision}, ${revision - 1})`)
      const currentRow = rows.find((row) => row.revision === revision)
      const previousRow = rows.find((row) => row.revision === revision - 1)
      const definition = yield* sources.definition(record.app_id, step)
      if (revision === 0 || currentRow === undefined || previousRow === undefined || definition === null) {
        step.publishPrevious(null)
        step.log.add("info", "There is no revision before the current one.")
        return success
      }
      const cells: Record<string, Cell> = { ...record.cells }
      for (const [fieldId, { from }] of Object.entries(currentRow.delta)) {
        if (from.length === 0) delete cells[fieldId]
        else cells[fieldId] = from
      }
      const isFirstRevision = previousRow.revision === 0
      const previous: RecordState = {
        ...record,
        revision: previousRow.revision,
        cells,
        last_modified_on: isFirstRevision ? null : formatDateTime(previousRow.created_on),
        last_modified_by: isFirstRevision ? null : previousRow.created_by
      }
      const mentions = noMentions()
      mentionCells(definition, cells, previous, mentions)
      const foundEntities = yield* lookups.forReading(step.run.org_id, mentions)
      const title = shownTitle(
        titleOf(definition, cells, previous, foundEntities),
        definition.item_name,
        record.app_record_id
      )
      step.publishPrevious({ ...previous, title })
      step.log.output("revision", previousRow.revision)
      return success
    })
  )
})
