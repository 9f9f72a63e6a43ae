// Places that a begun delay gives back before its workflow is there (developer-api.md 7.11 rule 7; docs/architecture.md, "How runs come to
// their places"): never do more runs execute than the organization has places.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOver, settled } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const PLACES = 3
/** More than give their places back ahead of their workflows. */
const RUNS = 90
const STEP_MILLIS = 60

class Asked extends Context.Service<Asked, Effect.Success<ReturnType<typeof startReceiver>>>()("test/Asked") {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    const env = { OUTBOUND_ALLOW: receiver.hostPort, RUNS_CONCURRENT: String(PLACES) }
    return spineLayer(env).pipe(Layer.merge(Layer.succeed(Asked, receiver)))
  })
)

layer(world, { excludeTestServices: true })("places of runs that begin in their wait", (it) => {
  it.effect("delays that end while workflows are being started: no more steps at once than places", () =>
    Effect.gen(function* () {
      const receiver = yield* Asked
      const sql = yield* SqlClient.SqlClient
      const { appId, orgId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
      let inFlight = 0
      let most = 0
      receiver.on("/step", (request, response) => {
        most = Math.max(most, ++inFlight)
        setTimeout(() => {
          inFlight--
          answers.status(200)(request, response)
        }, STEP_MILLIS)
      })
      const config = { http_call_type: "get", http_call_url: [`${receiver.origin}/step`] }
      const id = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        // The shortest: where the machine is busy a start takes as long.
        actions: [
          { type: "delay", config: { delay_ms: 1_000 } },
          { type: "http_call", config }
        ]
      })
      yield* Effect.forEach(Array.from({ length: RUNS }), () => createRecord(token, appId, {}), { concurrency: 10 })
      const runs = yield* runsOver(id, RUNS)
      assert.isTrue(runs.every(({ status }) => status === "completed"))
      assert.strictEqual(receiver.of("/step").length, RUNS, "each once")
      assert.isAtMost(most, PLACES)
      yield* settled(appId)
      yield* eventually(
        "no place is held",
        sql`SELECT 1 FROM run_places WHERE org_id = ${orgId}`,
        (rows) => rows.length === 0
      )
    })
  )
})
