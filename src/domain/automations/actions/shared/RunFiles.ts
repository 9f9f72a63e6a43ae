// Files of a run: stores files that its steps create for its variables, and reads them for its mails (developer-api.md 6, 7.6).
import { Context, Effect, Layer, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { Contents } from "../../../records/files/Contents.ts"
import { runHolder } from "../../../records/files/File.ts"
import { Files } from "../../../records/files/Files.ts"
import { FileOutput } from "../../model/RunScope.ts"
import { type Step, StepFailed } from "../../model/Step.ts"

export const StoredFile = Schema.Struct({ ...FileOutput.fields, storage_key: Schema.String })
export type StoredFile = typeof StoredFile.Type

export class RunFiles extends Context.Service<
  RunFiles,
  {
    /** Stores bytes as a file of the organization, held by the run; beyond the quota the step fails (A23). */
    readonly keep: (
      step: Step,
      file: { readonly name: string; readonly mimetype: string; readonly bytes: Uint8Array }
    ) => Effect.Effect<FileOutput, StepFailed | SqlError>
    /** Holds files that came with the trigger, so that the run may pass them on. */
    readonly hold: (step: Step, ids: ReadonlyArray<number>) => Effect.Effect<void, SqlError>
    /** Returns the files in the order of the ids; deleted ones are left out. */
    readonly find: (step: Step, ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<StoredFile>, SqlError>
    readonly bytes: (file: StoredFile) => Effect.Effect<Uint8Array>
  }
>()("millrace/automations/actions/RunFiles") {
  static readonly layer = Layer.effect(
    RunFiles,
    Effect.gen(function* () {
      const sql = yield* Sql
      const files = yield* Files
      const contents = yield* Contents

      const holdAll = (step: Step, ids: ReadonlyArray<number>) => sql`
        INSERT INTO file_holds (file_id, holder)
        SELECT file_id, ${runHolder(step.run.run_id)} FROM files
        WHERE file_id = ANY(${ids.map(String)}::text[]::bigint[]) AND org_id = ${step.run.org_id}
        ON CONFLICT DO NOTHING`

      const keep = Effect.fnUntraced(function* (
        step: Step,
        { bytes, mimetype, name }: { readonly name: string; readonly mimetype: string; readonly bytes: Uint8Array }
      ) {
        const [row] = yield* files
          .store(step.authority, [{ name, mimetype, content: Stream.make(step.secrets.withoutIn(bytes)) }])
          .pipe(Effect.catchTag("Conflict", ({ message }) => new StepFailed({ message })))
        yield* holdAll(step, [row!.file_id])
        return { file_id: row!.file_id, filename: row!.name, size: row!.size, mimetype: row!.mimetype }
      }, sql.withTransaction)

      const hold = (step: Step, ids: ReadonlyArray<number>) => {
        const received = new Set((step.trigger.webhook_files ?? []).map((file) => file.file_id))
        const receivedIds = ids.filter((id) => received.has(id))
        return receivedIds.length === 0 ? Effect.void : Effect.asVoid(holdAll(step, receivedIds))
      }

      const find = Effect.fnUntraced(function* (step: Step, ids: ReadonlyArray<number>) {
        if (ids.length === 0) return []
        const rows = yield* rowsOf(StoredFile)(sql`
          SELECT file_id, name AS filename, size, mimetype, storage_key FROM files
          WHERE file_id = ANY(${ids.map(String)}::text[]::bigint[]) AND org_id = ${step.run.org_id}
            AND temporary_id IS NULL`)
        const byId = new Map(rows.map((row) => [row.file_id, row]))
        return ids.flatMap((id) => byId.get(id) ?? [])
      })

      return RunFiles.of({ keep, hold, find, bytes: ({ storage_key }) => contents.bytes(storage_key) })
    })
  )
}
