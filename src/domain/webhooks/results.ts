// Commits the results of executions in batches: attempt rows, deliveries, queue, failure counts and next tries (decisions W1, W2, W3). An
// ordinary batch is one statement; one that causes a notice or ends a verification is settled result by result (settleOneByOne.ts).
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Activation, Fenced } from "../../engine/actors/ActorKind.ts"
import { heldBy, isHeld } from "../../engine/actors/fence.ts"
import { atMost, givenIds } from "../../platform/sql/given.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { Bundle } from "./bundles/Bundle.ts"
import { countDeliveries } from "./deliveryMetrics.ts"
import { ALERT_SHARES, type HookHealth, nextNoticeAt } from "./failures.ts"
import { HookStatus } from "./Hook.ts"
import type { HookNotices } from "./HookNotices.ts"
import { makeWriting, type Written } from "./resultStatements.ts"
import type { WebhookSettingsShape } from "./settings.ts"
import { makeSettle } from "./settleOneByOne.ts"
import { makeCounting } from "./statistics/counting.ts"
import { type Result, type Tally, talliesOf, writtenOf } from "./verdict.ts"

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

/** Turns bundles into rows of the queue; deliveries in flight stay in flight (bundles/takeApart.ts). */
type TakeApart = (bundles: ReadonlyArray<Bundle>) => Effect.Effect<unknown, Fenced | SqlError>

const nothing: Settled = { health: new Map(), nextAt: Number.POSITIVE_INFINITY }

const mergeSettled = (a: Settled, b: Settled): Settled => ({
  health: new Map([...a.health, ...b.health]),
  nextAt: Math.min(a.nextAt, b.nextAt)
})

const ofWhole = ({ result: { row } }: Outcome) => row.bundle?.whole === true
/** Whole ones. */
const bundlesOf = (outcomes: ReadonlyArray<Outcome>) => [
  ...new Set(outcomes.filter(ofWhole).flatMap(({ result: { row } }) => row.bundle ?? []))
]

export const makeWriteResults = (settings: WebhookSettingsShape, notices: HookNotices["Service"]) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { bundledWrites, given, release, writes } = yield* makeWriting
    const settleResults = yield* makeSettle(settings, notices)
    const { counts } = yield* makeCounting
    const toldFrom = sql.literal(
      `CASE alerted ${[0, ...ALERT_SHARES]
        .map((share) => `WHEN ${share} THEN ${nextNoticeAt(share, settings.failuresAllowed)}`)
        .join(" ")} END`
    )

    /**
     * CTEs over `batch`: its bundles, locked after the hooks (whoever splits bundles locks both), and the rows of the batch that still
     * belong to one.
     */
    const ofBundles = (written: ReadonlyArray<Written>) => sql`, b AS MATERIALIZED (
          SELECT event_id, record_id, type, rest, created_on, traceparent, hooks FROM webhook_bundles
          WHERE (SELECT count(*) FROM h) > 0 AND event_id IN ${givenIds(sql, [...new Set(written.map(({ event_id }) => event_id))])}
          ORDER BY event_id FOR UPDATE
        ), whole AS (SELECT 1 FROM batch x JOIN b USING (event_id) WHERE x.hook_id = ANY(b.hooks))`

    /**
     * Writes all, or nothing if a hook was deleted, is inactive with failures, or reaches a share at which its admins are notified. A
     * delivery whose result a database crash loses is sent again, so the commit need not wait for the disk.
     */
    const ordinarily = (
      activation: Activation,
      tallies: ReadonlyArray<Tally>,
      written: ReadonlyArray<Written>,
      now: Date,
      bundled: boolean
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
        )${bundled ? ofBundles(written) : sql``}, verdict AS (
          SELECT count(*) = ${tallies.length} AND ${bundled ? sql`(SELECT count(*) FROM whole) = ${written.length} AND` : sql``} coalesce(bool_and(lead + peak = 0 OR (
            status = 'active' AND failed + lead < ${toldFrom} AND peak < ${nextNoticeAt(0, settings.failuresAllowed)})), false) AS ordinary
          FROM h
        ), r AS (
          SELECT x.* FROM verdict CROSS JOIN batch x WHERE verdict.ordinary
        ), ${bundled ? bundledWrites : writes(now)}, counted AS (
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
      bundled: boolean
    ): Effect.fn.Return<Settled | undefined, Fenced | SqlError> {
      const results = outcomes.map(({ result }) => result)
      const rows = outcomes.map((outcome) => outcome.written)
      const writtenRows = yield* activation.once.statement(
        ordinarily(activation, talliesOf(results), rows, now, bundled),
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
      const ordinaryResult = yield* writeOrdinary(activation, outcomes, now, false)
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
      yield* takeApart(bundlesOf(outcomes.filter(({ written }) => written.next_attempt_on !== null)))
      const bundled = outcomes.filter(ofWhole)
      const queued = outcomes.filter((outcome) => !ofWhole(outcome))
      const bundledResult = bundled.length === 0 ? nothing : yield* writeOrdinary(activation, bundled, now, true)
      if (bundledResult === undefined) yield* takeApart(bundlesOf(bundled))
      const otherOutcomes = bundledResult === undefined ? outcomes : queued
      if (otherOutcomes.length === 0) return bundledResult ?? nothing
      const further = yield* commit(activation, otherOutcomes, now, random)
      return mergeSettled(bundledResult ?? nothing, further)
    })
  })
