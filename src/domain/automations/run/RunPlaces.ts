// At most 50 runs of an organization execute at once; the rest wait in order and are never dropped (developer-api.md 7.11 rule 7).
// A run that waits in a delay holds no place. Whoever gives one back calls the next: where it stands in line, or by waking it.
import { Clock, Context, Effect, Layer, Queue, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AppConfig } from "../../../ground/config/Config.ts"
import { inBrief } from "../../../ground/sql/away.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { wakeEvent } from "../model/fireCommand.ts"
import { makeLine, type StandingInLine } from "./placeLine.ts"
import { goesOn } from "./waiting.ts"

const PLACES_LOCK = 727_050

const RunId = Schema.Struct({ run_id: Schema.String })

const CalledRun = Schema.Struct({ run_id: Schema.String, app_id: Schema.Int, automation_id: Schema.Int })

const Waiting = Schema.Struct({ waiting: Schema.Boolean })

export class RunPlaces extends Context.Service<
  RunPlaces,
  {
    /** In the caller's transaction: those of the runs, in order, that got a place. The others are in the line. */
    readonly take: (orgId: number, runIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SqlError>
    /** In the caller's transaction, before runs are changed that may stand in the line: nobody else gives or takes places until its end. */
    readonly hold: (orgId: number) => Effect.Effect<void, SqlError>
    /** Before `take`: the run can wait where it is until it is called. Null: too many do. */
    readonly stand: (orgId: number, runId: string) => Effect.Effect<StandingInLine | null, never, Scope.Scope>
    /** Gives the run's place back and has the next in the line called, if any. */
    readonly release: (orgId: number, runId: string) => Effect.Effect<void, SqlError>
    /** Says that places of the organization have come free, as at the end of a run: one look for all those at about the same time. */
    readonly freed: (orgId: number) => Effect.Effect<void>
  }
>()("millrace/automations/run/RunPlaces") {
  static readonly layer = Layer.effect(
    RunPlaces,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const { runsConcurrent } = yield* AppConfig
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const line = yield* makeLine((runIds) =>
        Effect.map(
          rowsOf(RunId)(sql`
            SELECT run_id::text FROM runs WHERE run_id = ANY(${runIds as Array<string>}::text[]::bigint[])
              AND (place_wanted_on IS NULL OR cancel_requested_on IS NOT NULL OR completed_on IS NOT NULL)`),
          (rows) => rows.map(({ run_id }) => run_id)
        )
      )
      const free = sql.literal(goesOn)
      const lock = (orgId: number) => sql`SELECT pg_advisory_xact_lock(${PLACES_LOCK}::int, ${orgId}::int)`

      const take = Effect.fnUntraced(function* (orgId: number, runIds: ReadonlyArray<string>) {
        if (runIds.length === 0) return new Set<string>()
        const at = yield* now
        // Those who have waited longer go first; a run that holds a place keeps it.
        yield* lock(orgId)
        const placed = yield* rowsOf(RunId)(sql`
          WITH asked AS (SELECT id, ord FROM unnest(${runIds as Array<string>}::text[]::bigint[]) WITH ORDINALITY AS a (id, ord)),
          held AS (SELECT run_id FROM run_places WHERE org_id = ${orgId}),
          ahead AS (
            SELECT count(*) AS n FROM runs
            WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL AND run_id NOT IN (SELECT id FROM asked)
              AND place_wanted_on < coalesce((SELECT min(r.place_wanted_on) FROM runs r JOIN asked ON id = r.run_id), ${at})
          ), taken AS (
            INSERT INTO run_places (run_id, org_id, taken_on)
            SELECT id, ${orgId}, ${at} FROM (
              SELECT id, row_number() OVER (ORDER BY ord) AS n FROM asked WHERE id NOT IN (SELECT run_id FROM held)
            ) AS fresh
            WHERE n <= ${runsConcurrent}::int - (SELECT count(*) FROM held) - (SELECT n FROM ahead)
            ON CONFLICT DO NOTHING RETURNING run_id
          ), placed AS (
            SELECT run_id FROM taken UNION SELECT run_id FROM held WHERE run_id IN (SELECT id FROM asked)
          ), line AS (
            UPDATE runs r SET ${free},
              place_wanted_on = CASE WHEN p.run_id IS NULL THEN coalesce(r.place_wanted_on, ${at}::timestamptz) END
            FROM asked LEFT JOIN placed p ON p.run_id = asked.id
            WHERE r.run_id = asked.id AND ((p.run_id IS NULL) = (r.place_wanted_on IS NULL) OR r.wait_why IS NOT NULL)
              AND (p.run_id IS NOT NULL OR r.completed_on IS NULL)
          )
          SELECT run_id::text FROM placed`)
        return new Set(placed.map(({ run_id }) => run_id))
      })

      const callNext = (orgId: number) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const at = yield* now
              yield* lock(orgId)
              const called = yield* rowsOf(CalledRun)(sql`
              WITH next AS (
                SELECT run_id FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL
                ORDER BY place_wanted_on, run_id
                LIMIT greatest(0, ${runsConcurrent}::int - (SELECT count(*) FROM run_places WHERE org_id = ${orgId}))
              ), placed AS (
                INSERT INTO run_places (run_id, org_id, taken_on) SELECT run_id, ${orgId}, ${at} FROM next
                ON CONFLICT DO NOTHING
              )
              UPDATE runs SET place_wanted_on = NULL, ${free} FROM next WHERE runs.run_id = next.run_id
              RETURNING runs.run_id::text, runs.app_id, runs.automation_id`)
              const elsewhere = called.filter(({ run_id }) => !line.has(run_id))
              yield* outbox.append(elsewhere.map((run) => wakeEvent({ ...run, org_id: orgId })))
              return called.map(({ run_id }) => run_id)
            })
          )
          .pipe(Effect.flatMap(line.call))

      const organizations = yield* Queue.unbounded<number>()
      const look = Effect.fnUntraced(function* (orgId: number) {
        const row = yield* rowOf(Waiting)(sql`
          SELECT EXISTS (SELECT 1 FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL) AS waiting`)
        if (row?.waiting === true) yield* callNext(orgId)
      })
      yield* Queue.takeAll(organizations).pipe(
        Effect.flatMap((ids) => Effect.forEach(new Set(ids), look, { discard: true })),
        // Who waits looks again by itself after a while.
        Effect.catchCause((cause) => Effect.logDebug("calling the next runs failed", inBrief(cause))),
        Effect.forever,
        Effect.forkScoped
      )
      const freed = (orgId: number) => Effect.asVoid(Queue.offer(organizations, orgId))

      const release = Effect.fnUntraced(function* (orgId: number, runId: string) {
        yield* sql`DELETE FROM run_places WHERE run_id = ${runId}::bigint`
        yield* freed(orgId)
      })

      return RunPlaces.of({ take, hold: (orgId) => Effect.asVoid(lock(orgId)), stand: line.stand, release, freed })
    })
  )
}
