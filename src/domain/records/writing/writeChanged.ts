// Writes updates of locked records with what follows from them: titles of others that show theirs, hooks, and who reads them (developer-api.md
// 4.3 rule 4, 11.3).
import { Effect } from "effect"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { RecordRow } from "../model/RecordRow.ts"
import type { Preparation } from "./preparation.ts"
import type { WrittenChange } from "./recordChange.ts"
import type { AllowTitles } from "./storedTitles.ts"

export const makeWriteChanged = ({ outbox, relatedChanges, retitlePointing, runHooks, statements }: Preparation) =>
  /** @param before the records as they were, locked */
  Effect.fnUntraced(function* <E = never>(
    definition: AppDefinition,
    changes: ReadonlyArray<WrittenChange>,
    before: ReadonlyMap<number, RecordRow>,
    at: Date,
    allow?: AllowTitles<E>
  ) {
    if (changes.length === 0) return
    const records = changes.map(({ record }) => record)
    const rows = changes.map(({ row }) => row)
    const retitled = records
      .filter((record) => record.title !== before.get(record.record_id)!.title)
      .map((record) => record.record_id)
    yield* statements.update(definition, rows, retitled, at)
    if (retitled.length > 0) yield* retitlePointing(retitled, allow)
    yield* relatedChanges.note(definition, rows)
    yield* runHooks({ type: "update", definition, records })
    yield* outbox.announce
  })
