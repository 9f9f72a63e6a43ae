// An older database beside a Temporal that has gone on (docs/operations.md, "After a restore"): ids of runs are given out again, and Temporal
// remembers workflows of those ids that are over. Nothing that it remembers of the other history is believed.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { ensureSchedules } from "../../../../src/domain/housekeeping/Schedules.ts"
import { Epoch, prefixOf, shownEpoch } from "../../../../src/engine/temporal/Epoch.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { freshDatabaseUrl, keepCopy, layerOn } from "../../../support/database.ts"
import { eventually, spineLayer, spineLayerOn } from "../../../support/spine.ts"
import { freshName } from "../../../support/temporal.ts"
import { automate, createRecord, runsOf, runsOver, setText, textOf, waiting } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })
const periodic = {
  type: "periodic",
  config: { schedule_type: "interval", interval_unit: "minute", interval_amount: 30 }
}

const installation = Effect.gen(function* () {
  const database = yield* freshDatabaseUrl
  const namespace = freshName("restored")
  /** One process after another on the same two databases. */
  const process = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.scoped(Effect.provide(work, spineLayerOn({ url: database, namespace })))
  return { database, process }
})

const setting = Effect.gen(function* () {
  const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const ref = fields["reference"]!
  const soon = yield* automate(token, appId, { trigger: created, actions: [delay(1_000), setText(ref, "done")] })
  return { appId, token, ref, soon }
})
type Setting = Effect.Success<typeof setting>

const grown = Effect.fnUntraced(function* ({ appId, soon, token }: Setting, records: number) {
  const runsBefore = (yield* runsOf(soon)).length
  const ids = yield* Effect.forEach(Array.from({ length: records }), () => createRecord(token, appId, {}))
  const runs = (yield* runsOver(soon, runsBefore + records)).slice(runsBefore)
  return { ids, runs }
})

const readEpoch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ epoch: number; mark: number; reason: string }>`SELECT * FROM installation_epoch`
  const epochEntries = yield* sql`SELECT 1 FROM audit_log WHERE event = 'installation.epoch_began'`
  return { ...row!, begun: epochEntries.length }
})

/** As a copy of the files would leave it: by itself the database does not show that it was put back. */
const unmarked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE installation_epoch SET written_xid = pg_current_xact_id()::xid::text::bigint,
    facts = facts || jsonb_build_object('database', (SELECT oid::text FROM pg_database WHERE datname = current_database()))`
})

const statusOf = (workflowId: string) =>
  Effect.flatMap(Temporal, (temporal) =>
    temporal.call(async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name)
  )

const currentEpoch = Effect.flatMap(Epoch, ({ current }) => current)

describe("an older database beside a living Temporal", () => {
  it.live("runs that are written again run, in a new epoch, and nothing of the former one goes on", () =>
    Effect.gen(function* () {
      const { database, process } = yield* installation
      const seededSetting = yield* process(
        Effect.gen(function* () {
          const setup = yield* setting
          yield* automate(setup.token, setup.appId, { trigger: periodic, actions: [delay(1_000)] })
          yield* grown(setup, 1)
          yield* ensureSchedules
          return setup
        })
      )
      const restore = yield* keepCopy(database)
      const lost = yield* process(
        Effect.gen(function* () {
          const { runs } = yield* grown(seededSetting, 4)
          const long = yield* automate(seededSetting.token, seededSetting.appId, {
            trigger: created,
            actions: [delay(3_600_000)]
          })
          yield* createRecord(seededSetting.token, seededSetting.appId, {})
          return { runs, waits: runWorkflowId({ automation_id: long, run_id: (yield* waiting(long)).run_id }) }
        })
      )
      yield* restore
      yield* process(
        Effect.gen(function* () {
          const temporal = yield* Temporal
          const { ids, runs } = yield* grown(seededSetting, 4)
          assert.deepStrictEqual(
            runs.map(({ run_id, status }) => [run_id, status]),
            lost.runs.map(({ run_id }) => [run_id, "completed"])
          )
          for (const id of ids) assert.strictEqual(yield* textOf(id, seededSetting.ref), "done")
          const epoch = yield* (yield* Epoch).current
          assert.strictEqual(epoch.number, 2)
          const { begun, reason } = yield* readEpoch
          assert.deepStrictEqual({ begun, reason }, { begun: 1, reason: "the database is a copy" })
          // Each run has its workflow under an id of the epoch.
          const id = prefixOf(epoch) + runWorkflowId({ automation_id: seededSetting.soon, run_id: runs[0]!.run_id })
          yield* eventually("its workflow is over", statusOf(id), (status) => status === "COMPLETED")
          yield* (yield* Reconcile).run(true)
          yield* eventually("the waiting workflow is ended", statusOf(lost.waits), (status) => status === "TERMINATED")
          const why = yield* temporal.call(async (client) => {
            const { events } = await client.workflow.getHandle(lost.waits).fetchHistory()
            return events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason
          })
          assert.include(why, `Of the former epoch e1: the database was restored or replaced, and ${shownEpoch(epoch)}`)
          yield* ensureSchedules
          const schedules = temporal.call(async (client) => {
            const scheduleIds: Array<string> = []
            for await (const { scheduleId } of client.schedule.list()) scheduleIds.push(scheduleId)
            return scheduleIds
          })
          yield* eventually("schedules of this epoch alone", schedules, (all) => {
            const epochSchedules = all.filter((one) => one !== "installation")
            return epochSchedules.length > 5 && epochSchedules.every((one) => one.startsWith(prefixOf(epoch)))
          })
        })
      )
      // The next process finds nothing new.
      const { begun, epoch } = yield* process(Effect.andThen(currentEpoch, readEpoch))
      assert.deepStrictEqual([begun, epoch], [1, 2])
    })
  )

  it.live(
    "a database that shows nothing by itself is known by what Temporal remembers; two processes begin one epoch",
    () =>
      Effect.gen(function* () {
        const { database, process } = yield* installation
        const seededSetting = yield* process(Effect.tap(setting, (made) => grown(made, 1)))
        const restore = yield* keepCopy(database)
        yield* process(Effect.andThen(currentEpoch, grown(seededSetting, 2)))
        yield* restore
        yield* Effect.provide(unmarked, layerOn(database))
        const [one, other] = yield* Effect.all([process(currentEpoch), process(currentEpoch)], { concurrency: 2 })
        assert.deepStrictEqual(one, other)
        yield* process(
          Effect.gen(function* () {
            const { begun, epoch, reason } = yield* readEpoch
            assert.deepStrictEqual([begun, epoch], [1, 2])
            assert.match(reason, /^Temporal knows of e1, mark \d+; the database is older$/)
            const { runs } = yield* grown(seededSetting, 2)
            assert.deepStrictEqual(
              runs.map(({ status }) => status),
              ["completed", "completed"]
            )
          })
        )
      })
  )
})

layer(spineLayer(), { excludeTestServices: true })(
  "a database that is older than Temporal, between two looks",
  (it) => {
    const old = (runId: string) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE runs SET created_on = created_on - interval '1 minute' WHERE run_id = ${runId}::bigint`
      )
    const reconciled = Effect.flip(Effect.flatMap(Reconcile, (reconcile) => reconcile.run(false)))

    it.effect("a workflow that was told the end of a run which is open ends nothing: a new epoch begins", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const seededSetting = yield* setting
        const { runs } = yield* grown(seededSetting, 1)
        const id = runWorkflowId({ automation_id: seededSetting.soon, run_id: runs[0]!.run_id })
        yield* eventually("over", statusOf(id), (status) => status === "COMPLETED")
        yield* sql`UPDATE runs SET status = 'running', completed_on = NULL WHERE run_id = ${runs[0]!.run_id}::bigint`
        yield* old(runs[0]!.run_id)
        const refusal = yield* reconciled
        assert.include(refusal.message, `the workflow ${id} was told that its run is completed`)
        assert.strictEqual((yield* runsOf(seededSetting.soon))[0]!.status, "running")
        const { begun, epoch } = yield* readEpoch
        assert.deepStrictEqual([begun, epoch], [1, 2])
      })
    )

    it.effect("in a process that another epoch has overtaken, a terminated workflow cancels no run", () =>
      Effect.gen(function* () {
        const temporal = yield* Temporal
        const { appId, token } = yield* setting
        const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000)] })
        yield* createRecord(token, appId, {})
        const { run_id } = yield* waiting(id)
        yield* temporal.call((client) =>
          client.workflow.getHandle(runWorkflowId({ automation_id: id, run_id })).terminate()
        )
        yield* old(run_id)
        assert.strictEqual((yield* reconciled)._tag, "EpochOver")
        assert.strictEqual((yield* runsOf(id))[0]!.status, "running")
      })
    )
  }
)

layer(spineLayer(), { excludeTestServices: true })("a workflow of another run that the same id was given to", (it) => {
  it.effect("is not taken for this one's, though it still runs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000)] })
      yield* createRecord(token, appId, {})
      const { run_id } = yield* waiting(id)
      yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute', filtering_on = filtering_on + interval '1 minute'
        WHERE run_id = ${run_id}::bigint`
      const reconcile = yield* Reconcile
      const reconciliation = yield* eventually(
        "seen",
        Effect.result(reconcile.run(false)),
        ({ _tag }) => _tag === "Failure"
      )
      assert.include(JSON.stringify(reconciliation), "is of another run")
      assert.strictEqual((yield* readEpoch).epoch, 2)
    })
  )
})
