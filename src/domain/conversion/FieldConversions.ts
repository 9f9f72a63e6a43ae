// Conversion of a field as its callers meet it (developer-api.md 11.4): a dry run tells what would become of the values, else a job begins
// (convertFieldKind.ts). Both tell what uses the field.
import { Context, Effect, Layer, Option } from "effect"
import { Conflict, NotFound, Restricted, type ValidationError } from "../../platform/primitives/errors.ts"
import { countOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { holds } from "../accounts/Caller.ts"
import { jobKinds } from "../jobs/Job.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { type Conversion, type ConvertedValue, makeConverter } from "../records/conversion/Converter.ts"
import type { ConversionInput } from "../records/conversion/conversionInput.ts"
import { makeStagedCells } from "../records/conversion/stagedCells.ts"
import type { AnyOption } from "../records/fields/kinds/optionFields.ts"
import { Definitions } from "../records/model/Definitions.ts"
import { UsageReports } from "../usage/UsageReports.ts"
import { makeConversionPlan } from "./conversionPlan.ts"
import { type ConversionOutcome, type FieldConversion, type FieldConvert, SHOWN } from "./conversionSchemas.ts"

/** Records that a dry run reads before it answers; of more a job tells. */
export const DryRunAtOnce = Context.Reference<number>("millrace/records/DryRunAtOnce", { defaultValue: () => 5_000 })
const PAGE = 500

export class FieldConversions extends Context.Service<
  FieldConversions,
  {
    readonly convert: (
      grant: AccessGrant,
      input: FieldConvert
    ) => Effect.Effect<FieldConversion, NotFound | Conflict | Restricted | ValidationError>
  }
>()("millrace/records/FieldConversions") {
  static readonly layer = Layer.effect(
    FieldConversions,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const jobs = yield* Jobs
  const definitions = yield* Definitions
  const dryRunAtOnce = yield* DryRunAtOnce
  const plan = yield* makeConversionPlan
  const usage = yield* UsageReports
  const staged = yield* makeStagedCells
  const { convert: convertValues } = yield* makeConverter

  /** What becomes of the values, without a trace. */
  const tryOut = Effect.fnUntraced(function* (conversion: Conversion) {
    const { app_id, field_id } = conversion.from
    const failures: Array<ConvertedValue> = []
    const samples: Array<ConvertedValue> = []
    const counts = { records: 0, converted: 0, unconvertible: 0, empty: 0 }
    let options: ReadonlyArray<AnyOption> = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: Effect.Success<ReturnType<typeof staged.page>> = yield* staged.page(app_id, field_id, after, PAGE)
      const values = rows.flatMap(({ cell, record_id }) => (cell === null ? [] : [{ record_id, cell }]))
      const outcome = yield* convertValues(conversion, values, options)
      options = outcome.options
      counts.records += rows.length
      counts.empty += rows.length - values.length
      for (const value of outcome.converted) {
        const [list, count] =
          value.problem === null ? ([samples, "converted"] as const) : ([failures, "unconvertible"] as const)
        counts[count]++
        if (list.length < SHOWN) list.push(value)
      }
      after = rows.at(-1)?.app_record_id
    }
    return {
      ...counts,
      failures: failures.map(({ before, problem, record_id }) => ({ record_id, value: before, reason: problem! })),
      samples: samples.map(({ after, before, record_id }) => ({ record_id, before, after })),
      new_options: options.map(({ text }) => text)
    } satisfies ConversionOutcome
  })

  const checkNoOther = Effect.fnUntraced(function* (fieldId: number) {
    const running = yield* countOf(sql`
      SELECT count(*)::int AS n FROM jobs WHERE completed_on IS NULL AND kind = 'field_convert'
        AND input @> ${JSON.stringify({ field_id: fieldId, dry_run: false })}::jsonb`)
    if (running > 0)
      return yield* new Conflict({ message: "The field is being converted already; wait, or cancel that job." })
  })

  const convert = Effect.fn("FieldConversions.convert")(
    function* (grant: AccessGrant, input: FieldConvert) {
      const { caller } = grant
      const lost = [jobKinds.field_convert.acts, jobKinds.field_convert.reads].find((scope) => !holds(caller, scope))
      if (lost !== undefined) return yield* new Restricted({ message: `The credential lacks the scope ${lost}.` })
      // Two at once begin one after the other; records go on being written.
      yield* sql`SELECT 1 FROM apps WHERE app_id = ${grant.appId} FOR NO KEY UPDATE`
      const definition = Option.getOrUndefined(yield* definitions.read(grant.appId))
      const from = definition?.byId.get(grant.id)
      if (definition === undefined || from === undefined)
        return yield* new NotFound({ message: `No field with id ${grant.id}.` })
      const to = yield* plan(caller, definition, from, input)
      yield* checkNoOther(grant.id)
      const used_by = holds(caller, "apps:read") ? yield* usage.ofField(grant) : null
      const dryRun = input.dry_run === true
      const total = yield* countOf(sql`SELECT count(*)::int AS n FROM records WHERE app_id = ${grant.appId}`)
      if (dryRun && total <= dryRunAtOnce) {
        const outcome = yield* tryOut({ from, to, orgId: grant.orgId, userId: caller.userId, dryRun })
        return { job_id: null, outcome, used_by } satisfies FieldConversion
      }
      const { field_type, settings } = from
      const { always_hidden, description, hidden_if_empty, label, required } = to
      const jobInput: ConversionInput = {
        ...{ app_id: grant.appId, field_id: grant.id, dry_run: dryRun, from: { field_type, settings } },
        to: {
          ...{ field_type: to.field_type, label, description, required, hidden_if_empty, always_hidden },
          settings: to.settings
        }
      }
      const job_id = yield* jobs.begin(caller, { kind: "field_convert", input: jobInput, total })
      return { job_id, outcome: null, used_by } satisfies FieldConversion
    },
    sql.withTransaction,
    orSqlDefect
  )

  return FieldConversions.of({ convert })
})
