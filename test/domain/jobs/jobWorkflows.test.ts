// Jobs with their workers and Temporal: from the request to its end, and what an operator may do to their workflows (docs/operations.md).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { jobWorkflowId } from "../../../src/domain/jobs/JobStarts.ts"
import { Organization } from "../../../src/engine/temporal/messages.ts"
import { Temporal } from "../../../src/engine/temporal/Temporal.ts"
import { App } from "../../support/app.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { automate, createRecord, runsOf, runsOver } from "../automations/runSupport.ts"
import { seedApp } from "../automations/support.ts"
import { layRuns, times } from "./jobSupport.ts"

const created = { type: "record_created", config: {} }
const fails = [{ type: "exit", config: { exit_type: "failure" } }]
const longDelay = [{ type: "delay", config: { delay_ms: 3_600_000 } }]
const RUNS = 4
/** Retries of one batch. */
const BATCH = 25

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const app = yield* App
  const records = Effect.forEach(Array.from({ length: RUNS }), () => createRecord(seeded.token, seeded.appId, {}))
  const begin = (act: string, body: object) =>
    Effect.map(
      app.call("POST", `/v1/automation-run/${act}`, { token: seeded.token, body }),
      ({ json, status, text }) => {
        assert.strictEqual(status, 202, text)
        return json.job_id as number
      }
    )
  const read = (jobId: number) =>
    Effect.map(app.call("GET", `/v1/job/${jobId}`, { token: seeded.token }), ({ json }) => json)
  const awaitEnd = (jobId: number) => eventually("the job is over", read(jobId), (job) => job.completed_at !== null)
  return { ...seeded, records, begin, read, over: awaitEnd }
})

/** Holds a batch up in the middle until the transaction ends: at this run, which nothing else needs. */
const holdUp = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM runs WHERE run_id = ${runId}::bigint FOR UPDATE`)

layer(spineLayer(), { excludeTestServices: true })("jobs, with their workers", (it) => {
  it.effect("retries of a job that a step has begun are links of its chain, which ends in time (7.5 rule 4)", () =>
    Effect.gen(function* () {
      const { appId, records, token } = yield* setting
      const failing = yield* automate(token, appId, { trigger: created, actions: fails })
      yield* records
      yield* runsOver(failing, RUNS)
      const code = [`await api.request("POST", "/automation-run/retry", { automation_ids: [${failing}] })`]
      const beginning = yield* automate(token, appId, {
        trigger: created,
        actions: [{ type: "custom_code", config: { code, custom_variable_defs: [] } }]
      })
      yield* createRecord(token, appId, {})
      const [beginner] = yield* runsOver(beginning, 1)
      assert.strictEqual(beginner!.status, "completed", beginner!.error_message ?? "")
      const runs = yield* runsOver(failing, 2 * RUNS)
      const retries = runs.filter(({ retry_of_run_id }) => retry_of_run_id !== null)
      const sql = yield* SqlClient.SqlClient
      const links = yield* sql`
        SELECT DISTINCT depth, caused_by_run_id::text AS cause FROM runs WHERE automation_id = ${failing} AND retry_of_run_id IS NOT NULL`
      assert.isAtLeast(retries.length, RUNS - 1)
      assert.deepStrictEqual(links, [{ depth: 2, cause: beginner!.run_id }])
    })
  )

  it.effect("failed runs are retried and waiting ones cancelled; the workflow is found by its organization", () =>
    Effect.gen(function* () {
      const { appId, begin, orgId, over, records, token } = yield* setting
      const failing = yield* automate(token, appId, { trigger: created, actions: fails })
      const waitingAutomation = yield* automate(token, appId, { trigger: created, actions: longDelay })
      yield* records
      const failed = yield* runsOver(failing, RUNS)
      yield* eventually(
        "they wait",
        runsOf(waitingAutomation),
        (runs) => runs.filter((run) => run.wait_until !== null).length === RUNS
      )

      const retryId = yield* begin("retry", { automation_ids: [failing] })
      assert.deepStrictEqual((yield* over(retryId)).counts, { retried: RUNS })
      const runs = yield* runsOver(failing, 2 * RUNS)
      assert.sameMembers(
        runs.slice(RUNS).map(({ retry_of_run_id }) => String(retry_of_run_id)),
        failed.map(({ run_id }) => run_id)
      )

      const cancelId = yield* begin("cancel", { automation_ids: [waitingAutomation] })
      assert.deepStrictEqual((yield* over(cancelId)).counts, { cancelled: RUNS })
      const endedRuns = yield* runsOver(waitingAutomation, RUNS)
      assert.isTrue(endedRuns.every(({ status }) => status === "cancelled"))

      const temporal = yield* Temporal
      const workflowShape = yield* eventually(
        "its workflow",
        temporal.call((client) => client.workflow.getHandle(jobWorkflowId(retryId)).describe()),
        ({ status }) => status.name === "COMPLETED"
      )
      assert.strictEqual(workflowShape.type, "job")
      assert.strictEqual(workflowShape.typedSearchAttributes.get(Organization), String(orgId))
      assert.strictEqual(workflowShape.memo?.["kind"], "run_retry")
    })
  )

  it.effect("an operator's cancel reaches the batch under way, which gives signs of life", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const temporal = yield* Temporal
      const { appId, begin, over, token } = yield* setting
      const failing = yield* automate(token, appId, { trigger: created, actions: fails })
      const [firstRun] = yield* layRuns(failing, times("failed", 2 * BATCH))
      const job = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* holdUp(firstRun!)
          const id = yield* begin("retry", { automation_ids: [failing] })
          const workflow = temporal
            .call((client) => client.workflow.getHandle(jobWorkflowId(id)).describe())
            .pipe(
              Effect.map(({ raw }) => raw.pendingActivities?.[0]),
              Effect.orElseSucceed(() => undefined)
            )
          // After a time-out of this a worker that was killed is missed.
          yield* eventually("a heartbeat", workflow, (activity) => activity?.lastHeartbeatTime != null)
          yield* temporal.call((client) => client.workflow.getHandle(jobWorkflowId(id)).cancel())
          // The batch is held up still.
          return yield* over(id)
        })
      )
      assert.strictEqual(job.status, "cancelled")
      assert.deepStrictEqual(job.progress, { done: 0, total: 2 * BATCH })
      assert.deepStrictEqual(job.report, [{ id: null, message: "An operator cancelled its workflow." }])
    })
  )

  it.effect("a terminated workflow is started again, and the job goes on where it was", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const temporal = yield* Temporal
      const { appId, begin, over, token } = yield* setting
      const failing = yield* automate(token, appId, { trigger: created, actions: fails })
      const [firstRun] = yield* layRuns(failing, times("failed", BATCH))
      const jobId = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* holdUp(firstRun!)
          const id = yield* begin("retry", { automation_ids: [failing] })
          yield* eventually(
            "terminated",
            temporal
              .call((client) => client.workflow.getHandle(jobWorkflowId(id)).terminate("a test"))
              .pipe(
                Effect.as(true),
                Effect.orElseSucceed(() => false)
              ),
            (done) => done
          )
          return id
        })
      )
      // What a silence of half a minute looks like.
      yield* sql`UPDATE jobs SET looked_on = now() - interval '1 hour' WHERE job_id = ${jobId} AND completed_on IS NULL`
      assert.deepStrictEqual((yield* over(jobId)).counts, { retried: BATCH })
    })
  )
})
