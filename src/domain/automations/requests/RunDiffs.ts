// Compares what two runs of one automation have written, or would have (developer-api.md 7.13): mainly simulations of two definitions on
// the same data. It reads their logs, so it shows and hides the same values as these.
import { isDeepStrictEqual } from "node:util"
import { Context, Effect, Layer, Schema } from "effect"
import { type NotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { actionSpec } from "../actions/registry.ts"
import type { Action } from "../model/Definition.ts"
import { allActions } from "../schema/walk.ts"
import { Runs } from "./Runs.ts"
import type { RunsCaller } from "./runSelection.ts"

/** Number of writing steps of a run that are compared, the first ones. */
const LOOKED_AT = 1_000

interface StepWritten {
  readonly status: string
  readonly record_id: number | null
  readonly inputs: Readonly<Record<string, unknown>>
  readonly messages: ReadonlyArray<string>
}
export interface RunDifference {
  readonly kind: "added" | "removed" | "changed"
  readonly action_id: string
  /** 1-based: a step in a loop is executed several times. */
  readonly execution: number
  readonly label: string
  readonly before?: StepWritten
  readonly after?: StepWritten
}
interface Written extends Pick<RunDifference, "action_id" | "execution" | "label"> {
  readonly written: StepWritten
}

/** True for steps that change records or reach external services or other automations. */
const hasEffects = (type: string): boolean => {
  const { kind, scopes } = actionSpec(type)
  return kind === "outside" || kind === "call" || scopes.some((scope) => scope.endsWith(":edit"))
}

const RunActions = Schema.Struct({ actions: jsonb<ReadonlyArray<Action>>() })

const LoggedStep = Schema.Struct({
  action_id: Schema.String,
  label: Schema.String,
  status: Schema.String,
  record_id: Schema.NullOr(Schema.Int),
  inputs: Schema.NullOr(jsonb<Readonly<Record<string, unknown>>>()),
  messages: jsonb<ReadonlyArray<{ readonly message: string }>>()
})

export class RunDiffs extends Context.Service<
  RunDiffs,
  {
    readonly of: (
      caller: RunsCaller,
      from: string,
      to: string
    ) => Effect.Effect<ReadonlyArray<RunDifference>, NotFound | ValidationError>
  }
>()("millrace/automations/requests/RunDiffs") {
  static readonly layer = Layer.effect(
    RunDiffs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const runs = yield* Runs

      const writtenBy = Effect.fnUntraced(function* (runId: string) {
        const revision = yield* rowOf(RunActions)(sql`
          SELECT v.actions FROM runs r JOIN automation_revisions v ON v.revision_id = r.revision_id
          WHERE r.run_id = ${runId}::bigint`)
        const ids = [...allActions(revision?.actions ?? [])].filter(({ type }) => hasEffects(type)).map(({ id }) => id)
        const rows = yield* rowsOf(LoggedStep)(sql`
          SELECT action_id, label, status, record_id, detail -> 'inputs' AS inputs, messages FROM run_logs
          WHERE run_id = ${runId}::bigint AND type = 'action' AND action_id = ANY(${ids}::text[])
          ORDER BY seq LIMIT ${LOOKED_AT}`)
        const executions = new Map<string, number>()
        return rows.map(({ action_id, inputs, label, messages, record_id, status }): Written => {
          const execution = (executions.get(action_id) ?? 0) + 1
          executions.set(action_id, execution)
          const texts = messages.map(({ message }) => message)
          return { action_id, execution, label, written: { status, record_id, inputs: inputs ?? {}, messages: texts } }
        })
      })

      const compareRuns = Effect.fn("RunDiffs.of")(function* (caller: RunsCaller, from: string, to: string) {
        const [one, other] = [yield* runs.find(caller, from), yield* runs.find(caller, to)]
        if (one.automation_id !== other.automation_id) {
          return yield* new ValidationError({ message: "The runs are of two automations." })
        }
        if (one.completed_on === null || other.completed_on === null) {
          return yield* new ValidationError({ message: "One of the runs is not over yet." })
        }
        return differencesOf(yield* writtenBy(from), yield* writtenBy(to))
      }, orSqlDefect)
      return RunDiffs.of({ of: compareRuns })
    })
  )
}

const keyOf = ({ action_id, execution }: Written) => `${execution} ${action_id}`

const differencesOf = (before: ReadonlyArray<Written>, after: ReadonlyArray<Written>): ReadonlyArray<RunDifference> => {
  const laterKeys = new Set(after.map(keyOf))
  const formerly = new Map(before.map((one) => [keyOf(one), one.written]))
  const removedSteps = before.filter((one) => !laterKeys.has(keyOf(one)))
  return [
    ...removedSteps.map(({ written, ...place }): RunDifference => ({ kind: "removed", ...place, before: written })),
    ...after.flatMap(({ written, ...place }): ReadonlyArray<RunDifference> => {
      const was = formerly.get(`${place.execution} ${place.action_id}`)
      if (was === undefined) return [{ kind: "added", ...place, after: written }]
      return isDeepStrictEqual(was, written) ? [] : [{ kind: "changed", ...place, before: was, after: written }]
    })
  ]
}
