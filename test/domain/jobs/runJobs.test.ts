// Runs by the hundred (developer-api.md 7.11): jobs that cancel, retry and delete the runs that filters select, batch by batch.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { JobBatches } from "../../../src/domain/jobs/JobBatches.ts"
import { pruneJobs } from "../../../src/domain/jobs/pruneJobs.ts"
import { seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { makeApp } from "../automations/support.ts"
import { jobSetting, jobsLayer, layRuns, times } from "./jobSupport.ts"

const carryOut = (jobId: number, attempt = 1) => JobBatches.use((batches) => batches.carryOut(jobId, attempt))

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 7.11: runs by the hundred", (it) => {
  it.effect("cancel: those that are open among the selected, in batches, with progress and counts", () =>
    Effect.gen(function* () {
      const { automationId, begin, read, statusesOf } = yield* jobSetting
      yield* layRuns(automationId, [...times("pending", 120), ...times("completed", 3)])
      const jobAnswer = yield* begin("cancel", { automation_ids: [automationId] })
      assert.strictEqual(jobAnswer.status, 202, jobAnswer.text)
      const { job_id } = jobAnswer.json
      assert.deepStrictEqual(jobAnswer.json, { job_id })
      assert.strictEqual(jobAnswer.headers.get("location"), `/v1/job/${job_id}`)
      const pendingJob = yield* read(job_id)
      const { created_at, ...rest } = pendingJob.json
      assert.deepStrictEqual(rest, {
        ...{ job_id, kind: "run_cancel", status: "pending", progress: { done: 0, total: 120 } },
        ...{ counts: {}, report: [], file: null, completed_at: null }
      })
      assert.match(created_at, /^\d{4}-/)
      yield* carryOut(job_id)
      const { counts, progress, status } = (yield* read(job_id)).json
      assert.deepStrictEqual(
        { counts, progress, status },
        { counts: { cancelled: 120 }, progress: { done: 120, total: 120 }, status: "completed" }
      )
      assert.deepStrictEqual(yield* statusesOf, [...times("cancelled", 120), ...times("completed", 3)])
    })
  )

  it.effect(
    "retry: each failed run once, the oldest first; one that a run retries already is skipped and reported",
    () =>
      Effect.gen(function* () {
        const { automationId, begin, read, retriesAsked, sql } = yield* jobSetting
        const ids = yield* layRuns(automationId, [...times("failed", 30), "completed"])
        const [retry] = yield* layRuns(automationId, ["completed"])
        yield* sql`UPDATE runs SET retry_of_run_id = ${ids[3]!}::bigint WHERE run_id = ${retry!}::bigint`
        const { job_id } = (yield* begin("retry", { automation_ids: [automationId], status: "failed", from: "start" }))
          .json
        yield* carryOut(job_id)
        const job = (yield* read(job_id)).json
        assert.deepStrictEqual(job.counts, { retried: 29, skipped: 1 })
        assert.deepStrictEqual(job.report, [{ id: ids[3], message: `Run ${retry} retries it already.` }])
        assert.deepStrictEqual(
          yield* retriesAsked,
          ids.slice(0, 30).filter((id) => id !== ids[3])
        )
      })
  )

  it.effect("retry: several jobs at the same runs ask for one retry of each, and again once that was refused", () =>
    Effect.gen(function* () {
      const { automationId, begin, read, retriesAsked, sql } = yield* jobSetting
      const ids = yield* layRuns(automationId, times("failed", 60))
      const filters = { automation_ids: [automationId] }
      const jobs = [yield* begin("retry", filters), yield* begin("retry", filters)].map(({ json }) => json.job_id)
      yield* Effect.all(
        jobs.map((id) => carryOut(id)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual((yield* retriesAsked).toSorted(), ids.toSorted())
      const counts = yield* Effect.forEach(jobs, (id) => Effect.map(read(id), ({ json }) => json.counts))
      const sum = (name: string) => counts.reduce((all, one) => all + (one[name] ?? 0), 0)
      assert.deepStrictEqual([sum("retried"), sum("skipped")], [60, 60])

      // One that is asked for and not decided yet needs its run.
      const deletion = (yield* begin("delete", filters)).json.job_id
      yield* carryOut(deletion)
      assert.deepStrictEqual((yield* read(deletion)).json.counts, { deleted: 0, skipped: 60 })

      yield* sql`UPDATE run_waits SET refused = 'filter' WHERE wait_key = ${`retry/${ids[0]}`}`
      const later = (yield* begin("retry", filters)).json.job_id
      yield* carryOut(later)
      const { counts: last, report } = (yield* read(later)).json
      assert.deepStrictEqual(last, { retried: 1, skipped: 59 })
      assert.deepStrictEqual(report[0], { id: ids[1], message: "A retry of it was asked for already." })
    })
  )

  it.effect("retry: a retry that was made may be deleted at once, and its run retried again", () =>
    Effect.gen(function* () {
      const { automationId, begin, read, sql } = yield* jobSetting
      const [failed] = yield* layRuns(automationId, ["failed"])
      const filters = { automation_ids: [automationId], status: "failed" }
      yield* carryOut((yield* begin("retry", filters)).json.job_id)
      const [retry] = yield* layRuns(automationId, ["completed"])
      yield* sql`UPDATE runs SET retry_of_run_id = ${failed!}::bigint WHERE run_id = ${retry!}::bigint`
      yield* sql`UPDATE run_waits SET run_id = ${retry!}::bigint WHERE wait_key = ${`retry/${failed}`}`
      const deletion = (yield* begin("delete", { automation_ids: [automationId], status: "completed" })).json.job_id
      yield* carryOut(deletion)
      assert.deepStrictEqual((yield* read(deletion)).json.counts, { deleted: 1 })
      const secondJob = (yield* begin("retry", filters)).json.job_id
      yield* carryOut(secondJob)
      assert.deepStrictEqual((yield* read(secondJob)).json.counts, { retried: 1 })
    })
  )

  it.effect("delete: those that are over, with log and values; what an open run needs stays", () =>
    Effect.gen(function* () {
      const { automationId, begin, read, sql, statusesOf } = yield* jobSetting
      const [gone, needed, open] = yield* layRuns(automationId, ["failed", "completed", "running"])
      yield* sql`
        INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
        VALUES (${gone!}::bigint, 1, 'trigger', 'success', 'Trigger', '[]', now())`
      yield* sql`UPDATE runs SET retry_of_run_id = ${needed!}::bigint WHERE run_id = ${open!}::bigint`
      const { job_id } = (yield* begin("delete", { automation_ids: [automationId] })).json
      yield* carryOut(job_id)
      const job = (yield* read(job_id)).json
      assert.deepStrictEqual(job.counts, { deleted: 1, skipped: 1 })
      assert.deepStrictEqual(job.report, [{ id: needed, message: "Something that is not over needs it still." }])
      assert.deepStrictEqual(yield* statusesOf, ["completed", "running"])
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM run_logs WHERE run_id = ${gone!}::bigint`, [])
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM run_triggers WHERE run_id = ${gone!}::bigint`, [])
    })
  )

  it.effect("a batch happens once: two workers at the same job, and one that is interrupted in the middle", () =>
    Effect.gen(function* () {
      const { automationId, begin, read, retriesAsked } = yield* jobSetting
      const ids = yield* layRuns(automationId, times("failed", 110))
      const { job_id } = (yield* begin("retry", { automation_ids: [automationId] })).json
      const killed = yield* Effect.forkChild(carryOut(job_id))
      yield* eventually("the first batch", read(job_id), ({ json }) => json.progress.done > 0)
      yield* Fiber.interrupt(killed)
      yield* Effect.all([carryOut(job_id), carryOut(job_id)], { concurrency: "unbounded" })
      const job = (yield* read(job_id)).json
      assert.strictEqual(job.status, "completed")
      assert.deepStrictEqual(job.counts, { retried: 110 })
      assert.deepStrictEqual((yield* retriesAsked).toSorted(), ids.toSorted())
    })
  )

  it.effect("what comes later is left alone: runs that begin after the job has", () =>
    Effect.gen(function* () {
      const { automationId, begin, statusesOf } = yield* jobSetting
      yield* layRuns(automationId, ["pending"])
      const { job_id } = (yield* begin("cancel", { automation_ids: [automationId] })).json
      yield* layRuns(automationId, ["pending"])
      yield* carryOut(job_id)
      assert.deepStrictEqual(yield* statusesOf, ["cancelled", "pending"])
    })
  )

  it.effect("A20: the rights of who began it are asked anew at each batch", () =>
    Effect.gen(function* () {
      const { appId, automationId, begin, orgId, read, sql, statusesOf, workspaceId } = yield* jobSetting
      yield* layRuns(automationId, times("pending", 2))
      const helper = yield* seedUser(orgId, "member")
      yield* sql`
        INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${helper.userId}, 'admin')`
      const idOf = Effect.map(begin("cancel", {}, helper.key), ({ json }) => json.job_id as number)
      const named = (yield* begin("cancel", { app_ids: [appId] }, helper.key)).json.job_id
      const [demoted, deactivated] = [yield* idOf, yield* idOf]
      yield* sql`UPDATE workspace_members SET role = 'member' WHERE user_id = ${helper.userId}`
      yield* carryOut(demoted)
      assert.deepStrictEqual((yield* read(demoted)).json.counts, {})
      yield* carryOut(named)
      const lost = (yield* read(named)).json
      assert.strictEqual(lost.status, "failed")
      assert.deepStrictEqual(lost.report, [{ id: null, message: `No app with id ${appId}.` }])
      yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${helper.userId}`
      yield* carryOut(deactivated)
      const endedJob = (yield* read(deactivated)).json
      assert.strictEqual(endedJob.status, "failed")
      assert.deepStrictEqual(endedJob.report, [{ id: null, message: "Who began the job is no longer an active user." }])
      assert.deepStrictEqual(yield* statusesOf, ["pending", "pending"])
    })
  )

  it.effect("a job acts within the reach of the credential that began it, and needs the scopes of its kind", () =>
    Effect.gen(function* () {
      const { app, automationId, begin, owner, read, statusesOf, workspaceId } = yield* jobSetting
      yield* layRuns(automationId, ["failed"])
      const elsewhere = yield* seedToken(owner.userId, ["automations:run", "automations:read"], {
        workspaceIds: [workspaceId + 1]
      })
      const { job_id } = (yield* begin("retry", {}, elsewhere)).json
      yield* carryOut(job_id)
      assert.deepStrictEqual((yield* read(job_id)).json.progress, { done: 0, total: 0 })
      const runs = yield* seedToken(owner.userId, ["automations:run"])
      assert.strictEqual((yield* begin("delete", {}, runs)).status, 403)
      assert.strictEqual((yield* read(job_id, runs)).status, 404)
      const reads = yield* seedToken(owner.userId, ["automations:read"])
      const openJob = (yield* begin("retry", {})).json.job_id
      assert.strictEqual((yield* read(openJob, reads)).status, 200)
      assert.strictEqual((yield* app.call("POST", `/v1/job/${openJob}/cancel`, { token: reads })).status, 403)
      assert.deepStrictEqual(yield* statusesOf, ["failed"])
    })
  )

  it.effect(
    "whoever began a job sees it, and owners and admins see all of the organization, newest first in pages",
    () =>
      Effect.gen(function* () {
        const { app, begin, orgId, read, token } = yield* jobSetting
        const [member, admin] = [yield* seedUser(orgId, "member"), yield* seedUser(orgId, "admin")]
        const stranger = (yield* seedOrganization()).owner
        const memberJob = (yield* begin("cancel", {}, member.key)).json.job_id
        const owners = (yield* begin("cancel", {})).json.job_id
        const list = (key: string, query = "") => app.call("GET", `/v1/job${query}`, { token: key })
        const idsOf = ({ json }: { json: any }) => json.jobs.map(({ job_id }: any) => job_id)
        assert.deepStrictEqual(idsOf(yield* list(member.key)), [memberJob])
        assert.deepStrictEqual(idsOf(yield* list(admin.key)), [owners, memberJob])
        assert.deepStrictEqual(idsOf(yield* list(stranger.key)), [])
        const firstPage = yield* list(token, "?limit=1")
        assert.deepStrictEqual([firstPage.json.total, idsOf(firstPage)], [2, [owners]])
        const second = yield* list(token, `?limit=1&cursor=${encodeURIComponent(firstPage.json.cursor)}`)
        assert.deepStrictEqual([second.json.cursor, idsOf(second)], [null, [memberJob]])
        assert.strictEqual((yield* read(owners, member.key)).status, 404)
        assert.strictEqual((yield* read(memberJob, stranger.key)).status, 404)
      })
  )

  it.effect(
    "a credential limited to some content sees the jobs that were begun within the same selection, no other",
    () =>
      Effect.gen(function* () {
        const { app, appId, begin, owner, read, token, workspaceId } = yield* jobSetting
        const tokenOf = (appIds: ReadonlyArray<number>, workspaceIds: ReadonlyArray<number> = []) =>
          seedToken(owner.userId, ["automations:read", "automations:run"], { appIds, workspaceIds })
        const other = yield* makeApp(token, workspaceId, [])
        const [narrow, alike] = [yield* tokenOf([appId, other.appId]), yield* tokenOf([other.appId, appId])]
        const strangers = [
          yield* tokenOf([other.appId]),
          yield* tokenOf([appId]),
          yield* tokenOf([appId, other.appId], [workspaceId]),
          yield* tokenOf([], [workspaceId])
        ]
        const narrowJob = (yield* begin("cancel", {}, narrow)).json.job_id
        const fullJob = (yield* begin("cancel", {})).json.job_id
        const listWithKey = (key: string) =>
          Effect.map(app.call("GET", "/v1/job", { token: key }), ({ json }) => [
            json.total,
            json.jobs.map(({ job_id }: any) => job_id)
          ])
        const cancel = (jobId: number, key: string) => app.call("POST", `/v1/job/${jobId}/cancel`, { token: key })
        assert.deepStrictEqual(yield* listWithKey(token), [2, [fullJob, narrowJob]])
        for (const key of [narrow, alike]) {
          assert.deepStrictEqual(yield* listWithKey(key), [1, [narrowJob]])
          assert.strictEqual((yield* read(narrowJob, key)).status, 200)
          assert.strictEqual((yield* read(fullJob, key)).status, 404)
        }
        for (const key of strangers) {
          assert.deepStrictEqual(yield* listWithKey(key), [0, []])
          assert.strictEqual((yield* read(narrowJob, key)).status, 404)
          assert.strictEqual((yield* cancel(narrowJob, key)).status, 404)
        }
        assert.strictEqual((yield* cancel(fullJob, narrow)).status, 404)
        assert.strictEqual((yield* cancel(narrowJob, alike)).status, 202)
      })
  )

  it.effect("cancel ends a job before its next batch, once; what is done stays done", () =>
    Effect.gen(function* () {
      const { app, automationId, begin, read, statusesOf, token } = yield* jobSetting
      yield* layRuns(automationId, ["pending"])
      const { job_id } = (yield* begin("cancel", {})).json
      const cancelled = yield* app.call("POST", `/v1/job/${job_id}/cancel`, { token })
      assert.deepStrictEqual([cancelled.status, cancelled.json.status], [202, "cancelled"])
      yield* carryOut(job_id)
      assert.strictEqual((yield* read(job_id)).json.status, "cancelled")
      assert.deepStrictEqual(yield* statusesOf, ["pending"])
      assert.strictEqual((yield* app.call("POST", `/v1/job/${job_id}/cancel`, { token })).status, 409)
    })
  )

  it.effect("requests that can do nothing are refused, and name the place; ten jobs at once", () =>
    Effect.gen(function* () {
      const { begin } = yield* jobSetting
      const status = yield* begin("cancel", { status: "completed" })
      assert.strictEqual(status.status, 400)
      assert.match(status.text, /status: such a job works on runs that are pending, running/)
      assert.strictEqual((yield* begin("cancel", { cursor: "x" })).status, 400)
      assert.strictEqual((yield* begin("cancel", { created_at_from: "soon" })).status, 400)
      assert.strictEqual((yield* begin("cancel", { app_ids: [987_654] })).status, 404)
      for (let n = 0; n < 10; n++) assert.strictEqual((yield* begin("cancel", {})).status, 202)
      const full = yield* begin("cancel", {})
      assert.strictEqual(full.status, 409)
      assert.match(full.text, /at most 10 jobs at once/)
    })
  )

  it.effect("a job that fails again and again is given up; jobs are kept for 30 days", () =>
    Effect.gen(function* () {
      const { begin, read, sql } = yield* jobSetting
      const { job_id } = (yield* begin("cancel", {})).json
      const jobStanding = yield* carryOut(job_id, 501)
      assert.deepStrictEqual([jobStanding.over, jobStanding.status], [true, "failed"])
      assert.deepStrictEqual((yield* read(job_id)).json.report, [
        { id: null, message: "A fault of the service: it failed again and again." }
      ])
      yield* pruneJobs
      assert.strictEqual((yield* read(job_id)).status, 200)
      yield* sql`UPDATE jobs SET completed_on = now() - interval '31 days' WHERE job_id = ${job_id}`
      assert.isAtLeast((yield* pruneJobs).jobs, 1)
      assert.strictEqual((yield* read(job_id)).status, 404)
    })
  )
})
