// LOG_FORMAT=json: one object a line, with the process's role, the trace, the request and the run that it is about.
import { assert, describe, it } from "@effect/vitest"
import { ApplicationFailure } from "@temporalio/common"
import { Console, Effect, Logger, References, Tracer } from "effect"
import { sdkLogger } from "../../../src/engine/temporal/sdkLogger.ts"
import { FiberLabel } from "../../../src/platform/telemetry/FiberLabel.ts"
import { jsonLines } from "../../../src/platform/telemetry/logLine.ts"

/** The lines that an effect writes as a worker, parsed. */
const linesOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const lines: Array<any> = []
    const console = { ...globalThis.console, log: (line: string) => void lines.push(JSON.parse(line)) }
    yield* effect.pipe(
      Effect.provide(Logger.layer([jsonLines("worker")])),
      Effect.provideService(Console.Console, console),
      Effect.provideService(References.MinimumLogLevel, "Info")
    )
    return lines
  })

const span = Tracer.externalSpan({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" })

describe("LOG_FORMAT=json", () => {
  it.effect("a line says whose it is: role, trace, request, and the run by whatever it is known", () =>
    Effect.gen(function* () {
      const logDone = Effect.annotateLogs(Effect.logInfo("done"), { request: "r-1", kept: 7 })
      const [plain, ofRun, ofStep] = yield* linesOf(
        Effect.all([
          Effect.withParentSpan(logDone, span),
          Effect.provideService(Effect.logWarning("slow"), FiberLabel, "run 4711"),
          Effect.provideService(Effect.logWarning("slow"), FiberLabel, "http_call of automations/3/runs/4712")
        ])
      )
      assert.deepInclude(plain, {
        level: "INFO",
        role: "worker",
        message: "done",
        trace_id: "0af7651916cd43dd8448eb211c80319c",
        span_id: "b7ad6b7169203331",
        request: "r-1",
        annotations: { kept: 7 }
      })
      assert.match(plain.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      assert.deepStrictEqual([ofRun.run, ofRun.doing, ofRun.trace_id], ["4711", "run 4711", undefined])
      assert.deepStrictEqual([ofStep.run, ofStep.doing], ["4712", "http_call of automations/3/runs/4712"])
    })
  )

  it.effect("what Temporal's SDK says is a line like any other, with ids and names and nothing else", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf(
        Effect.gen(function* () {
          const logger = sdkLogger(yield* Effect.context<never>())
          logger.info("started")
          logger.warn("No workflows registered, …")
          logger.warn("Workflow failed", {
            workflowId: "automations/3/runs/4711",
            error: new Error("boom"),
            input: { a: 1 }
          })
          // What a run's author has defined has failed: no warning, and no stack of ours. It comes from another thread.
          logger.warn("Workflow failed", {
            workflowId: "automations/3/runs/4712",
            error: structuredClone(ApplicationFailure.nonRetryable("theirs", "actions_failed"))
          })
          logger.warn("Activity failed", { workflowId: "x", error: structuredClone(ApplicationFailure.create({})) })
          logger.log("ERROR", "lost", {})
          yield* Effect.yieldNow
        })
      )
      assert.deepStrictEqual(
        lines.map(({ annotations, level, message }) => [level, message, annotations]),
        [
          ["WARN", "Workflow failed", { workflowId: "automations/3/runs/4711" }],
          ["INFO", "Workflow failed", { workflowId: "automations/3/runs/4712" }],
          ["WARN", "Activity failed", { workflowId: "x" }],
          ["ERROR", "lost", {}]
        ]
      )
      assert.include(lines[0].cause, "boom")
      assert.notInclude(JSON.stringify(lines[1]), "theirs")
    })
  )
})
