// Begins jobs that cancel, retry or delete the runs which filters select (developer-api.md 7.11). What they do: runJobKinds.ts.
import { Context, Effect, Layer, Schema } from "effect"
import { type Conflict, type NotFound, type Restricted, ValidationError } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { type RunJobInput, type RunJobKind, worksOn } from "./runJobInput.ts"
import type { RetryBody } from "./runRetries.ts"
import type { RunFilters } from "./runSearch.ts"
import { FROM_RUNS, makeRunSelection, type RunsCaller } from "./runSelection.ts"

const Newest = Schema.Struct({ through: Schema.String })

export class RunJobs extends Context.Service<
  RunJobs,
  {
    /** Counts the runs of the selection and begins the job. Returns its id. @param retry how each run is retried */
    readonly begin: (
      caller: RunsCaller,
      kind: RunJobKind,
      filters: RunFilters,
      retry?: RetryBody
    ) => Effect.Effect<number, NotFound | Conflict | Restricted | ValidationError>
  }
>()("millrace/automations/requests/RunJobs") {
  static readonly layer = Layer.effect(
    RunJobs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const jobs = yield* Jobs
      const { selectionOf } = makeRunSelection(sql)

      const begin = Effect.fn("RunJobs.begin")(function* (
        caller: RunsCaller,
        kind: RunJobKind,
        filters: RunFilters,
        retry?: RetryBody
      ) {
        const statuses = worksOn[kind]
        if (filters.status !== undefined && !statuses.includes(filters.status)) {
          const message = `status: such a job works on runs that are ${statuses.join(", ")}; none is ${filters.status}.`
          return yield* new ValidationError({ message })
        }
        const newest = yield* rowOf(Newest)(sql`SELECT coalesce(max(run_id), 0)::text AS through FROM runs`)
        const selection = yield* selectionOf(caller, { kind: "all" }, filters)
        const total = yield* countOf(sql`
          SELECT count(*)::int AS n ${sql.literal(FROM_RUNS)}
          WHERE ${selection} AND r.status = ANY(${[...statuses]}::text[])`)
        const input: RunJobInput = {
          filters,
          through: newest!.through,
          ...(caller === "operator" || caller.origin === undefined ? {} : { origin: caller.origin }),
          ...(retry === undefined ? {} : { retry })
        }
        return yield* jobs.begin(caller, { kind, input, total })
      }, orSqlDefect)

      return RunJobs.of({ begin })
    })
  )
}
