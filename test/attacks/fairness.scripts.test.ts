// Issue section "Fairness", shares of scripts and PDFs (decisions A22): whatever one organization has running or waiting, another's
// step begins at once.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { defaultDefinition, make } from "../../src/platform/pdf/Pdf.ts"
import { completed, order, runSteps, seedWorld } from "../domain/automations/actions/support.ts"
import { runsOf } from "../domain/automations/runSupport.ts"
import { App } from "../support/app.ts"
import { eventually, spineLayer } from "../support/spine.ts"

const SLEEPERS = 16
const any = (label: string) => ({ custom_type: "any", label })
const script = (code: string) => ({
  type: "custom_code",
  config: { code: [code], custom_variable_defs: [any("said")] }
})

layer(spineLayer(), { excludeTestServices: true })("Fairness 1: shares (A22)", (it) => {
  it.effect("16 sleeping scripts of one organization do not hold up another's", () =>
    Effect.gen(function* () {
      const app = yield* App
      const busy = yield* seedWorld
      const other = yield* seedWorld
      const createReply = yield* app.call("POST", `/v1/automation/app/${busy.appId}`, {
        token: busy.token,
        body: {
          name: "Sleepers",
          trigger: { type: "record_created", config: {} },
          actions: [script("for (let i = 0; i < 5; i++) await sleep(10000); return 1")]
        }
      })
      assert.strictEqual(createReply.status, 201, createReply.text)
      const id = createReply.json.automation.id as number
      const record = yield* order(other, { name: "Quick" })
      yield* runSteps(other, record, [script("return 0")])
      const sleeper = yield* order(busy, { name: "Slow" })
      const initialRuns = yield* runsOf(id)
      for (let i = initialRuns.length; i < SLEEPERS; i++) {
        const startReply = yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
          token: busy.token,
          body: { record_id: sleeper }
        })
        assert.strictEqual(startReply.status, 202, startReply.text)
      }
      const sleeping = Effect.map(runsOf(id), (rows) => rows.filter(({ status }) => status === "running").length)
      yield* eventually("all sleepers are under way", sleeping, (n) => n >= SLEEPERS)
      const run = yield* runSteps(other, record, [script("return 42")])
      completed(run)
      assert.strictEqual(run.variables["said"], 42)
      assert.isAtLeast(yield* sleeping, SLEEPERS, "the sleepers still sleep")
    })
  )
})

describe("Fairness 1: shares of PDFs (A22)", () => {
  it.live("printing of one organization does not hold up another's", () =>
    Effect.gen(function* () {
      const pdf = yield* make(Option.fromUndefinedOr(process.env["CHROMIUM_PATH"]))
      const definition = { ...defaultDefinition, pdf_body: '<img src="https://images.example/slow.png">text' }
      /** Printing waits for this image. */
      const print = (orgId: number, image: Effect.Effect<never>) =>
        pdf.print({ orgId, definition, fetchImage: () => image })
      const slow = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkScoped(print(1, Effect.never)))
      yield* print(2, Effect.die("no image"))
      assert.isTrue(
        slow.every((fiber) => fiber.pollUnsafe() === undefined),
        "the others still print"
      )
    }).pipe(Effect.scoped)
  )
})
