// developer-api.md 11.4: what others do while a conversion is under way, and conversions that are cut off.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { JobBatches } from "../../../../src/domain/jobs/JobBatches.ts"
import { pruneJobs } from "../../../../src/domain/jobs/pruneJobs.ts"
import { eventually } from "../../../support/eventually.ts"
import { carryOut, conversionLayer, valued } from "./support.ts"

layer(conversionLayer, { excludeTestServices: true })("developer-api.md 11.4: conversions under way", (it) => {
  /** An app with more records than one batch reads. */
  const large = Effect.fnUntraced(function* (count: number) {
    const seeded = yield* valued("single_text", undefined, ["1"])
    const { appId, fieldId, sql } = seeded
    yield* sql`
      INSERT INTO records (org_id, app_id, app_record_id, cells, created_on, created_by)
      SELECT org_id, app_id, app_record_id + n, jsonb_build_object(${String(fieldId)}::text, jsonb_build_array(n::text)), created_on, created_by
      FROM records, generate_series(1, ${count}::int) n WHERE app_id = ${appId}`
    yield* sql`UPDATE app_counters SET last_app_record_id = ${count + 1} WHERE app_id = ${appId}`
    const cellOf = (n: number) =>
      Effect.map(
        sql<{ cell: unknown }>`
          SELECT cells->${String(fieldId)}::text AS cell FROM records WHERE app_id = ${appId} AND app_record_id = ${n}::int`,
        ([row]) => row!.cell
      )
    const typeOf = Effect.map(seeded.call("GET", `/v1/app/${appId}`), ({ json }) => json.fields[1].field_type)
    const beginJob = (body: object) =>
      Effect.map(seeded.convert(body), ({ json }) => ({ jobId: json.job_id as number }))
    return { ...seeded, begun: beginJob, cellOf, typeOf }
  })

  it.effect("a value that is written meanwhile is converted as it is at the end, and so are new records", () =>
    Effect.gen(function* () {
      const { appId, begun, call, cellOf, jobOf, recordIds, sql } = yield* large(1200)
      const { jobId } = yield* begun({ field_type: "number" })
      const job = yield* Effect.forkChild(carryOut(jobId))
      yield* eventually("the first batch", jobOf(jobId), ({ progress }) => progress.done > 0)
      const early = yield* call("PUT", `/v1/record/${recordIds[0]}`, { fields: { value: "77" } })
      const lateRecord = yield* call("POST", `/v1/record/app/${appId}`, { fields: { value: "78" } })
      assert.deepStrictEqual([early.status, lateRecord.status], [200, 200])
      yield* Fiber.join(job)
      yield* carryOut(jobId)
      const { counts, status } = yield* jobOf(jobId)
      assert.strictEqual(status, "completed")
      // One that is written after the end is not the job's.
      assert.isAtLeast(counts.converted, 1201)
      assert.strictEqual(counts.unconvertible + counts.empty, 0)
      assert.deepStrictEqual([yield* cellOf(1), yield* cellOf(1202)], [[77], [78]])
      const wrong = yield* sql`
        SELECT 1 FROM records WHERE app_id = ${appId} AND jsonb_path_exists(cells, '$.*[*] ? (@.type() == "string" && @ != "-")')`
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("what was converted of a value that has changed since is converted anew, and counted once", () =>
    Effect.gen(function* () {
      const { appId, begun, cellOf, fieldId, jobOf, sql } = yield* large(900)
      const { jobId } = yield* begun({ field_type: "number" })
      // As the job has it when all records are read: one value was another, one could not be converted, one was cleared and one destroyed since.
      const counts = { converted: 900, unconvertible: 1, empty: 0 }
      const position = JSON.stringify({ after: 901, read: true, options: [], counts })
      yield* sql`UPDATE jobs SET position = ${position}, counts = ${JSON.stringify(counts)}::jsonb, done = 901 WHERE job_id = ${jobId}`
      yield* sql`
        INSERT INTO converted_cells (job_id, record_id, source, cell, problem)
        SELECT ${jobId}::bigint, record_id,
          CASE app_record_id WHEN 1 THEN '["0"]' WHEN 2 THEN '["x"]' ELSE cells->${String(fieldId)}::text END,
          CASE app_record_id WHEN 1 THEN '[0]' WHEN 2 THEN '[]' ELSE jsonb_build_array((cells->${String(fieldId)}::text->>0)::numeric) END,
          CASE app_record_id WHEN 2 THEN 'no number' END
        FROM records WHERE app_id = ${appId}`
      yield* sql`UPDATE records SET cells = cells - ${String(fieldId)}::text WHERE app_id = ${appId} AND app_record_id = 3`
      yield* sql`DELETE FROM records WHERE app_id = ${appId} AND app_record_id = 4`
      yield* carryOut(jobId)
      const job = yield* jobOf(jobId)
      assert.deepStrictEqual(
        { counts: job.counts, report: job.report, status: job.status },
        { counts: { converted: 899, unconvertible: 0, empty: 1 }, report: [], status: "completed" }
      )
      assert.deepStrictEqual(job.progress, { done: 900, total: 900 })
      assert.deepStrictEqual([yield* cellOf(1), yield* cellOf(2), yield* cellOf(3)], [[1], [1], null])
    })
  )

  it.effect("a killed worker leaves nothing half: the next one goes on, and each value has one revision", () =>
    Effect.gen(function* () {
      const { appId, begun, jobOf, sql, typeOf } = yield* large(1600)
      const { jobId } = yield* begun({ field_type: "number" })
      const killed = yield* Effect.forkChild(carryOut(jobId))
      yield* eventually("the first batch", jobOf(jobId), ({ progress }) => progress.done > 0)
      yield* Fiber.interrupt(killed)
      const jobState = yield* jobOf(jobId)
      if (jobState.status !== "completed") assert.strictEqual(yield* typeOf, "single_text")
      yield* Effect.all([carryOut(jobId), carryOut(jobId)], { concurrency: "unbounded" })
      assert.deepStrictEqual((yield* jobOf(jobId)).counts, { converted: 1601, unconvertible: 0, empty: 0 })
      assert.strictEqual(yield* typeOf, "number")
      const rows = yield* sql<{ n: number; most: number }>`
        SELECT count(*)::int AS n, max(v.revision)::int AS most FROM revisions v JOIN records r USING (record_id)
        WHERE r.app_id = ${appId} AND v.type = 'update'`
      assert.deepStrictEqual(rows, [{ n: 1601, most: 1 }])
    })
  )

  it.effect("of many records the search follows by a job of its own, so that writers wait for less", () =>
    Effect.gen(function* () {
      const { appId, begun, call, jobOf, recordIds, sql } = yield* large(1100)
      yield* call("PUT", `/v1/record/${recordIds[0]}`, { fields: { value: "114477" } })
      const countResults = Effect.map(
        call("GET", `/v1/search?q=114477&app_id=${appId}`),
        ({ json }) => json.results.length
      )
      assert.strictEqual(yield* countResults, 1)
      const { jobId } = yield* begun({ field_type: "number" })
      yield* carryOut(jobId)
      assert.strictEqual((yield* jobOf(jobId)).status, "completed")
      // By the words of before, until the job has come to it; a write says its own words at once.
      assert.strictEqual(yield* countResults, 1)
      yield* call("PUT", `/v1/record/${recordIds[0]}`, { fields: { note: "Quincunx" } })
      assert.strictEqual(yield* countResults, 0)
      const [index] = yield* sql<{ job_id: number }>`
        SELECT job_id::int FROM jobs WHERE kind = 'record_index' AND (input->>'app_id')::bigint = ${appId}`
      yield* carryOut(index!.job_id)
      const indexed = yield* jobOf(index!.job_id)
      assert.deepStrictEqual([indexed.status, indexed.progress], ["completed", { done: 1101, total: 1101 }])
      // The words that are numbers now are gone; the record that was written has its entry already.
      assert.isAtLeast(indexed.counts.indexed, 1000)
      assert.isAtLeast(indexed.counts.unchanged, 1)
    })
  )

  it.effect(
    "the job of the search waits for a conversion before it locks records, so that no deadlock ends either",
    () =>
      Effect.gen(function* () {
        const { appId, begun, jobOf, sql } = yield* large(1100)
        const { jobId } = yield* begun({ field_type: "number" })
        yield* carryOut(jobId)
        const [index] = yield* sql<{ job_id: number }>`
        SELECT job_id::int FROM jobs WHERE kind = 'record_index' AND (input->>'app_id')::bigint = ${appId}`
        const rewriteSignal = yield* Deferred.make<void>()
        // The job begins outside of the transaction, whose connection it would share.
        const indexing = yield* Effect.forkChild(Effect.andThen(Deferred.await(rewriteSignal), carryOut(index!.job_id)))
        yield* Effect.gen(function* () {
          // The last transaction of a conversion does so: it writes the records in any order.
          yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} FOR UPDATE`
          yield* sql`UPDATE records SET revision = revision + 1 WHERE app_id = ${appId} AND app_record_id = 200`
          yield* Deferred.succeed(rewriteSignal, undefined)
          const waitingLocks = sql`
          SELECT 1 FROM pg_locks
          WHERE NOT granted AND locktype = 'transactionid' AND transactionid = pg_current_xact_id()::xid`
          yield* eventually("the job waits", waitingLocks, (rows) => rows.length === 1)
          yield* sql`SELECT 1 FROM records WHERE app_id = ${appId} AND app_record_id < 200 FOR UPDATE NOWAIT`
        }).pipe(sql.withTransaction)
        yield* Fiber.join(indexing)
        assert.strictEqual((yield* jobOf(index!.job_id)).status, "completed")
      })
  )

  it.effect("a cancelled conversion leaves the field as it was, and what it kept goes", () =>
    Effect.gen(function* () {
      const { appId, begun, call, jobOf, sql, typeOf } = yield* large(1600)
      const { jobId } = yield* begun({ field_type: "number" })
      const job = yield* Effect.forkChild(carryOut(jobId))
      yield* eventually("the first batch", jobOf(jobId), ({ progress }) => progress.done > 0)
      const reply = yield* call("POST", `/v1/job/${jobId}/cancel`)
      assert.strictEqual(reply.status, 202, reply.text)
      yield* Fiber.join(job)
      assert.strictEqual(yield* typeOf, "single_text")
      const revised = yield* sql`SELECT 1 FROM records WHERE app_id = ${appId} AND revision > 0`
      assert.deepStrictEqual(revised, [])
      yield* pruneJobs
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM converted_cells WHERE job_id = ${jobId}`, [])
    })
  )

  it.effect("a dry run of many records is a job: it tells what the conversion does, and changes nothing", () =>
    Effect.gen(function* () {
      const { begun, call, jobOf, recordIds, typeOf } = yield* large(700)
      yield* call("PUT", `/v1/record/${recordIds[0]}`, { fields: { value: "one" } })
      const dry = yield* begun({ field_type: "number", dry_run: true })
      yield* JobBatches.use((batches) => batches.carryOut(dry.jobId, 1))
      const dryJob = yield* jobOf(dry.jobId)
      assert.deepStrictEqual(dryJob.counts, { converted: 700, unconvertible: 1, empty: 0 })
      assert.deepStrictEqual(dryJob.report[0], {
        id: String(recordIds[0]),
        message: "must be a number or the text of one"
      })
      assert.include(dryJob.report[1].message, "becomes")
      assert.strictEqual(yield* typeOf, "single_text")
      const { jobId } = yield* begun({ field_type: "number" })
      yield* carryOut(jobId)
      assert.deepStrictEqual((yield* jobOf(jobId)).counts, dryJob.counts)
    })
  )
})
