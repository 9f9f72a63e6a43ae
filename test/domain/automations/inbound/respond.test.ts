// An `exit` that responds (developer-api.md 7.6, 7.9): the sender is answered, and the run goes on.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { endDelays, runsOver, waiting } from "../runSupport.ts"
import { seedApp } from "../support.ts"
import { definition, exit, inbound, prop, say, send, shown } from "./answerSupport.ts"

const statuses = (logs: ReadonlyArray<any>) =>
  logs.filter(({ type }) => type === "action").map(({ label, status }) => `${label}: ${status}`)

layer(spineLayer(), { excludeTestServices: true })("exit: respond", (it) => {
  it.effect(
    "answers at once with what the values are then; a later failure and a later answer change nothing of it",
    () =>
      Effect.gen(function* () {
        const { id, url } = yield* inbound(
          {
            response_status_value: ["201"],
            response_headers: [{ name: "X-Word", value: [shown] }],
            response_content_type: "text/plain",
            response_body: ["now ", shown]
          },
          () => [
            say("first"),
            exit("respond"),
            say("second"),
            exit("respond"),
            { type: "delay", config: { delay_ms: 3_600_000 } },
            exit("failure")
          ]
        )
        const answer = yield* send(url)
        assert.deepStrictEqual([answer.status, answer.text, answer.headers.get("x-word")], [201, "now first", "first"])
        assert.strictEqual((yield* waiting(id)).status, "running")
        yield* endDelays(id)
        const [run, ...more] = yield* runsOver(id)
        assert.deepStrictEqual([run!.status, run!.failure_reason, more.length], ["failed", "exit_on_purpose", 0])
        assert.deepStrictEqual(statuses(run!.logs), [
          "Set variable: success",
          "Exit: success",
          "Set variable: success",
          "Exit: skipped",
          "Delay: success",
          "Exit: success"
        ])
        const [told, again] = run!.logs.filter(({ label }: any) => label === "Exit")
        assert.deepStrictEqual(told.detail.outputs.response, {
          status: 201,
          headers: { "x-word": "first", "content-type": "text/plain" },
          body: "now first"
        })
        assert.strictEqual(again.messages[0].message, "The sender has been answered before.")
      })
  )

  it.effect("in a loop and as the last step: the first answer is the one, the end adds none", () =>
    Effect.gen(function* () {
      const item = { kind: "variable", source: "trigger", trigger_type: "webhook_payload" }
      const { id, url } = yield* inbound({ response_body: [shown] }, () => [
        {
          type: "for_loop",
          config: {
            iterable: item,
            action_rows: [
              {
                type: "custom_variable",
                config: {
                  assignment_code: ["loop_item"],
                  custom_variable_defs: [{ custom_type: "any", label: "Word" }]
                }
              },
              exit("respond")
            ]
          }
        }
      ])
      assert.strictEqual((yield* send(url, [1, 2, 3])).text, "1")
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      assert.deepStrictEqual(
        run!.logs.filter(({ label }: any) => label === "Exit").map(({ status }: any) => status),
        ["success", "skipped", "skipped"]
      )
      const lastHook = yield* inbound({ response_body: [prop("text")] }, () => [exit("respond")])
      assert.strictEqual((yield* send(lastHook.url, { text: "only" })).text, "only")
      assert.strictEqual((yield* runsOver(lastHook.id))[0]!.status, "completed")
    })
  )

  it.effect(
    "an answer that cannot be made fails the step; with continue_on_error the run goes on and answers at its end",
    () =>
      Effect.gen(function* () {
        const config = { response_redirect: [shown] }
        const failing = yield* inbound(config, () => [say("nowhere"), exit("respond"), say("https://example.com/")])
        const failed = yield* send(failing.url)
        assert.deepStrictEqual([failed.status, failed.text], [500, "{}"])
        const [run] = yield* runsOver(failing.id)
        assert.deepStrictEqual([run!.status, run!.failure_reason], ["failed", "actions_failed"])
        assert.match(run!.error_message ?? "", /no http or https address/)
        const patient = yield* inbound(config, () => [
          say("nowhere"),
          exit("respond", { continue_on_error: true }),
          say("https://example.com/")
        ])
        const answered = yield* send(patient.url)
        assert.deepStrictEqual([answered.status, answered.headers.get("location")], [302, "https://example.com/"])
      })
  )

  it.effect("a simulation only tells what would be answered, early and at the end", () =>
    Effect.gen(function* () {
      const app = yield* App
      const config = { response_status: 418, response_body: ["it is ", prop("text")] }
      const simulated = Effect.fnUntraced(function* (actions: ReadonlyArray<object>) {
        const { id, token } = yield* inbound(config, () => actions)
        const body = { webhook_payload: { text: "so" } }
        const simulateAnswer = yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body })
        assert.strictEqual(simulateAnswer.status, 202, simulateAnswer.text)
        const [run] = yield* runsOver(id)
        assert.deepStrictEqual([run!.status, run!.type], ["completed", "simulation"])
        return run!
      })
      const early = yield* simulated([exit("respond"), say("on")])
      const step = early.logs.find(({ label }: any) => label === "Exit")
      assert.deepStrictEqual([step.status, step.messages[0].message], ["skipped", "Simulation: 418 would be answered."])
      assert.strictEqual(step.detail.outputs.response.body, "it is so")
      const lateRun = yield* simulated([say("on")])
      const answerEntry = lateRun.logs.find(({ label }: any) => label === "Answer")
      assert.deepStrictEqual(
        [answerEntry.status, answerEntry.messages[0].message],
        ["skipped", "Simulation: 418 would be answered."]
      )
      assert.isUndefined(
        early.logs.find(({ label }: any) => label === "Answer"),
        "there has been one"
      )
    })
  )

  it.effect("needs a sync webhook; what stands behind it is reached", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const validated = Effect.fnUntraced(function* (body: object) {
        const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
        assert.strictEqual(creation.status, 201, creation.text)
        return (yield* app.call("GET", `/v1/automation/${creation.json.automation.id}/validate`, { token })).json
      })
      const fine = yield* validated(definition({}, [exit("respond"), say("behind")]))
      assert.deepStrictEqual([fine.errors, fine.warnings], [[], undefined])
      const exitValidity = yield* validated(definition({}, [exit("success"), say("behind")]))
      assert.deepStrictEqual(
        exitValidity.warnings?.map(({ code }: any) => code),
        ["step_unreachable"]
      )
      for (const body of [
        definition({ response_mode: "immediate" }, [exit("respond")]),
        { name: "Answers", trigger: { type: "record_created", config: {} }, actions: [exit("respond")] }
      ]) {
        const { errors } = yield* validated(body)
        assert.deepStrictEqual(
          errors.map(({ code }: any) => code),
          ["action_invalid"]
        )
        assert.match(errors[0].message, /needs the trigger `webhook_received` with the `response_mode` `sync`/)
      }
    })
  )
})
