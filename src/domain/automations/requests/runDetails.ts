// Facts about runs that their rows do not hold (developer-api.md 7.13): the step at which an open run stands, by its own revision, and the
// runs that it has caused.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { type Cursor, iterationKey } from "../model/Plan.ts"
import type { RevisionCache } from "../run/RevisionCache.ts"
import { labelOf } from "../run/runEntries.ts"

/** `iteration`: 0-based, for each enclosing loop, the outermost first. */
interface StandingAt {
  readonly action_id: string | null
  readonly label: string | null
  readonly iteration: ReadonlyArray<number>
}

/** `attempts`: number of times that the step has begun. Absent if the run stands at no step. */
export interface PresentStep {
  readonly present_step?: StandingAt & { readonly attempts: number }
}

export interface RunDetails {
  readonly at: StandingAt
  /** Ids of the oldest caused runs; absent if there are none. */
  readonly children?: ReadonlyArray<string>
}

interface Seen {
  readonly run_id: string
  readonly revision_id: string
  readonly cursor: Cursor | null
  readonly completed_on: Date | null
}

/** Maximum of listed runs: a loop may have called thousands. */
const CHILDREN_AT_MOST = 100
const nowhere: StandingAt = { action_id: null, label: null, iteration: [] }

const CalledRuns = Schema.Struct({ run_id: Schema.String, children: Schema.Array(Schema.String) })

const Attempts = Schema.Struct({ attempts: Schema.Int })

export const makeRunDetails = (sql: Sql, revisions: RevisionCache["Service"]) => {
  const stepOf = Effect.fnUntraced(function* ({ completed_on, cursor, revision_id }: Seen) {
    if (completed_on !== null || cursor === null) return nowhere
    const node = (yield* revisions.get(revision_id))?.plan.nodes.get(cursor.path)
    return node === undefined
      ? nowhere
      : { action_id: node.action.id, label: labelOf(node), iteration: cursor.iteration }
  })

  const childrenOf = (runs: ReadonlyArray<Seen>) =>
    Effect.map(
      rowsOf(CalledRuns)(sql`
        SELECT id::text AS run_id, array_agg(c.run_id::text ORDER BY c.run_id) AS children
        FROM unnest(${runs.map(({ run_id }) => run_id)}::text[]::bigint[]) AS id CROSS JOIN LATERAL (
          SELECT run_id FROM runs WHERE caused_by_run_id = id ORDER BY run_id LIMIT ${CHILDREN_AT_MOST}::int) AS c
        GROUP BY id`),
      (rows) => new Map(rows.map(({ children, run_id }) => [run_id, children]))
    )

  const presentStep = Effect.fnUntraced(function* (run: Seen): Effect.fn.Return<PresentStep, SqlError> {
    const currentStep = yield* stepOf(run)
    if (run.cursor === null || currentStep.action_id === null) return {}
    const row = yield* rowOf(Attempts)(sql`
      SELECT attempts FROM run_ledger WHERE run_id = ${run.run_id}::bigint AND path = ${run.cursor.path}
        AND iteration = ${iterationKey(run.cursor.iteration)}`)
    return { present_step: { ...currentStep, attempts: row?.attempts ?? 0 } }
  })

  const sightsOf = Effect.fnUntraced(function* (runs: ReadonlyArray<Seen>) {
    const children = runs.length === 0 ? new Map() : yield* childrenOf(runs)
    return yield* Effect.forEach(runs, (run) =>
      Effect.map(stepOf(run), (at): RunDetails => {
        const childIds = children.get(run.run_id)
        return { at, ...(childIds === undefined ? {} : { children: childIds }) }
      })
    )
  })

  return { presentStep, sightsOf }
}
