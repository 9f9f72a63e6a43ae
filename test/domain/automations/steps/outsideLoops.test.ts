// Outside steps in a loop: the activity of one takes the next along, and each is begun, done and committed as ever (decisions A1;
// docs/architecture/runs.md, "How runs share transactions").
import type { ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { RunDriver } from "../../../../src/domain/automations/durable/RunDriver.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, type RunSeen, runsOf, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/outsideLoops/Receiver"
) {}

const spine = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

const items = (count: number) => Array.from({ length: count }, (_, i) => i)

/** A run of a loop that calls `/<name>/<item>` for each item. */
const calling = Effect.fnUntraced(function* (name: string, count: number, more: object = {}) {
  const app = yield* App
  const { origin } = yield* Receiver
  const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
  const iterable = { kind: "variable", source: "trigger", trigger_type: "webhook_payload" }
  const call = {
    type: "http_call",
    custom_name: "Call",
    ...more,
    config: { http_call_type: "get", http_call_url: [`${origin}/${name}/`, iterable] }
  }
  const id = yield* automate(token, appId, {
    trigger: { type: "webhook_received", config: {} },
    actions: [{ type: "for_loop", config: { iterable, action_rows: [call] } }]
  })
  const body = { webhook_payload: items(count) }
  const answer = yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body })
  assert.strictEqual(answer.status, 202, answer.text)
  return { id, token }
})

const paths = (name: string) =>
  Effect.map(Receiver, ({ received }) =>
    received.map(({ path }) => path).filter((path) => path.startsWith(`/${name}/`))
  )

/** What Temporal has of its outside steps. */
const activities = Effect.fnUntraced(function* ({ automation_id, run_id }: RunSeen) {
  const temporal = yield* Temporal
  return yield* temporal.call(async (client) => {
    const { events } = await client.workflow.getHandle(runWorkflowId({ automation_id, run_id })).fetchHistory()
    const startedActivities = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name ?? []
    )
    const failures = (events ?? []).flatMap(({ activityTaskFailedEventAttributes: of }) => of?.failure?.message ?? [])
    return { calls: startedActivities.filter((name) => name === "http_call").length, failures }
  })
})

layer(spine, { excludeTestServices: true })("outside steps in a loop", (it) => {
  it.effect("an activity takes the next turns along: in order, each once, with its own ledger row and log entry", () =>
    Effect.gen(function* () {
      const { id } = yield* calling("along", 40)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      assert.deepStrictEqual(
        yield* paths("along"),
        items(40).map((i) => `/along/${i}`)
      )
      const steps = run!.ledger.filter(({ iteration }) => iteration !== "")
      assert.deepStrictEqual([...new Set(steps.map(({ attempts, state }) => `${state} ${attempts}`))], ["done 1"])
      assert.strictEqual(steps.length, 40)
      assert.strictEqual(run!.logs.filter(({ type }) => type === "action").length, 40)
      assert.strictEqual(run!.credits, 40)
      assert.isBelow((yield* activities(run!)).calls, 10)
    })
  )

  it.effect(
    "one that fails ends the activity, which says which it was; the run goes on where its definition says so",
    () =>
      Effect.gen(function* () {
        const { on } = yield* Receiver
        on("/fails/2", answers.status(400))
        const { id } = yield* calling("fails", 5, { continue_on_error: true })
        const [run] = yield* runsOver(id)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        assert.deepStrictEqual(
          yield* paths("fails"),
          items(5).map((i) => `/fails/${i}`)
        )
        const { calls, failures } = yield* activities(run!)
        assert.strictEqual(failures.length, 1)
        assert.match(failures[0]!, /^Call, item 3: .*400/)
        assert.isAtLeast(calls, 2)
      })
  )

  it.effect("one that may be tried again has its own activity, whose attempts operators see (7.13)", () =>
    Effect.gen(function* () {
      const { id } = yield* calling("again", 4, { retry: { attempts: 2, first_ms: 1000, factor: 1, at_most_ms: 1000 } })
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      assert.strictEqual((yield* activities(run!)).calls, 4)
    })
  )

  it.effect("a run that is cancelled meanwhile stops before its next step (7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { on } = yield* Receiver
      const heldResponses: Array<ServerResponse> = []
      on("/stops/3", (_request, response) => void heldResponses.push(response))
      const { id, token } = yield* calling("stops", 10)
      yield* eventually("it hangs", paths("stops"), (found) => found.length === 4)
      const [run] = yield* runsOf(id)
      const cancelled = yield* app.call("POST", `/v1/automation-run/${run!.run_id}/cancel`, { token })
      assert.strictEqual(cancelled.status, 202, cancelled.text)
      for (const response of heldResponses) response.writeHead(200).end()
      const [over] = yield* runsOver(id)
      assert.strictEqual(over!.status, "cancelled")
      assert.strictEqual((yield* paths("stops")).length, 4)
    })
  )

  it.effect("where others wait for its place an activity takes nothing along (A22)", () =>
    Effect.gen(function* () {
      const { on } = yield* Receiver
      const runner = yield* RunDriver
      on("/leaves/0", answers.hang)
      const { id } = yield* calling("leaves", 3)
      yield* eventually("it hangs", paths("leaves"), (found) => found.length === 1)
      on("/leaves/0", answers.status(200))
      const [run] = yield* runsOf(id)
      const next = yield* runner.outside(run!.run_id, "0.body.0", [0], { wanted: Effect.succeed(true) })
      assert.deepInclude(next, { type: "outside", label: "Call, item 2" })
      assert.deepStrictEqual(yield* paths("leaves"), ["/leaves/0", "/leaves/0"])
    })
  )
})
