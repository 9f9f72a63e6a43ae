// Access checks with the rights of a run's author (decisions A20, A21): the only gate for records that are read and for values that are
// named by id. Rights are read once per step, since a step is one access; the next step reads them anew.
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { Access } from "../../accounts/Access.ts"
import { type HeldRights, lacking } from "../../accounts/Authority.ts"
import type { Scope as ApiScope } from "../../accounts/Scope.ts"
import { runHolder } from "../../records/files/File.ts"
import type { RecordState, RunFacts, RunScope } from "./RunScope.ts"
import { StepFailed } from "./StepFailed.ts"

type Gate = Effect.Effect<void, StepFailed | SqlError>
/** Part of a scope that an access check needs. */
export type Viewer = Pick<RunScope, "authority" | "run" | "trigger">

const unseen = (what: string, id: number, { authority }: Pick<RunScope, "authority">) => {
  const whom =
    authority.shared === true ? "both the automation's author and who asked for this run" : "the automation's author"
  return new StepFailed({ message: `No ${what} with id ${id} is visible to ${whom}.` })
}

/** Fails unless both the credential that saved the definition and that of the user who asked for the run have the scopes. */
export const needs = (
  { authority }: Pick<RunScope, "authority">,
  ...scopes: ReadonlyArray<ApiScope>
): Effect.Effect<void, StepFailed> => {
  const scope = lacking(authority.reach, scopes)
  return scope === undefined
    ? Effect.void
    : Effect.fail(
        new StepFailed({
          message:
            authority.shared === true
              ? `The credential that asked for this run, or the one that saved the automation's definition, lacks the scope ${scope}.`
              : `The credential that saved the automation's definition lacks the scope ${scope}.`
        })
      )
}

const AppOfRecord = Schema.Struct({ record_id: Schema.Int, app_id: Schema.Int })

const FileInSight = Schema.Struct({
  file_id: Schema.Int,
  held: Schema.Boolean,
  app_ids: Schema.Array(Schema.Int)
})

const UserId = Schema.Struct({ user_id: Schema.Int })

export class RunVisibility extends Context.Service<
  RunVisibility,
  {
    /** Returns the author's rights on an app at the beginning of the step. */
    readonly on: (viewer: Viewer, appId: number) => Effect.Effect<HeldRights, StepFailed>
    readonly apps: (viewer: Viewer, ids: Iterable<number>) => Effect.Effect<void, StepFailed>
    /** Checks records that are already loaded. */
    readonly states: (viewer: Viewer, states: ReadonlyArray<RecordState>) => Effect.Effect<void, StepFailed>
    readonly records: (viewer: Viewer, ids: Iterable<number>) => Gate
    /** Checks files: attached to a record that the author may read, part of the trigger data, or created in this run. */
    readonly files: (viewer: Viewer, ids: Iterable<number>) => Gate
    readonly users: (viewer: Viewer, ids: Iterable<number>) => Gate
    readonly automation: (viewer: Viewer, id: number) => Effect.Effect<{ readonly appId: number }, StepFailed>
  }
>()("millrace/automations/model/RunVisibility") {
  static readonly layer = Layer.effect(
    RunVisibility,
    Effect.gen(function* () {
      const sql = yield* Sql
      const access = yield* Access
      const idList = idListOf(sql)
      const lost = <A>(effect: Effect.Effect<A, { readonly message: string }>) =>
        Effect.mapError(effect, ({ message }) => new StepFailed({ message }))

      const rightsOfRuns = new WeakMap<RunFacts, Map<number, HeldRights>>()
      const on = Effect.fnUntraced(function* ({ authority, run }: Viewer, appId: number) {
        const rightsByApp = rightsOfRuns.get(run) ?? new Map<number, HeldRights>()
        rightsOfRuns.set(run, rightsByApp)
        const appRights = rightsByApp.get(appId) ?? (yield* lost(authority.on(appId)))
        rightsByApp.set(appId, appRights)
        return appRights
      })
      const sees = (viewer: Viewer, appId: number) => Effect.map(on(viewer, appId), ({ level }) => level > 0)

      const apps = Effect.fnUntraced(function* (viewer: Viewer, ids: Iterable<number>) {
        for (const id of new Set(ids)) if (!(yield* sees(viewer, id))) return yield* unseen("app", id, viewer)
      })

      const states = Effect.fnUntraced(function* (viewer: Viewer, all: ReadonlyArray<RecordState>) {
        for (const { app_id, record_id } of new Map(all.map((state) => [state.app_id, state])).values()) {
          if (!(yield* sees(viewer, app_id))) return yield* unseen("record", record_id, viewer)
        }
      })

      const records = Effect.fnUntraced(function* (viewer: Viewer, ids: Iterable<number>) {
        const recordIds = [...new Set(ids)]
        if (recordIds.length === 0) return
        yield* needs(viewer, "records:read")
        const rows = yield* rowsOf(AppOfRecord)(sql`
          SELECT record_id, app_id FROM records WHERE record_id = ${idList(recordIds)} AND org_id = ${viewer.run.org_id}`)
        const appOf = new Map(rows.map((row) => [row.record_id, row.app_id]))
        for (const id of recordIds) {
          const appId = appOf.get(id)
          if (appId === undefined || !(yield* sees(viewer, appId))) return yield* unseen("record", id, viewer)
        }
      })

      const files = Effect.fnUntraced(function* (viewer: Viewer, ids: Iterable<number>) {
        const came = new Set((viewer.trigger.webhook_files ?? []).map(({ file_id }) => file_id))
        const fileIds = [...new Set(ids)].filter((id) => !came.has(id))
        if (fileIds.length === 0) return
        const rows = yield* rowsOf(FileInSight)(sql`
          SELECT f.file_id,
            EXISTS (SELECT 1 FROM file_holds h WHERE h.file_id = f.file_id AND h.holder = ${runHolder(viewer.run.run_id)}) AS held,
            ARRAY(SELECT DISTINCT r.app_id FROM file_links l JOIN records r USING (record_id) WHERE l.file_id = f.file_id) AS app_ids
          FROM files f WHERE f.file_id = ${idList(fileIds)} AND f.org_id = ${viewer.run.org_id} AND f.temporary_id IS NULL`)
        const byId = new Map(rows.map((row) => [row.file_id, row]))
        const reads = lacking(viewer.authority.reach, ["records:read"]) === undefined
        for (const id of fileIds) {
          const file = byId.get(id)
          let isVisible = file?.held === true
          for (const appId of isVisible || !reads ? [] : (file?.app_ids ?? []))
            isVisible ||= yield* sees(viewer, Number(appId))
          if (!isVisible) return yield* unseen("file", id, viewer)
        }
      })

      const users = Effect.fnUntraced(function* (viewer: Viewer, ids: Iterable<number>) {
        const userIds = [...new Set(ids)]
        if (userIds.length === 0) return
        yield* needs(viewer, "organization:read")
        const rows = yield* rowsOf(UserId)(sql`
          SELECT user_id FROM users WHERE user_id = ${idList(userIds)} AND org_id = ${viewer.run.org_id}`)
        const existingIds = new Set(rows.map(({ user_id }) => user_id))
        const missing = userIds.find((id) => !existingIds.has(id))
        if (missing !== undefined) return yield* unseen("user", missing, viewer)
      })

      const automation = Effect.fnUntraced(function* (viewer: Viewer, id: number) {
        const caller = yield* lost(viewer.authority.present)
        return yield* Effect.mapError(access.check(caller, "automation", id, 5, true), () =>
          unseen("automation", id, viewer)
        )
      })

      return RunVisibility.of({ on, apps, states, records, files, users, automation })
    })
  )
}
