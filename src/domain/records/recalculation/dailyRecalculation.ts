// Begins the recalculations that a new day asks for (developer-api.md 11.3): of the apps whose calculations read `today()`, once a day in UTC.
import { Clock, Effect, Option, Schema } from "effect"
import { formatDate } from "../../../platform/primitives/dates.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { calculationsOf } from "../calculations/calculationPlan.ts"
import { Definitions } from "../model/Definitions.ts"
import { makeRecalculations } from "./recalculations.ts"

const AppId = Schema.Struct({ app_id: Schema.Int })

/** Apps of one round; the next round takes the others. */
const AT_ONCE = 500

export const recalculateDaily = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const recalculations = makeRecalculations(sql, yield* Jobs)
  const today = formatDate(new Date(yield* Clock.currentTimeMillis))
  const due = yield* rowsOf(AppId)(sql`
    SELECT DISTINCT f.app_id FROM fields f LEFT JOIN calculation_days d USING (app_id)
    WHERE f.field_type = 'calculation' AND f.settings->>'expression' LIKE '%today%' AND (d.day IS NULL OR d.day < ${today}::date)
    ORDER BY f.app_id LIMIT ${AT_ONCE}::int`)
  const begunJobs = yield* Effect.forEach(due, ({ app_id }) =>
    sql.withTransaction(
      Effect.gen(function* () {
        // The first of several processes has noted the day; the others do not begin it again.
        const noted = yield* sql`
          INSERT INTO calculation_days AS d (app_id, day) SELECT app_id, ${today}::date FROM apps WHERE app_id = ${app_id}
          ON CONFLICT (app_id) DO UPDATE SET day = excluded.day WHERE d.day < excluded.day RETURNING 1`
        const definition = Option.getOrUndefined(yield* definitions.read(app_id))
        const reads = definition !== undefined && calculationsOf(definition).some((one) => one.expression.uses.today)
        if (noted.length === 0 || !reads) return 0
        yield* recalculations.begin("operator", definition)
        return 1
      })
    )
  )
  return { recalculations: begunJobs.reduce<number>((sum, one) => sum + one, 0) }
}).pipe(orSqlDefect)
