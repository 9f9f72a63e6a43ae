// Failovers as docs/operations.md describes them: a standby that streams is promoted, the address in front of both leads to it, and the
// service goes on (docs/architecture/actors.md, "Epochs").
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../src/domain/automations/durable/Reconcile.ts"
import { type EpochEnded, layer as watchEpoch } from "../../../src/engine/epoch/epochWatch.ts"
import { Installation } from "../../../src/engine/epoch/Installation.ts"
import { Epoch } from "../../../src/engine/temporal/Epoch.ts"
import { automate, createRecord, endDelays, runsOf, setText } from "../../domain/automations/runSupport.ts"
import { seedApp } from "../../domain/automations/support.ts"
import { App } from "../../support/app.ts"
import { ownPostgres } from "../../support/clusters.ts"
import { BOUND } from "../../support/eventually.ts"
import { eventually, spineLayerOn } from "../../support/spine.ts"
import { standbyOf, switchedPort } from "../../support/standby.ts"
import { freshName } from "../../support/temporal.ts"

const RECOVERED = "the cluster goes on from a recovery or on a standby (another timeline)"

const machine = Effect.fnUntraced(function* (env: Record<string, string>) {
  const primary = yield* ownPostgres
  const standby = yield* standbyOf(primary)
  const address = yield* switchedPort(Number(new URL(primary.url).port))
  const on = { url: address.before(primary.url), namespace: freshName("failover") }
  /** One process, and why it would have ended by now. */
  const process = <A, E, R>(work: (over: Effect.Effect<EpochEnded | null>) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let epochEnd: EpochEnded | null = null
      const watched = watchEpoch((why) =>
        Effect.sync(() => {
          epochEnd ??= why
        })
      )
      return Effect.scoped(
        Effect.provide(work(Effect.sync(() => epochEnd)), watched.pipe(Layer.provideMerge(spineLayerOn(on, env))))
      )
    })
  const failOver = Effect.gen(function* () {
    yield* primary.kill
    yield* standby.promote
    yield* address.to(standby.port)
  })
  return { primary, standby, address, process, failOver }
})

const setting = Effect.gen(function* () {
  const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const hour = { type: "delay", config: { delay_ms: 3_600_000 } }
  const id = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [hour, setText(fields["reference"]!, "done")]
  })
  return { appId, token, id }
})
type Setting = Effect.Success<typeof setting>

/** A run that waits in its delay. */
const startWaitingRun = Effect.fnUntraced(function* ({ appId, id, token }: Setting) {
  const initialCount = (yield* runsOf(id)).length
  yield* createRecord(token, appId, {})
  yield* eventually(
    "waits",
    runsOf(id),
    (all) =>
      all.length > initialCount &&
      all.every(({ wait_until, workflow_started_on }) => wait_until !== null && workflow_started_on !== null)
  )
})

/** All that wait go on to their end; how they ended. */
const completed = Effect.fnUntraced(function* ({ id }: Setting, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute'`
  yield* (yield* Reconcile).run(false)
  yield* eventually(
    "all wait",
    runsOf(id),
    (all) => all.length === count && all.every((one) => one.wait_until !== null)
  )
  // Whoever waits since just now has no workflow yet.
  const endAllDelays = Effect.retry(endDelays(id), Schedule.upTo(Schedule.spaced("200 millis"), { duration: BOUND }))
  const woken = Effect.andThen(endAllDelays, runsOf(id))
  const runs = yield* eventually("over", woken, (all) => all.every(({ completed_on }) => completed_on !== null))
  return runs.map(({ status }) => status)
})

const epoch = Effect.flatMap(Epoch, ({ current }) => Effect.map(current, ({ number }) => number))

const history = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ details: { reason: string } }>`
    SELECT details FROM audit_log WHERE event = 'installation.epoch_began' ORDER BY audit_id`
  return rows.map(({ details }) => details.reason)
})

const recordIds = Effect.fnUntraced(function* (appId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: number }>`SELECT record_id::int AS id FROM records WHERE app_id = ${appId} ORDER BY 1`
  return rows.map(({ id }) => id)
})

/** Records one after another, each under a key of its own and asked for until it is answered, as clients do. */
const writing = Effect.fnUntraced(function* ({ appId, token }: Setting) {
  const app = yield* App
  const answered: Array<number> = []
  let on = true
  const write = Effect.gen(function* () {
    for (let n = 0; on; n++) {
      const headers = { "idempotency-key": `failover-${n}` }
      const request = app.call("POST", `/v1/record/app/${appId}`, { token, headers, body: { fields: {} } })
      const call = Effect.orDie(Effect.timeout(request, "45 seconds"))
      const { json } = yield* eventually("is answered", call, ({ status, text }) => {
        assert.include([200, 409, 503], status, text)
        return status === 200
      })
      answered.push((json as { record_id: number }).record_id)
    }
  })
  const fiber = yield* Effect.forkChild(write)
  const wrote = (more: number) => {
    const from = answered.length
    const awaitWrites = eventually(
      "writes",
      Effect.sync(() => answered.length),
      (now) => now >= from + more
    )
    // An answer that is none of these is told as such.
    return Effect.raceFirst(awaitWrites, Effect.andThen(Fiber.join(fiber), Effect.never))
  }
  const stopped = Effect.suspend(() => {
    on = false
    return Effect.as(Fiber.join(fiber), answered)
  })
  return { wrote, stopped }
})

describe("a failover to a standby", () => {
  it.live("that has all that was committed: the process goes on in its epoch, nothing is lost, nothing doubled", () =>
    Effect.gen(function* () {
      const { failOver, process, standby } = yield* machine({ DATABASE_STANDBYS: "synchronous" })
      yield* standby.synchronous
      yield* process((over) =>
        Effect.gen(function* () {
          const automation = yield* setting
          yield* startWaitingRun(automation)
          const initialIds = yield* recordIds(automation.appId)
          const { stopped, wrote } = yield* writing(automation)
          yield* wrote(5)
          const { changed, lost } = yield* Installation
          assert.isNull(yield* lost)
          yield* failOver
          yield* wrote(10)
          const answered = yield* stopped
          assert.deepStrictEqual(yield* recordIds(automation.appId), [...initialIds, ...answered])
          assert.deepStrictEqual([yield* lost, yield* changed, yield* over], [null, null, null])
          const states = yield* completed(automation, initialIds.length + answered.length)
          assert.deepStrictEqual([...new Set(states)], ["completed"])
          assert.strictEqual(yield* epoch, 1)
        })
      )
      // Who starts afterwards finds the same epoch.
      assert.deepStrictEqual(yield* process(() => Effect.all([epoch, history])), [1, []])
    })
  )

  it.live("whose standbys may lag: a new epoch, and what its rows say goes on", () =>
    Effect.gen(function* () {
      const { failOver, process, standby } = yield* machine({})
      const automation = yield* process((over) =>
        Effect.gen(function* () {
          const testSetting = yield* setting
          yield* startWaitingRun(testSetting)
          yield* standby.caughtUp
          yield* failOver
          const why = yield* eventually("the process ends", over, (ended) => ended !== null)
          assert.include(why!.message, RECOVERED)
          return testSetting
        })
      )
      yield* process(() =>
        Effect.gen(function* () {
          assert.deepStrictEqual([yield* epoch, yield* history], [2, [RECOVERED]])
          assert.deepStrictEqual(yield* completed(automation, 1), ["completed"])
        })
      )
    })
  )

  it.live("that lacks what was committed, whatever was said of it: the process that has seen it begins an epoch", () =>
    Effect.gen(function* () {
      const { address, primary, process, standby } = yield* machine({ DATABASE_STANDBYS: "synchronous" })
      const automation = yield* process((over) =>
        Effect.gen(function* () {
          const testSetting = yield* setting
          yield* startWaitingRun(testSetting)
          yield* standby.caughtUp
          yield* standby.halt
          yield* startWaitingRun(testSetting)
          // Flushed at once: the process looks how far the log is on the disk, and a WAL writer without a processor writes nothing of it.
          yield* primary.asSuperuser(
            (sql) => sql`SELECT pg_logical_emit_message(false, 'more', repeat('x', 9000000), true)::text`
          )
          assert.isNull(yield* (yield* Installation).lost)
          yield* primary.kill
          yield* standby.start
          yield* standby.promote
          yield* address.to(standby.port)
          const why = yield* eventually("the process ends", over, (ended) => ended !== null)
          assert.include(why!.message, "a standby took over without the end of the log")
          return testSetting
        })
      )
      yield* process(() =>
        Effect.gen(function* () {
          assert.strictEqual(yield* epoch, 2)
          const [reason, ...more] = yield* history
          assert.match(reason!, /^a standby took over without the end of the log/)
          assert.deepStrictEqual(more, [])
          assert.deepStrictEqual(yield* completed(automation, 1), ["completed"])
        })
      )
    })
  )
})
