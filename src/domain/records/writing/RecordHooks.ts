// Lets other modules keep their data in step with records, in the transaction of the change (decisions A5: due instants).
import { Context, type Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { RecordRow } from "../model/RecordRow.ts"

export interface RecordsChanged {
  readonly type: "create" | "update" | "delete" | "restore" | "destroy"
  readonly definition: AppDefinition
  /** Records as they are after the change. */
  readonly records: ReadonlyArray<RecordRow>
}

export interface RecordHook {
  /** Checked first, so that writes that do not concern the hook stay one statement. For some updates it gets the changed fields only. */
  readonly concerns: (app: Pick<AppDefinition, "fields">) => boolean
  readonly run: (change: RecordsChanged) => Effect.Effect<void, SqlError>
}

/** Read when the writer's layer is built. */
export const RecordHooks = Context.Reference<ReadonlyArray<RecordHook>>("millrace/records/RecordHooks", {
  defaultValue: () => []
})
