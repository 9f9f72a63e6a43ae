// developer-api.md 4.2: rows of an import whose records, or whose app, another write changes while their batch is under way.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { ownWrite } from "../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../src/domain/records/writing/RecordWriter.ts"
import { eventually } from "../../support/eventually.ts"
import { callerOf } from "../../support/records.ts"
import { jobsLayer } from "../jobs/jobSupport.ts"
import { carryOut, importSetting } from "./importSupport.ts"

/** Carries a job out while a transaction is open that has done something already; it commits once the job waits for it. */
const carryOutBeside = Effect.fnUntraced(function* <E, R>(jobId: number, change: Effect.Effect<unknown, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const changed = yield* Deferred.make<void>()
  const released = yield* Deferred.make<void>()
  const other = yield* Effect.forkChild(
    sql.withTransaction(
      Effect.andThen(change, Effect.andThen(Deferred.succeed(changed, undefined), Deferred.await(released)))
    )
  )
  yield* Effect.raceFirst(Deferred.await(changed), Effect.andThen(Fiber.join(other), Effect.never))
  const job = yield* Effect.forkChild(carryOut(jobId))
  yield* eventually(
    "the import to wait for the other write",
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    (rows) => rows.length > 0
  )
  yield* Deferred.succeed(released, undefined)
  yield* Fiber.join(other)
  return yield* Fiber.join(job)
})

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 4.2: rows that another write overtakes", (it) => {
  it.effect("update the record that has come to have their value meanwhile, without the defaults of a new one", () =>
    Effect.gen(function* () {
      const { app, begin, fieldIds, jobOf, owner, records } = yield* importSetting
      const csv = "Name,Mail,Amount\nAda,ada@x.example,1\nBob,bob@x.example,2\n,ada@x.example,3\n"
      const { job_id } = (yield* begin(csv, { update_by: [fieldIds["mail"]] })).json
      const write = ownWrite(callerOf(owner), { silent: false, hook: true, workflow: true })
      const bob = { name: "Robert", mail: "bob@x.example", stage: "Paid" }
      yield* carryOutBeside(
        job_id,
        RecordWriter.use((writer) => writer.create(write, app.app_id, [bob]))
      )
      const { counts, report, status } = yield* jobOf(job_id)
      assert.deepStrictEqual(
        { counts, report, status },
        { counts: { created: 1, updated: 2 }, report: [], status: "completed" }
      )
      assert.deepStrictEqual(yield* records, [
        { ...bob, name: "Bob", amount: 2 },
        { name: "Ada", mail: "ada@x.example", amount: 3, stage: "Open" }
      ])
    })
  )

  it.effect("are read again where the app has changed meanwhile: none is refused for what it was", () =>
    Effect.gen(function* () {
      const { app, begin, fieldIds, jobOf, records } = yield* importSetting
      const sql = yield* SqlClient.SqlClient
      const { job_id } = (yield* begin("Name,Amount\nAda,1\nBob,much\n")).json
      yield* carryOutBeside(
        job_id,
        Effect.andThen(
          sql`UPDATE fields SET slug = 'total' WHERE field_id = ${fieldIds["amount"]!}`,
          sql`
            WITH counter AS (
              UPDATE app_counters SET last_app_record_id = last_app_record_id WHERE app_id = ${app.app_id} RETURNING app_id
            )
            UPDATE apps SET version = version + 1 WHERE app_id = (SELECT app_id FROM counter)`
        )
      )
      const { counts, report, status } = yield* jobOf(job_id)
      assert.deepStrictEqual(
        { counts, report, status },
        {
          counts: { created: 2, cells_left_empty: 1 },
          report: [{ id: "3", message: "Left empty: Amount: “much” is no number" }],
          status: "completed"
        }
      )
      assert.deepStrictEqual(yield* records, [
        { name: "Ada", total: 1, stage: "Open" },
        { name: "Bob", stage: "Open" }
      ])
    })
  )
})
