// service.md 2.2, 8 and decisions O9: recurring removals run as Temporal Schedules that an operator sees.
import { assert, layer } from "@effect/vitest"
import type { Client } from "@temporalio/client"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { housekeepingActivities } from "../../../activities/housekeeping.ts"
import { Housekeeping } from "../../../src/domain/housekeeping/Housekeeping.ts"
import { jobNames } from "../../../src/domain/housekeeping/jobs.ts"
import { ensureSchedules } from "../../../src/domain/housekeeping/Schedules.ts"
import { RelayWake } from "../../../src/engine/outbox/RelayWake.ts"
import { attempt } from "../../../src/engine/temporal/bridge.ts"
import { Draining } from "../../../src/engine/temporal/Draining.ts"
import type { Epoch } from "../../../src/engine/temporal/Epoch.ts"
import { Temporal, TemporalSettings } from "../../../src/engine/temporal/Temporal.ts"
import * as Worker from "../../../src/engine/temporal/TemporalWorker.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { Wakes } from "../../../src/platform/sql/Wakes.ts"
import { Services } from "../../../src/services.ts"
import { configLayer, seedOrganization } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"
import { layerFirstEpoch } from "../../support/epochs.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"

const Activities = Layer.effect(
  Worker.Activities,
  Effect.map(Effect.context<Epoch | Housekeeping>(), (context) => ({
    actors: housekeepingActivities(attempt(context)),
    outside: {}
  }))
)

const Settings = Layer.sync(TemporalSettings, () => ({
  connection: { address: temporalAddress() },
  namespace: freshName("housekeeping"),
  retentionDays: 1,
  queues: { actors: "millrace", outside: "millrace-outside" }
}))

const Setting = Worker.layer.pipe(
  Layer.provide(Activities),
  Layer.provideMerge(Housekeeping.layer),
  Layer.provideMerge(Services),
  Layer.provideMerge(Layer.mergeAll(RelayWake.layer, Wakes.layer)),
  Layer.provideMerge(Secrets.layer),
  Layer.provideMerge(Temporal.layer.pipe(Layer.provideMerge(Settings))),
  Layer.provideMerge(Layer.mergeAll(Draining.layer, layerFirstEpoch)),
  Layer.provideMerge(layerDatabase),
  Layer.provideMerge(configLayer())
)

layer(Setting, { excludeTestServices: true })("housekeeping", (it) => {
  it.effect("every job runs on an empty database and names what it counted", () =>
    Effect.gen(function* () {
      const housekeeping = yield* Housekeeping
      for (const name of jobNames) {
        const deletedRows = yield* housekeeping.run(name)
        assert.isNotEmpty(Object.keys(deletedRows), name)
        for (const rows of Object.values(deletedRows)) assert.strictEqual(rows, 0)
      }
      const unknown = yield* Effect.flip(housekeeping.run("dusting"))
      assert.include(unknown.message, "dusting")
    })
  )

  it.effect("developer-api.md 1.8: stored answers go after their day, not before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const housekeeping = yield* Housekeeping
      const insert = (key: string, age: string) => sql`
        INSERT INTO idempotency_keys (user_id, method, path, key, body_hash, status, headers, body, created_on)
        VALUES (1, 'POST', '/', ${key}, '\\x00', 200, '{}', '', now() - ${age}::interval)`
      yield* insert("old", "25 hours")
      yield* insert("young", "23 hours")
      assert.deepStrictEqual(yield* housekeeping.run("idempotency"), { idempotency_keys: 1 })
    })
  )

  it.effect(
    "developer-api.md 6, P3: mails go after MAIL_KEEP_DAYS, in batches, those that nobody sends any more among them; the day's quota and what is being sent stay",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const housekeeping = yield* Housekeeping
        const insert = (name: string, status: string, age: string, count = 1) => sql`
        INSERT INTO mails (message_id, status, counted, sender, recipients, subject, created_on)
        SELECT ${name} || i, ${status}, true, 'a@x.test', '{}', '', now() - ${age}::interval FROM generate_series(1, ${count}::int) i`
        yield* insert("old", "sent", "91 days", 2_500)
        yield* insert("failed", "failed", "91 days")
        yield* insert("broken off", "sending", "91 days")
        yield* insert("under way", "sending", "1 minute")
        yield* insert("young", "sent", "89 days")
        yield* insert("today", "kept", "1 hour")
        assert.deepStrictEqual(yield* housekeeping.run("mails"), { mails: 2_502 })
        const keptMails = yield* sql<{ message_id: string }>`SELECT message_id FROM mails ORDER BY message_id`
        assert.deepStrictEqual(
          keptMails.map(({ message_id }) => message_id),
          ["today1", "under way1", "young1"]
        )
        assert.deepStrictEqual(yield* housekeeping.run("mails"), { mails: 0 })
        yield* sql`DELETE FROM mails`
      })
  )

  it.effect(
    "developer-api.md 7.11: credits of an hour go after CREDITS_KEEP_DAYS; what runs are held against stays",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const housekeeping = yield* Housekeeping
        for (const name of ["Harbor Works", "Lighthouse"]) yield* seedOrganization(name)
        yield* sql`
        INSERT INTO run_credits (org_id, hour, used)
        SELECT org_id, date_trunc('hour', now()) - age::interval, 7 FROM organizations,
          unnest(ARRAY['0', '399 days', '401 days', '4 years']) age`
        assert.deepStrictEqual(yield* housekeeping.run("credits"), { credit_hours: 4 })
        const keptHours = yield* sql<{ used: number }>`
        SELECT used::int FROM run_credits WHERE hour > now() - interval '400 days'`
        assert.strictEqual(keptHours.length, 4)
        yield* sql`DELETE FROM run_credits`
      })
  )

  it.effect("each job has a schedule; making them again changes nothing; a triggered one runs its workflow", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      yield* ensureSchedules
      yield* ensureSchedules
      const scheduledRun = yield* temporal.call(async (client: Client) => {
        const ids: Array<string> = []
        for (const name of jobNames) {
          const handle = client.schedule.getHandle(`housekeeping/${name}`)
          ids.push((await handle.describe()).scheduleId)
        }
        await client.schedule.getHandle("housekeeping/idempotency").trigger()
        for (let tries = 0; tries < 1_200; tries++) {
          const [run] = (await client.schedule.getHandle("housekeeping/idempotency").describe()).info.recentActions
          if (run?.action.type === "startWorkflow") {
            const { workflowId } = run.action.workflow
            return { ids, result: await client.workflow.getHandle(workflowId).result() }
          }
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        throw new Error("the schedule started nothing")
      })
      assert.deepStrictEqual(
        scheduledRun.ids,
        jobNames.map((name) => `housekeeping/${name}`)
      )
      assert.deepStrictEqual(scheduledRun.result, { idempotency_keys: 0 })
    })
  )
})
