// Checks that a run can go on at its failed step with the present definition of its automation (developer-api.md 7.11 `retry`): what it has
// finished stands there unchanged, in the same places. From the failed step on, everything may differ.
import { isDeepStrictEqual } from "node:util"
import { Effect, Schema } from "effect"
import { Conflict } from "../../../platform/primitives/errors.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { makeAutomationRevisions } from "../definitions/automationRevisions.ts"
import { type Cursor, iterationKey } from "../model/Plan.ts"
import type { Action } from "../schema/Action.ts"
import { ownConfig } from "../schema/walk.ts"
import type { RunRecord } from "./runViews.ts"

const Begun = Schema.Struct({ begun: Schema.Boolean })
const Present = Schema.Struct({ revision_id: Schema.String })

const isFinishedAlike = (former: Action, present: Action | undefined): boolean =>
  present?.id === former.id &&
  present.type === former.type &&
  present.deactivate === former.deactivate &&
  (former.deactivate === true || isDeepStrictEqual(present.config, former.config))

/** True if the present step can go on with the items of the former one. */
const isContinued = (former: Action, present: Action | undefined): boolean =>
  present?.id === former.id &&
  present.type === former.type &&
  present.deactivate !== true &&
  isDeepStrictEqual(present.config["iterable"], former.config["iterable"])

const isSameBlock = (former: Action, present: Action | undefined): present is Action =>
  present?.id === former.id &&
  present.type === former.type &&
  present.deactivate !== true &&
  isDeepStrictEqual(ownConfig(present), ownConfig(former))

/**
 * Returns the ids of the steps before the cursor, and around it, that are not as they were.
 * @param begun true if the step at the cursor goes on with the items that it has: then it has to be the same step
 */
export const changedSteps = (
  former: ReadonlyArray<Action>,
  present: ReadonlyArray<Action>,
  { path }: Pick<Cursor, "path">,
  begun: boolean
): ReadonlyArray<string> => {
  const changed: Array<string> = []
  let [formerList, presentList] = [former, present]
  const parts = path.split(".")
  for (let at = 0; at < parts.length; at += 2) {
    const index = Number(parts[at])
    for (const [place, action] of formerList.slice(0, index).entries()) {
      if (!isFinishedAlike(action, presentList[place])) changed.push(action.id)
    }
    const [action, presentAction] = [formerList[index]!, presentList[index]]
    const list = parts[at + 1]
    if (list === undefined) {
      if (begun && !isContinued(action, presentAction)) changed.push(action.id)
    } else {
      if (!isSameBlock(action, presentAction)) return [...changed, action.id]
      const rows = list === "else" ? "else_action_rows" : "action_rows"
      formerList = action.config[rows] ?? []
      presentList = presentAction.config[rows] ?? []
    }
  }
  return changed
}

export const makeCurrentDefinition = (sql: Sql) => {
  const { savedDefinition } = makeAutomationRevisions(sql)

  const readable = (automationId: number, revisionId: string) => {
    const unreadable = new Conflict({ message: "The run's definition, or the present one, can no longer be read." })
    return savedDefinition(automationId, revisionId).pipe(
      Effect.mapError(() => unreadable),
      Effect.filterOrFail(
        (revision) => revision.unreadable.length === 0,
        () => unreadable
      )
    )
  }

  /** Returns the id of the present revision, with which the run can go on at its failed step; a conflict if it cannot. */
  return Effect.fnUntraced(function* (run: Pick<RunRecord, "automation_id" | "cursor" | "revision_id" | "run_id">) {
    const present = yield* rowOf(Present)(sql`
      SELECT revision_id::text FROM automations WHERE automation_id = ${run.automation_id}`)
    const presentId = present?.revision_id ?? run.revision_id
    if (presentId === run.revision_id || run.cursor === null) return presentId
    const former = yield* readable(run.automation_id, run.revision_id)
    const mended = yield* readable(run.automation_id, presentId)
    // Values that were read with one author's rights do not enter steps that another one wrote (decisions A24).
    if (former.author_id !== mended.author_id) {
      return yield* new Conflict({
        message:
          "definition: the present one was saved by somebody else. Retry with the original one, or from the start."
      })
    }
    const row = yield* rowOf(Begun)(sql`
      SELECT EXISTS (SELECT 1 FROM run_ledger WHERE run_id = ${run.run_id}::bigint AND path = ${run.cursor.path}
        AND iteration = ${iterationKey(run.cursor.iteration)} AND (state <> 'failed' OR coalesce(result ? 'type' AND result ? 'size', false))
      ) AS begun`)
    const changed = changedSteps(former.definition.actions, mended.definition.actions, run.cursor, row?.begun === true)
    if (changed.length === 0) return presentId
    return yield* new Conflict({
      message: `Steps that the run has finished were changed since: ${changed.join(", ")}. Retry with the original definition, or from the start.`,
      errors: changed.map((action_id) => ({
        action_id,
        message: "The step was changed, moved or deleted since the run finished it."
      }))
    })
  })
}
