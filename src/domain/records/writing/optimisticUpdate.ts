// Computes an update without a lock, for a statement that writes it only if the record and its app have not changed since. Only for updates
// that need no lookups and change only the record's own cells; all others take the ordinary path.
import { Effect, Option, Result } from "effect"
import { noneRelated } from "../calculations/calculate.ts"
import { readsRelated } from "../calculations/calculationPlan.ts"
import { nothingFound } from "../fields/model/Field.ts"
import type { RecordRow, Write } from "../model/RecordRow.ts"
import * as Inputs from "./fieldInputs.ts"
import type { Preparation } from "./preparation.ts"
import { type ChangedRow, changeOf } from "./recordChange.ts"
import { readersOf } from "./relatedChanges.ts"

/** Record as a caller has just read it, with the version of its app at that time. */
export interface ReadRecord {
  readonly row: RecordRow
  readonly version: number
}

export const makeOptimisticUpdate = ({ definitions, hasMore, now, prepared, withCleaning }: Preparation) =>
  Effect.fnUntraced(
    function* ({ row, version }: ReadRecord, fields: Inputs.FieldInputs, write: Write) {
      if (row.deleted_on !== null || write.expectedRevision !== undefined) return null
      const cachedApp = Option.getOrUndefined(yield* definitions.lastSeen(row.app_id))
      const isBehind = cachedApp !== undefined && cachedApp.version < version
      const definition = isBehind ? Option.getOrUndefined(yield* definitions.load(row.app_id)) : cachedApp
      if (definition?.version !== version || readsRelated(definition)) return null
      const changedAt = yield* now
      const context = yield* prepared(definition, [fields], changedAt)
      const settings = Inputs.parseFields(definition, fields, row.cells, context)
      if (Result.isFailure(settings)) return null
      if (!Inputs.isPlain(settings.success)) return null
      if (Inputs.checkSetCells(settings.success, nothingFound) !== null) return null
      const change = changeOf(definition, row, settings.success, {
        at: changedAt,
        found: nothingFound,
        related: noneRelated,
        write
      })
      if (change === null) return null
      const { delta, files, links } = change.row
      if (hasMore({ fields: definition.fields.filter(({ field_id }) => field_id in delta) })) return null
      if (readersOf(definition, change.row.changed).length > 0) return null
      // Others that point to it show its title.
      return change.record.title !== row.title || links.removed.length > 0 || files.removed.length > 0
        ? null
        : change.row
    },
    (foreseeing, _, fields): Effect.Effect<ChangedRow | null> =>
      withCleaning([fields], foreseeing).pipe(Effect.catchTag("ValidationError", () => Effect.succeed(null)))
  )
