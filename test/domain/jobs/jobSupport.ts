// Runs laid down by SQL, and jobs over HTTP that are carried out when a test says so.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { JobBatches } from "../../../src/domain/jobs/JobBatches.ts"
import * as jobKinds from "../../../src/jobKinds.ts"
import { App, appLayer } from "../../support/app.ts"
import { create, seedApp } from "../automations/support.ts"

/** The service without a worker, and what carries out jobs. */
export const jobsLayer = JobBatches.layer.pipe(Layer.provide(jobKinds.layer), Layer.provideMerge(appLayer()))

let event = 0

/** Lays runs of these statuses down, oldest first; answers their ids. */
export const layRuns = Effect.fnUntraced(function* (automationId: number, statuses: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const ids: Array<string> = []
  for (const status of statuses) {
    const isOver = status !== "pending" && status !== "running"
    const [row] = yield* sql<{ id: string }>`
      WITH run AS (
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on,
          completed_on)
        SELECT org_id, app_id, automation_id, revision_id, ${++event}, 'regular', ${status}, false, 1, '{}', now(),
          ${isOver ? new Date() : null}::timestamptz
        FROM automations WHERE automation_id = ${automationId} RETURNING run_id
      ), trigger AS (
        INSERT INTO run_triggers (run_id, data) SELECT run_id, '{"type":null,"record":null}' FROM run
      )
      SELECT run_id::text AS id FROM run`
    ids.push(row!.id)
  }
  return ids
})

export const times = (status: string, count: number) => Array.from({ length: count }, () => status)

/** An app with an automation, and calls of the API about its runs and jobs. */
export const jobSetting = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const app = yield* App
  const sql = yield* SqlClient.SqlClient
  const automationId = (yield* create(seeded.token, seeded.appId)).json.automation.id as number
  const begin = (act: "cancel" | "retry" | "delete", body: object, token = seeded.token) =>
    app.call("POST", `/v1/automation-run/${act}`, { token, body })
  const read = (jobId: number, token = seeded.token) => app.call("GET", `/v1/job/${jobId}`, { token })
  const statusesOf = Effect.map(
    sql<{ status: string }>`SELECT status FROM runs WHERE automation_id = ${automationId} ORDER BY run_id`,
    (rows) => rows.map(({ status }) => status)
  )
  /** Retries that have been asked for, by the run that they retry. */
  const retriesAsked = Effect.map(
    sql<{ run_id: string }>`
      SELECT payload -> 'retry' ->> 'run_id' AS run_id FROM outbox WHERE app_id = ${seeded.appId} AND payload ? 'retry' ORDER BY event_id`,
    (rows) => rows.map(({ run_id }) => run_id)
  )
  return { ...seeded, app, sql, automationId, begin, read, statusesOf, retriesAsked }
})
