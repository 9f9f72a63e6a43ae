// The restores of docs/operations.md, done as it says, to a Postgres and a Temporal of the test's own: what begins a new epoch, and what
// becomes of the runs that waited.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../src/domain/automations/durable/Reconcile.ts"
import { runWorkflowId } from "../../../src/domain/automations/run/runWorkflowId.ts"
import { Epoch, prefixOf } from "../../../src/engine/temporal/Epoch.ts"
import { Temporal } from "../../../src/engine/temporal/Temporal.ts"
import { automate, createRecord, endDelays, runsOf, setText } from "../../domain/automations/runSupport.ts"
import { seedApp } from "../../domain/automations/support.ts"
import { ownPostgres, ownTemporal } from "../../support/clusters.ts"
import { eventually, spineLayerOn } from "../../support/spine.ts"

const created = { type: "record_created", config: {} }
const hour = { type: "delay", config: { delay_ms: 3_600_000 } }

const machine = Effect.gen(function* () {
  const postgres = yield* ownPostgres
  const temporal = yield* ownTemporal
  const process = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.provide(work, spineLayerOn({ url: postgres.url, namespace: "millrace", address: temporal.address }))
    )
  return { postgres, temporal, process }
})

const setting = Effect.gen(function* () {
  const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const id = yield* automate(token, appId, { trigger: created, actions: [hour, setText(fields["reference"]!, "done")] })
  return { appId, token, id }
})
type Setting = Effect.Success<typeof setting>

/** A run that waits in its delay, as its workflow does. */
const startWaitingRun = Effect.fnUntraced(function* ({ appId, id, token }: Setting) {
  const initialCount = (yield* runsOf(id)).length
  yield* createRecord(token, appId, {})
  const runs = yield* eventually(
    "waits",
    runsOf(id),
    (all) => all.length > initialCount && all.at(-1)!.workflow_started_on !== null && all.at(-1)!.wait_until !== null
  )
  return runs.at(-1)!.run_id
})

/** All that wait go on to their end. */
const finishRuns = Effect.fnUntraced(function* ({ id }: Setting) {
  // Each has its workflow, which alone can be woken.
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute'`
  yield* (yield* Reconcile).run(false)
  yield* endDelays(id)
  const woken = Effect.andThen(endDelays(id), runsOf(id))
  const runs = yield* eventually("over", woken, (all) => all.every(({ completed_on }) => completed_on !== null))
  return runs.map(({ run_id, status }) => [run_id, status])
})

const epoch = Effect.flatMap(Epoch, ({ current }) => current)

const history = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ details: { reason: string } }>`
    SELECT details FROM audit_log WHERE event = 'installation.epoch_began' ORDER BY audit_id`
  return rows.map(({ details }) => details.reason)
})

const RECOVERED = "the cluster goes on from a recovery or on a standby (another timeline)"

describe("restores", () => {
  it.live("a base backup with its log, to a point in time: one new epoch, and the runs of that instant go on", () =>
    Effect.gen(function* () {
      const { postgres, process } = yield* machine
      const automation = yield* process(Effect.tap(setting, startWaitingRun))
      yield* postgres.baseBackup
      yield* process(startWaitingRun(automation))
      yield* postgres.asSuperuser((sql) => sql`SELECT pg_create_restore_point('before')::text`)
      yield* process(startWaitingRun(automation))
      yield* postgres.archived
      yield* postgres.halt
      yield* postgres.putBack("base", true)
      yield* postgres.start({
        restore_command: postgres.restoreCommand,
        recovery_target_name: "before",
        recovery_target_action: "promote"
      })
      yield* process(
        Effect.gen(function* () {
          assert.strictEqual((yield* runsOf(automation.id)).length, 2)
          const thirdRun = yield* startWaitingRun(automation)
          assert.deepStrictEqual(
            (yield* finishRuns(automation)).map(([, status]) => status),
            ["completed", "completed", "completed"]
          )
          const currentEpoch = yield* epoch
          assert.strictEqual(currentEpoch.number, 2)
          assert.deepStrictEqual(yield* history, [RECOVERED])
          const temporal = yield* Temporal
          const id = prefixOf(currentEpoch) + runWorkflowId({ automation_id: automation.id, run_id: thirdRun })
          const { memo } = yield* temporal.call((client) => client.workflow.getHandle(id).describe())
          assert.property(memo, "cameAbout")
        })
      )
      // Started once more, it is the same epoch.
      assert.deepStrictEqual(yield* process(Effect.andThen(epoch, history)), [RECOVERED])
    })
  )

  it.live("a base backup with all of its log, and a copy of the files at rest", () =>
    Effect.gen(function* () {
      const { postgres, process } = yield* machine
      const automation = yield* process(setting)
      yield* postgres.baseBackup
      yield* process(startWaitingRun(automation))
      yield* postgres.archived
      yield* postgres.halt
      yield* postgres.putBack("base", true)
      yield* postgres.start({ restore_command: postgres.restoreCommand })
      assert.deepStrictEqual(yield* process(Effect.andThen(epoch, history)), [RECOVERED])

      yield* postgres.halt
      yield* postgres.coldCopy
      yield* postgres.start()
      yield* process(Effect.andThen(epoch, startWaitingRun(automation)))
      yield* postgres.halt
      yield* postgres.putBack("cold")
      yield* postgres.start()
      const [first, second, ...more] = yield* process(Effect.andThen(epoch, history))
      assert.deepStrictEqual([first, more], [RECOVERED, []])
      assert.match(second!, /^Temporal knows of e2-[0-9a-f]{8}, mark \d+; the database is older$/)
      const finishedRuns = yield* process(Effect.andThen(startWaitingRun(automation), finishRuns(automation)))
      assert.deepStrictEqual(
        finishedRuns.map(([, status]) => status),
        ["completed", "completed"]
      )
    })
  )

  it.live("Temporal lost: the same epoch, and all that waits is started again", () =>
    Effect.gen(function* () {
      const { process, temporal } = yield* machine
      const automation = yield* process(Effect.tap(setting, startWaitingRun))
      yield* temporal.halt
      yield* temporal.throwAway
      yield* temporal.start
      const { over, why } = yield* process(
        Effect.gen(function* () {
          assert.strictEqual((yield* epoch).number, 1)
          return { over: yield* finishRuns(automation), why: yield* history }
        })
      )
      assert.deepStrictEqual(
        over.map(([, status]) => status),
        ["completed"]
      )
      assert.deepStrictEqual(why, [])
    })
  )

  it.live("an older Temporal: workflows of runs that are over end, and those that it has lost are started", () =>
    Effect.gen(function* () {
      const { process, temporal } = yield* machine
      const automation = yield* process(Effect.tap(setting, startWaitingRun))
      yield* temporal.halt
      yield* temporal.coldCopy
      yield* temporal.start
      const [[first]] = (yield* process(finishRuns(automation))) as [[string]]
      const second = yield* process(startWaitingRun(automation))
      yield* temporal.halt
      yield* temporal.putBack
      yield* temporal.start
      yield* process(
        Effect.gen(function* () {
          const { call } = yield* Temporal
          assert.strictEqual((yield* epoch).number, 1)
          const state = (run_id: string) =>
            call(async (client) => {
              const handle = client.workflow.getHandle(runWorkflowId({ automation_id: automation.id, run_id }))
              return (await handle.describe()).status.name
            })
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE runs SET completed_on = completed_on - interval '1 minute'`
          const round = Effect.andThen(
            Effect.flatMap(Reconcile, (reconcile) => reconcile.run(false)),
            state(first)
          )
          yield* eventually("its workflow ends", round, (status) => status === "COMPLETED")
          assert.deepStrictEqual(
            (yield* finishRuns(automation)).map(([, status]) => status),
            ["completed", "completed"]
          )
          assert.strictEqual(yield* eventually("ends", state(second), (status) => status !== "RUNNING"), "COMPLETED")
          assert.deepStrictEqual(yield* history, [])
        })
      )
    })
  )

  it.live("both put back, Postgres to the earlier instant: a new epoch, and only what its rows say goes on", () =>
    Effect.gen(function* () {
      const { postgres, process, temporal } = yield* machine
      const automation = yield* process(Effect.tap(setting, startWaitingRun))
      yield* postgres.halt
      yield* postgres.coldCopy
      yield* postgres.start()
      yield* process(Effect.andThen(epoch, startWaitingRun(automation)))
      yield* temporal.halt
      yield* temporal.coldCopy
      yield* temporal.start
      yield* process(finishRuns(automation))
      yield* postgres.halt
      yield* temporal.halt
      yield* postgres.putBack("cold")
      yield* temporal.putBack
      yield* Effect.all([postgres.start(), temporal.start], { concurrency: 2 })
      const { over, why } = yield* process(
        Effect.gen(function* () {
          assert.strictEqual((yield* epoch).number, 2)
          return { over: yield* finishRuns(automation), why: yield* history }
        })
      )
      assert.deepStrictEqual(
        over.map(([, status]) => status),
        ["completed"]
      )
      assert.lengthOf(why, 1)
    })
  )
})
