// A worker killed where it answers a sender (developer-api.md 7.9; decisions A1): the next one answers, of the same run, and nothing is done twice.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { isAnswered, RunOutcomes } from "../../../../src/domain/automations/requests/RunOutcomes.ts"
import { appLayer } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { freshName } from "../../../support/temporal.ts"
import { pausesAt, startWorker } from "../durable/killSupport.ts"
import { assign, runsOver, settled } from "../runSupport.ts"
import { exit, inbound, say, send, shown } from "./answerSupport.ts"

layer(appLayer(), { excludeTestServices: true })("exit: respond, and its worker's death", (it) => {
  it.effect("killed before its answer is there: the run goes on, answers once, and is the only one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outcomes = yield* RunOutcomes
      const namespace = freshName("kill")
      const { appId, id, url } = yield* inbound({ response_status: 201, response_body: [shown] }, (own) => {
        const create = (text: string) => ({
          type: "record_create",
          config: {
            app_id: own.appId,
            field_assignments: [
              assign("single_text", own.fields["reference"]!, [text]),
              { ...assign("status", own.fields["state"]!, []), field_value: [own.options["state"]![0]] }
            ],
            trigger_other_flows: false
          }
        })
        return [say("said"), create("before"), exit("respond"), create("behind")]
      })
      const sender = yield* Effect.forkChild(send(url))
      const killed = yield* pausesAt("run_pages", "true")
      yield* killed(namespace, undefined, "rolled back")
      const [wait] = yield* sql<{ wait_key: string }>`SELECT wait_key FROM run_waits`
      const outcomeBefore = yield* outcomes.look(wait!.wait_key)
      assert.isTrue(outcomeBefore.type === "run" && outcomeBefore.answer === null, "not answered yet")
      yield* startWorker(namespace)
      const outcome = yield* eventually("it is answered", outcomes.look(wait!.wait_key), isAnswered)
      assert.isTrue(outcome.type === "run" && outcome.answer?.status === 201 && outcome.answer.body === "said")
      // Its time may have run out meanwhile: then as ever (7.9).
      const { status, text } = yield* Fiber.join(sender)
      assert.deepInclude([[201, "said"] as const, [202, "{}"] as const], [status, text])
      const [run, ...more] = yield* runsOver(id)
      assert.deepStrictEqual([run!.status, more.length], ["completed", 0])
      yield* settled(appId)
      const [made] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM records WHERE app_id = ${appId}`
      assert.strictEqual(made!.n, 2)
      assert.deepStrictEqual(
        run!.ledger.map(({ attempts, state }) => [state, attempts]),
        [1, 2, 3, 4].map(() => ["done", 1])
      )
    })
  )
})
