// What executes a run and fails unexpectedly, or never comes to its end, is not begun for ever (developer-api.md 7.11 run semantics 1
// and 3; decisions A1).
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { RunDriver } from "../../../../src/domain/automations/durable/RunDriver.ts"
import { BOUND } from "../../../support/eventually.ts"
import { spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf, runsOver, setText, waiting } from "../runSupport.ts"
import { seedApp } from "../support.ts"

/** A run that waits before its steps. */
const resting = Effect.fnUntraced(function* (...steps: ReadonlyArray<object>) {
  const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
  const id = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }, ...steps, setText(fields["name"]!, "behind")]
  })
  yield* createRecord(token, appId, { name: "a" })
  return { id, run: yield* waiting(id) }
})

layer(spineLayer(), { excludeTestServices: true })("attempts that come to nothing", (it) => {
  it.effect("the tenth that ends in a defect ends the run as failed; failures that say when to come back do not", () =>
    Effect.gen(function* () {
      const driver = yield* RunDriver
      const { id, run } = yield* resting()
      const defect = Effect.die(new Error("broken"))
      const ninth = yield* Effect.exit(driver.bound(run.run_id, 9)(defect))
      assert.isTrue(Exit.hasDies(ninth))
      const boundExit = yield* Effect.exit(driver.bound(run.run_id, 10)(Effect.fail("not due")))
      assert.isTrue(Exit.hasFails(boundExit))
      assert.strictEqual((yield* runsOf(id))[0]!.completed_on, null)
      // The workflow may take the run up meanwhile: then the next attempt does it, which Temporal asks for.
      const directive = yield* driver
        .bound(
          run.run_id,
          10
        )(defect)
        .pipe(Effect.sandbox, Effect.retry(Schedule.upTo(Schedule.spaced("50 millis"), { duration: BOUND })))
      assert.include(directive, { type: "done", status: "failed", reason: "actions_failed" })
      const [over] = yield* runsOver(id)
      assert.strictEqual(over!.status, "failed")
      assert.match(over!.error_message!, /failed unexpectedly in 10 attempts/)
    })
  )

  it.effect("an outside step that began ten times without an end fails, and the run goes on where it says so", () =>
    Effect.gen(function* () {
      const driver = yield* RunDriver
      const sql = yield* SqlClient.SqlClient
      const pdf = { type: "create_pdf", continue_on_error: true, config: { pdf_body: ["Hello"] } }
      const { id, run } = yield* resting(pdf)
      // As ten processes have left it that ended in the midst of it.
      yield* sql`UPDATE runs SET cursor = '{"path":"1","iteration":[]}', wait_why = NULL, wait_until = NULL
        WHERE run_id = ${run.run_id}::bigint`
      yield* sql`INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, started_on)
        SELECT run_id, '1', '', 'x', 'started', 10, now() FROM runs WHERE run_id = ${run.run_id}::bigint`
      yield* driver.outside(run.run_id, "1", [])
      const [over] = yield* runsOver(id)
      assert.strictEqual(over!.status, "completed")
      assert.match(JSON.stringify(over!.logs), /The step began 10 times and never came to its end\./)
    })
  )
})
