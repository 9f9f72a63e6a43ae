// Commits the results of executions in batches: attempt rows, deliveries, queue, failure counts and next tries (decisions W1, W2, W3). An
// ordinary batch is one statement; one that causes a notice or ends a verification is settled result by result (settleOneByOne.ts).
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Activation, Fenced } from "../../engine/actors/ActorKind.ts"
import { heldBy, isHeld } from "../../engine/actors/fence.ts"
import { atMost } from "../../platform/sql/listParameters.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { isBundled } from "./bundles/Bundle.ts"
import { makeBundleForm } from "./bundles/bundleForm.ts"
import { countDeliveries } from "./deliveryMetrics.ts"
import { ALERT_SHARES, type HookHealth, nextNoticeAt } from "./failureStreak.ts"
import { HookStatus } from "./Hook.ts"
import type { HookNotices } from "./HookNotices.ts"
import { type Result, type Tally, talliesOf, writtenOf } from "./judgeResults.ts"
import type { DeliveryRow } from "./mailboxRows.ts"
import { makeResultStatements, type ResultForm, type Written } from "./resultStatements.ts"
import { makeSettle } from "./settleOneByOne.ts"
import { makeCounting } from "./statistics/counting.ts"
import type { WebhookSettingsShape } from "./WebhookSettings.ts"

/** A batch once it is committed. */
export interface Settled {
  readonly health: ReadonlyMap<number, Pick<HookHealth, "status" | "failures">>
  /** Due time of the earliest retry; 0 if released deliveries may be sent now, infinite without either. */
  readonly nextAt: number
}

const earliestRetry = (written: ReadonlyArray<Written>) =>
  written.reduce((least, { next_attempt_on: at }) => Math.min(least, at?.getTime() ?? least), Number.POSITIVE_INFINITY)

const Standing = Schema.Struct({
  ordinary: Schema.Boolean,
  hook_id: Schema.NullOr(Schema.Int),
  status: Schema.NullOr(HookStatus),
  failures: Schema.NullOr(Schema.Int)
})

/** Health of the batch's hooks; empty if none of them exists any more. */
const healthOf = (standing: ReadonlyArray<typeof Standing.Type>): Settled["health"] =>
  new Map(
    standing.flatMap(({ failures, hook_id, status }) =>
      hook_id === null || status === null || failures === null ? [] : [[hook_id, { status, failures }] as const]
    )
  )

interface Outcome {
  readonly result: Result
  readonly written: Written
}

/** Turns bundles of deliveries into rows of the queue; deliveries in flight stay in flight (bundles/splitBundles.ts). */
type TakeApart = (rows: ReadonlyArray<DeliveryRow>) => Effect.Effect<unknown, Fenced | SqlError>

const nothing: Settled = { health: new Map(), nextAt: Number.POSITIVE_INFINITY }

const rowOf = ({ result: { row } }: Outcome) => row

export const makeWriteResults = (settings: WebhookSettingsShape, notices: HookNotices["Service"]) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { given, queueForm, release } = yield* makeResultStatements
    const bundleForm = makeBundleForm(sql)
    const settleResults = yield* makeSettle(settings, notices)
    const { counts } = yield* makeCounting
    const toldFrom = sql.literal(
      `CASE alerted ${[0, ...ALERT_SHARES]
        .map((share) => `WHEN ${share} THEN ${nextNoticeAt(share, settings.failuresAllowed)}`)
        .join(" ")} END`
    )

    /**
     * Writes all, or nothing if a hook was deleted, is inactive with failures, or reaches a share at which its admins are notified. A
     * delivery whose result a database crash loses is sent again, so the commit need not wait for the disk.
     */
    const ordinarily = (
      activation: Activation,
      tallies: ReadonlyArray<Tally>,
      written: ReadonlyArray<Written>,
      now: Date,
      form: ResultForm
    ) =>
      rowsOf(Standing)(sql`
        WITH mine AS (${heldBy(sql, activation)}), g AS (
          SELECT x.* FROM mine CROSS JOIN ${atMost(
            sql,
            tallies.length,
            sql`jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb)
              AS r(hook_id bigint, ok boolean, lead integer, peak integer, tail integer)`
          )}
        ), batch AS MATERIALIZED (SELECT x.* FROM ${given(written)}), h AS (
          SELECT k.hook_id, k.status, k.num_failed_executions AS failed, k.alerted, g.ok, g.lead, g.peak,
            CASE WHEN g.ok THEN g.tail ELSE k.num_failed_executions + g.lead END AS failures
          FROM hooks k JOIN g USING (hook_id) ORDER BY k.hook_id FOR NO KEY UPDATE OF k
        )${form.locked(written)}, verdict AS (
          SELECT count(*) = ${tallies.length} AND ${form.isThere(written.length)} AND coalesce(bool_and(lead + peak = 0 OR (
            status = 'active' AND failed + lead < ${toldFrom} AND peak < ${nextNoticeAt(0, settings.failuresAllowed)})), false) AS ordinary
          FROM h
        ), r AS (
          SELECT x.* FROM verdict CROSS JOIN batch x WHERE verdict.ordinary
        ), ${form.resultWrites(now)}, counted AS (
          UPDATE hooks k SET num_failed_executions = h.failures,
            alerted = CASE WHEN h.ok THEN 0 ELSE h.alerted END
          FROM h CROSS JOIN verdict
          WHERE verdict.ordinary AND k.hook_id = h.hook_id AND (h.lead + h.peak > 0 OR h.failed > 0 OR h.alerted > 0)
        ), statistics AS (${counts(written, now, "verdict.ordinary", "verdict CROSS JOIN")})
        SELECT verdict.ordinary, h.hook_id, h.status, h.failures
        FROM mine CROSS JOIN verdict LEFT JOIN h ON true`)

    /** Writes an ordinary batch. Undefined if it is not ordinary: nothing was written. */
    const writeOrdinary = Effect.fnUntraced(function* (
      activation: Activation,
      outcomes: ReadonlyArray<Outcome>,
      now: Date,
      form: ResultForm
    ): Effect.fn.Return<Settled | undefined, Fenced | SqlError> {
      const results = outcomes.map(({ result }) => result)
      const rows = outcomes.map((outcome) => outcome.written)
      const writtenRows = yield* activation.once.statement(
        ordinarily(activation, talliesOf(results), rows, now, form),
        isHeld
      )
      if (writtenRows[0]?.ordinary !== true) return undefined
      countDeliveries(results, rows)
      return { health: healthOf(writtenRows), nextAt: earliestRetry(rows) }
    })

    /** Writes results of rows of the queue. */
    const commit = Effect.fnUntraced(function* (
      activation: Activation,
      outcomes: ReadonlyArray<Outcome>,
      now: Date,
      random: () => number
    ): Effect.fn.Return<Settled, Fenced | SqlError> {
      const ordinaryResult = yield* writeOrdinary(activation, outcomes, now, queueForm)
      if (ordinaryResult === undefined) {
        const results = outcomes.map(({ result }) => result)
        const settledResults = yield* activation.once.commit(settleResults(results, now, random))
        countDeliveries(settledResults.results, settledResults.written)
        return {
          health: settledResults.health,
          nextAt: settledResults.freed > 0 ? 0 : earliestRetry(settledResults.written)
        }
      }
      const orderedRows = outcomes.flatMap((outcome) => (outcome.written.ordered ? [outcome.written] : []))
      const freed = orderedRows.length === 0 ? [] : yield* activation.statement(release(orderedRows), () => true)
      return freed.length > 0 ? { ...ordinaryResult, nextAt: 0 } : ordinaryResult
    })

    return Effect.fnUntraced(function* (
      activation: Activation,
      results: ReadonlyArray<Result>,
      now: Date,
      random: () => number,
      takeApart: TakeApart
    ): Effect.fn.Return<Settled, Fenced | SqlError> {
      const outcomes = results.map((result) => ({
        result,
        written: writtenOf(result, true, settings.retryDelays, random)
      }))
      yield* takeApart(outcomes.filter(({ written }) => written.next_attempt_on !== null).map(rowOf))
      const ofBundles = outcomes.filter((outcome) => isBundled(rowOf(outcome)))
      const ofQueue = outcomes.filter((outcome) => !isBundled(rowOf(outcome)))
      const bundleResult =
        ofBundles.length === 0 ? nothing : yield* writeOrdinary(activation, ofBundles, now, bundleForm)
      if (bundleResult === undefined) yield* takeApart(ofBundles.map(rowOf))
      const otherOutcomes = bundleResult === undefined ? outcomes : ofQueue
      const { health, nextAt } = bundleResult ?? nothing
      if (otherOutcomes.length === 0) return { health, nextAt }
      const queueResult = yield* commit(activation, otherOutcomes, now, random)
      return { health: new Map([...health, ...queueResult.health]), nextAt: Math.min(nextAt, queueResult.nextAt) }
    })
  })
