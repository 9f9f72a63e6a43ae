// decisions W16: a replay of many is a job. It chooses by time, status, error and type, takes at most half of the app's executions and so
// many a minute of its own, keeps the order of records (W3), and can be seen and cancelled.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeDueApps } from "../../../src/domain/webhooks/dueApps.ts"
import { HookReplays } from "../../../src/domain/webhooks/replays/HookReplays.ts"
import type { ReplayChoice } from "../../../src/domain/webhooks/replays/Replay.ts"
import { replayJobKinds } from "../../../src/domain/webhooks/replays/replayKind.ts"
import { makeResumeHook } from "../../../src/domain/webhooks/resumeHook.ts"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { bareActor, layerBare, result } from "./support/bareActor.ts"
import { grantOf, seedHook } from "./support/harness.ts"

const PER_WINDOW = 10
const everything: ReplayChoice = { since: new Date(0), statuses: ["failed", "withheld"] }

/** An app with so many failed deliveries, one a record, and none that waits. */
const failedDeliveries = (count: number) =>
  Effect.gen(function* () {
    const actor = yield* bareActor
    const { fan, hookId, sql, updates } = actor
    const events = Array.from({ length: count }, (_, record) => updates(record + 1, 1)).flat()
    yield* fan(events)
    yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId}`
    yield* sql`UPDATE webhook_deliveries SET status = 'failed', num_attempts = 1 WHERE hook_id = ${hookId}`
    yield* sql`
      INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, latency_ms, error)
      SELECT hook_id, event_id, 1, now(), 3, CASE WHEN event_id % 2 = 0 THEN 'tls_error: cert has expired' ELSE 'timeout' END
      FROM webhook_deliveries WHERE hook_id = ${hookId}`
    const replays = yield* HookReplays
    return {
      ...actor,
      replays,
      events,
      lapse: sql`UPDATE webhook_windows SET window_start = window_start - interval '2 minutes'`,
      lapseReplays: sql`UPDATE webhook_replays SET window_start = window_start - interval '2 minutes'`,
      statuses: Effect.map(
        sql<{ status: string }>`SELECT status FROM webhook_deliveries WHERE hook_id = ${hookId} ORDER BY event_id`,
        (rows) => rows.map(({ status }) => status)
      )
    }
  })

layer(layerBare({ perWindow: PER_WINDOW }), { excludeTestServices: true })("replays of many (W16)", (it) => {
  describe("what they take", () => {
    it.effect(
      "at most half of the app's executions in a window, retries included, and the rest is free for what is new",
      () =>
        Effect.gen(function* () {
          const { claim, fan, hookId, lapse, replays, round, sql, updates, write } = yield* failedDeliveries(12)
          const { replay_id } = yield* replays.start(hookId, everything, "operator")
          yield* round
          const firstRows = yield* claim(100)
          assert.strictEqual(firstRows.length, PER_WINDOW / 2)
          // They fail: their retries come back behind the gate, which is shut for this window.
          yield* write(firstRows.map((row) => result(row, false)))
          yield* sql`UPDATE webhook_queue SET due_at = now() - interval '1 second' WHERE hook_id = ${hookId}`
          yield* round
          assert.deepStrictEqual(yield* claim(100), [])
          yield* fan(Array.from({ length: 7 }, (_, record) => updates(100 + record, 1)).flat())
          assert.strictEqual((yield* claim(100)).length, PER_WINDOW / 2)
          yield* lapse
          yield* round
          const second = yield* claim(100)
          const ofReplay = yield* sql<{ n: number }>`
          SELECT count(*)::int AS n FROM webhook_queue WHERE replay_id = ${replay_id} AND fence = 1 AND NOT gated`
          assert.deepStrictEqual([second.length, ofReplay[0]!.n], [7, PER_WINDOW / 2])
          const replay = yield* replays.get(replay_id)
          assert.deepStrictEqual([replay.state, replay.replayed, replay.waiting], ["running", 12, 12])
        })
    )

    it.effect("so many a minute as asked for", () =>
      Effect.gen(function* () {
        const { claim, hookId, lapse, lapseReplays, replays, round, write } = yield* failedDeliveries(4)
        const { replay_id } = yield* replays.start(hookId, { ...everything, perMinute: 2 }, "operator")
        for (const [begun, state] of [
          [2, "running"],
          [4, "done"]
        ] as const) {
          yield* round
          const rows = yield* claim(100)
          assert.strictEqual(rows.length, 2)
          yield* write(rows.map((row) => result(row, true)))
          yield* round
          assert.deepStrictEqual(yield* claim(100), [])
          const replay = yield* replays.get(replay_id)
          assert.deepStrictEqual([replay.begun, replay.state], [begun, state])
          yield* lapse
          yield* lapseReplays
        }
      })
    )
  })

  describe("share it in turn", () => {
    /** Another hook of the app, whose failed deliveries are those of the first. */
    const another = ({ app, hookId, sql }: Effect.Success<ReturnType<typeof failedDeliveries>>) =>
      Effect.gen(function* () {
        const other = (yield* seedHook(app, "record.update", "https://93.184.215.14/other")).hookId
        yield* sql`
          INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, num_attempts, created_on)
          SELECT ${other}, event_id, record_id, type, status, payload, num_attempts, created_on
          FROM webhook_deliveries WHERE hook_id = ${hookId}`
        return other
      })

    it.effect("one that waits for its hook's own limit leaves the places to another hook's (W4)", () =>
      Effect.gen(function* () {
        const setting = yield* failedDeliveries(12)
        const { claim, hookId, replays, round, sql, write } = setting
        const other = yield* another(setting)
        yield* sql`UPDATE hooks SET per_minute = 1 WHERE hook_id = ${hookId}`
        yield* replays.start(hookId, everything, "operator")
        yield* round
        const [own, ...more] = yield* claim(100)
        assert.deepStrictEqual([own!.hook_id, more], [hookId, []])
        yield* write([result(own!, true)])
        yield* replays.start(other, everything, "operator")
        yield* round
        const rowsByHook = Map.groupBy(yield* claim(100), ({ hook_id }) => hook_id)
        // Half of the window, of which one is spent and one waits for the hook.
        assert.deepStrictEqual([rowsByHook.get(hookId), rowsByHook.get(other)?.length], [undefined, PER_WINDOW / 2 - 2])
      })
    )

    it.effect("where a window has one place only, each has it once", () =>
      Effect.gen(function* () {
        const setting = yield* failedDeliveries(3)
        const { app, claim, hookId, lapse, lapseReplays, replays, round, sql, write } = setting
        yield* sql`UPDATE organizations SET limits = '{"webhook_per_minute": 2}' WHERE org_id = ${app.orgId}`
        const other = yield* another(setting)
        yield* replays.start(hookId, everything, "operator")
        yield* replays.start(other, everything, "operator")
        const sentHookIds: Array<number> = []
        for (let minute = 0; minute < 4; minute++) {
          yield* round
          const rows = yield* claim(100)
          sentHookIds.push(...rows.map(({ hook_id }) => hook_id))
          yield* write(rows.map((row) => result(row, true)))
          yield* lapse
          yield* lapseReplays
        }
        assert.deepStrictEqual(sentHookIds, [hookId, other, hookId, other])
      })
    )

    it.effect(
      "one of later events of the same records waits for one of earlier ones, and takes no place meanwhile (W3)",
      () =>
        Effect.gen(function* () {
          const { claim, events, fan, hookId, lapse, lapseReplays, replays, round, sql, updates, write } =
            yield* failedDeliveries(8)
          const later = events.flatMap(({ record_id }) => updates(record_id!, 1))
          yield* fan(later)
          yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId}`
          yield* sql`UPDATE webhook_deliveries SET status = 'withheld', num_attempts = 0 WHERE hook_id = ${hookId}`
          const since = new Date(later[0]!.created_on.getTime())
          yield* sql`
          UPDATE webhook_deliveries SET created_on = ${new Date(since.getTime() - 60_000)}
          WHERE hook_id = ${hookId} AND event_id < ${later[0]!.event_id}`
          yield* replays.start(hookId, { ...everything, since }, "operator")
          yield* round
          yield* replays.start(hookId, { ...everything, before: since }, "operator")
          const sentEventIds: Array<number> = []
          for (let minute = 0; minute < 6; minute++) {
            for (let repetition = 0; repetition < 3; repetition++) {
              yield* round
              const rows = yield* claim(100)
              sentEventIds.push(...rows.map(({ event_id }) => event_id))
              yield* write(rows.map((row) => result(row, true)))
            }
            yield* lapse
            yield* lapseReplays
          }
          const allEvents = [...events, ...later]
          assert.sameMembers(
            sentEventIds,
            allEvents.map(({ event_id }) => event_id)
          )
          for (const [n, { event_id }] of events.entries())
            assert.isBelow(sentEventIds.indexOf(event_id), sentEventIds.indexOf(later[n]!.event_id))
        })
    )
  })

  it.effect("chooses by time, status, class of error and type; one that finds nothing is done", () =>
    Effect.gen(function* () {
      const { events, hookId, replays, sql } = yield* failedDeliveries(6)
      const even = events.filter(({ event_id }) => event_id % 2 === 0).length
      const findReplayed = (choice: Partial<ReplayChoice>) =>
        Effect.gen(function* () {
          const { replay_id, replayed, state } = yield* replays.start(hookId, { ...everything, ...choice }, "operator")
          yield* sql`DELETE FROM webhook_queue WHERE replay_id = ${replay_id}`
          yield* sql`UPDATE webhook_deliveries SET status = 'failed' WHERE hook_id = ${hookId}`
          return [replayed, state]
        })
      assert.deepStrictEqual(yield* findReplayed({ errors: ["tls_error"] }), [even, "running"])
      assert.deepStrictEqual(yield* findReplayed({ errors: ["tls_error: cert has expired"] }), [even, "running"])
      assert.deepStrictEqual(yield* findReplayed({ errors: ["status"] }), [0, "done"])
      assert.deepStrictEqual(yield* findReplayed({ types: ["record.create"] }), [0, "done"])
      assert.deepStrictEqual(yield* findReplayed({ types: ["record.update"] }), [6, "running"])
      assert.deepStrictEqual(yield* findReplayed({ before: new Date(0) }), [0, "done"])
      assert.deepStrictEqual(yield* findReplayed({ statuses: ["delivered"] }), [0, "done"])
    })
  )

  it.effect("holds new events of a record behind what it has chosen and was never tried (W3)", () =>
    Effect.gen(function* () {
      const { claim, events, fan, hookId, lapse, replays, round, sql, updates, write } = yield* failedDeliveries(1)
      const more = updates(1, 2)
      yield* fan(more)
      yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId}`
      yield* sql`UPDATE webhook_deliveries SET status = 'withheld', num_attempts = 0 WHERE hook_id = ${hookId}`
      yield* replays.start(hookId, { ...everything, perMinute: 1 }, "operator")
      const freshEvents = updates(1, 1)
      yield* fan(freshEvents)
      const sentEventIds: Array<number> = []
      for (let minute = 0; minute < 4; minute++) {
        yield* round
        const rows = yield* claim(100)
        sentEventIds.push(...rows.map(({ event_id }) => event_id))
        yield* write(rows.map((row) => result(row, true)))
        const released = yield* claim(100)
        sentEventIds.push(...released.map(({ event_id }) => event_id))
        yield* write(released.map((row) => result(row, true)))
        yield* lapse
        yield* sql`UPDATE webhook_replays SET window_start = window_start - interval '2 minutes'`
      }
      assert.deepStrictEqual(
        sentEventIds,
        [...events, ...more, ...freshEvents].map(({ event_id }) => event_id)
      )
    })
  )

  it.effect("stands behind its gate when its hook is resumed (W12)", () =>
    Effect.gen(function* () {
      const { app, claim, hookId, replays, round, sql } = yield* failedDeliveries(6)
      const resume = yield* makeResumeHook
      yield* sql`UPDATE webhook_deliveries SET status = 'withheld', num_attempts = 0 WHERE hook_id = ${hookId}`
      yield* replays.start(hookId, { ...everything, perMinute: 1 }, "operator")
      yield* round
      yield* sql.withTransaction(resume(grantOf(app, hookId)))
      assert.lengthOf(yield* claim(100), 1)
    })
  )

  it.effect("cancelled, what has not begun is what it was, what has begun goes on, and nothing waits behind it", () =>
    Effect.gen(function* () {
      const { claim, fan, hookId, replays, round, sql, statuses, updates, write } = yield* failedDeliveries(8)
      yield* sql`
        UPDATE webhook_deliveries SET status = 'withheld', num_attempts = 0, withheld_on = now() WHERE hook_id = ${hookId}
          AND event_id = (SELECT max(event_id) FROM webhook_deliveries WHERE hook_id = ${hookId})`
      const { replay_id } = yield* replays.start(hookId, everything, "operator")
      // Of the record whose withheld delivery waits at the gate.
      const laterEvents = updates(8, 1)
      yield* fan(laterEvents)
      yield* round
      const firstRows = yield* claim(100)
      assert.strictEqual(firstRows.length, PER_WINDOW / 2)
      assert.strictEqual((yield* replays.cancel(replay_id, null)).state, "cancelled")
      yield* round
      assert.deepStrictEqual((yield* statuses).slice(5), ["failed", "failed", "withheld", "queued"])
      assert.isNotNull((yield* replays.get(replay_id)).ended_on)
      yield* write(firstRows.map((row) => result(row, false)))
      // Retries as of any delivery: no gate is left.
      const [open] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM webhook_queue WHERE hook_id = ${hookId} AND NOT blocked AND replay_id IS NULL`
      assert.strictEqual(open!.n, firstRows.length + 1)
      assert.deepStrictEqual(
        (yield* claim(100)).map(({ event_id }) => event_id),
        laterEvents.map(({ event_id }) => event_id)
      )
      const secondCancel = yield* replays.cancel(replay_id, null)
      assert.strictEqual(secondCancel.state, "cancelled")
    })
  )

  it.effect("is stopped when the hook loses its verification", () =>
    Effect.gen(function* () {
      const { hookId, replays, round, sql } = yield* failedDeliveries(3)
      const { replay_id } = yield* replays.start(hookId, everything, "operator")
      yield* sql`UPDATE hooks SET status = 'inactive' WHERE hook_id = ${hookId}`
      yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId}`
      yield* round
      yield* round
      const replay = yield* replays.get(replay_id)
      assert.deepStrictEqual([replay.state, replay.ended_on === null], ["stopped", false])
      assert.strictEqual((yield* Effect.flip(replays.start(hookId, everything, "operator")))._tag, "Conflict")
    })
  )

  it.effect("wakes its actor when there is something to do, and not while its window is spent", () =>
    Effect.gen(function* () {
      const { activation, claim, hookId, lapse, replays, round, write } = yield* failedDeliveries(8)
      const { nextDue, withDueRows } = yield* makeDueApps
      const due = Effect.map(
        Effect.suspend(() => withDueRows(new Date())),
        (apps) => apps.some(({ id }) => id === activation.id)
      )
      assert.deepStrictEqual([yield* nextDue(activation.id), yield* due], [null, false])
      const { replay_id } = yield* replays.start(hookId, everything, "operator")
      // biome-ignore lint/plugin: it holds the longer, the later it is asked.
      assert.isAtMost((yield* nextDue(activation.id))!.getTime(), Date.now())
      assert.isTrue(yield* due)
      yield* round
      const askedAt = Date.now()
      yield* write((yield* claim(100)).map((row) => result(row, true)))
      assert.isAbove((yield* nextDue(activation.id))!.getTime(), askedAt + 30_000)
      assert.isFalse(yield* due)
      yield* lapse
      assert.isTrue(yield* due)
      yield* round
      yield* write((yield* claim(100)).map((row) => result(row, true)))
      // The last has its result: one round more, which ends the replay.
      assert.isTrue(yield* due)
      assert.strictEqual(yield* round, Number.POSITIVE_INFINITY)
      assert.strictEqual((yield* replays.get(replay_id)).state, "done")
      assert.deepStrictEqual([yield* nextDue(activation.id), yield* due], [null, false])
    })
  )

  it.effect("is a job, which tells how far it is, and whose end ends it (developer-api.md 7.11)", () =>
    Effect.gen(function* () {
      const { claim, hookId, lapse, replays, round, sql, statuses, write } = yield* failedDeliveries(8)
      const [kind] = yield* replayJobKinds
      const { job_id, replay_id } = yield* replays.start(hookId, everything, "operator")
      const jobOf = Effect.map(
        sql<{
          kind: string
          status: string
          total: number
        }>`SELECT kind, status, total FROM jobs WHERE job_id = ${job_id}`,
        ([row]) => row!
      )
      assert.deepStrictEqual(yield* jobOf, { kind: "delivery_replay", status: "pending", total: 8 })
      assert.strictEqual((yield* replays.get(replay_id)).job_id, job_id)
      const listReplays = (position: string | null) =>
        Effect.map(
          kind!.batch({ jobId: job_id, caller: "operator", input: { replay_id }, position }),
          ({ done, over, position, total }) => ({ done, over, position, total })
        )
      assert.deepStrictEqual(yield* listReplays(null), { done: 0, over: false, position: "0", total: 8 })
      yield* round
      yield* write((yield* claim(100)).map((row) => result(row, true)))
      assert.deepStrictEqual(yield* listReplays("0"), { done: 5, over: false, position: "5", total: 8 })
      assert.deepStrictEqual(yield* listReplays("5"), { done: 0, over: false, position: "5", total: 8 })

      yield* lapse
      yield* sql`UPDATE jobs SET status = 'cancelled', completed_on = now() WHERE job_id = ${job_id}`
      assert.strictEqual((yield* replays.get(replay_id)).state, "cancelled")
      yield* round
      assert.deepStrictEqual(yield* claim(100), [])
      yield* round
      assert.deepStrictEqual((yield* statuses).slice(5), ["failed", "failed", "failed"])
      const endedReplay = yield* replays.get(replay_id)
      assert.deepStrictEqual([endedReplay.state, endedReplay.ended_on === null], ["cancelled", false])
      assert.strictEqual((yield* Effect.flip(listReplays("5")))._tag, "JobEnded")

      const another = yield* replays.start(hookId, everything, "operator")
      yield* replays.cancel(another.replay_id, null)
      const [job] = yield* sql<{ status: string }>`SELECT status FROM jobs WHERE job_id = ${another.job_id}`
      assert.strictEqual(job!.status, "cancelled")
    })
  )

  it.effect("its job ends with it: done, or failed where the hook is gone or lost its verification", () =>
    Effect.gen(function* () {
      const { claim, hookId, replays, round, sql, write } = yield* failedDeliveries(3)
      const [kind] = yield* replayJobKinds
      const readReplay = (replay_id: number) =>
        kind!.batch({ jobId: 0, caller: "operator", input: { replay_id }, position: null })
      const completedReplay = yield* replays.start(hookId, everything, "operator")
      yield* round
      yield* write((yield* claim(100)).map((row) => result(row, true)))
      yield* round
      const { counts, over } = yield* readReplay(completedReplay.replay_id)
      assert.deepStrictEqual({ counts, over }, { counts: { replayed: 3 }, over: true })

      const stopped = yield* replays.start(hookId, { ...everything, statuses: ["delivered"] }, "operator")
      yield* sql`UPDATE hooks SET status = 'inactive' WHERE hook_id = ${hookId}`
      yield* round
      assert.include((yield* Effect.flip(readReplay(stopped.replay_id))).message, "lost its verification")
      yield* sql`DELETE FROM hooks WHERE hook_id = ${hookId}`
      assert.include((yield* Effect.flip(readReplay(stopped.replay_id))).message, "was deleted")
    })
  )

  it.effect("is in the audit log, and a hook has at most ten at once", () =>
    Effect.gen(function* () {
      const { app, hookId, replays, sql } = yield* failedDeliveries(1)
      const audit = yield* AuditLog
      const caller = { ...grantOf(app, hookId).caller, userId: 7 }
      const replayIds: Array<number> = []
      for (let count = 0; count < 10; count++) {
        replayIds.push(
          (yield* replays.start(hookId, { ...everything, statuses: ["failed", "queued"] }, caller)).replay_id
        )
        yield* sql`UPDATE webhook_replays SET counted = false WHERE hook_id = ${hookId}`
      }
      assert.strictEqual((yield* Effect.flip(replays.start(hookId, everything, caller)))._tag, "Conflict")
      yield* replays.cancel(replayIds[0]!, 7)
      const rows = yield* audit.read({ event: "hook", userId: 7 })
      assert.deepStrictEqual(
        [rows[0]!.event, rows[0]!.details["replay_id"], rows.length],
        ["hook.replay_cancelled", replayIds[0], 11]
      )
      assert.strictEqual((yield* replays.list(hookId)).length, 10)
    })
  )
})
