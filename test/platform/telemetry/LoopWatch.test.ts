// decisions P8: what holds the event loop for more than 200 ms is named in the log and counted.
import { createServer } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Scheduler } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { page } from "../../../src/platform/metrics/exposition.ts"
import { observe } from "../../../src/platform/metrics/observers.ts"
import { onLagReport } from "../../../src/platform/primitives/eventLoopLag.ts"
import { FiberLabel } from "../../../src/platform/telemetry/FiberLabel.ts"
import { LoopWatch } from "../../../src/platform/telemetry/LoopWatch.ts"
import { eventually } from "../../support/eventually.ts"

const holdFor = (millis: number) => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

class Lines extends Context.Service<Lines, Array<string>>()("test/Lines") {}

const recorded = Layer.unwrap(
  Effect.sync(() => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push([message].flat().map(String).join(" ")))
    return Layer.merge(Layer.succeed(Lines, lines), Logger.layer([logger]))
  })
)

const heldLines = Effect.map(Lines, (lines) => lines.filter((line) => line.startsWith("the event loop was held")))

/** A machine that itself stands still meanwhile makes somebody else's turn the longest: then the loop is held once more. */
const toldOf = Effect.fnUntraced(function* <E, R>(holding: Effect.Effect<unknown, E, R>, name: RegExp) {
  for (let tries = 0; tries < 10; tries++) {
    const countBefore = (yield* heldLines).length
    yield* holding
    const lines = yield* eventually("somebody is told of", heldLines, ({ length }) => length > countBefore)
    if (lines.some((line) => name.test(line))) return lines
  }
  return assert.fail((yield* heldLines).join("\n"))
})

const watched = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.provide(Layer.fresh(Layer.provideMerge(LoopWatch, recorded))))

const served = HttpRouter.serve(
  Layer.mergeAll(
    HttpRouter.add("GET", "/quick", HttpServerResponse.text("quick")),
    HttpRouter.add(
      "GET",
      "/api/catch/:token",
      // Other requests take their turns before and after.
      Effect.sleep("100 millis").pipe(
        Effect.andThen(Effect.sync(() => holdFor(300))),
        Effect.as(HttpServerResponse.text("held"))
      )
    )
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })))

describe("decisions P8: who held the event loop", () => {
  it.live(
    "a request is named by its method and path, without what is secret in it, among others that come and go",
    () =>
      watched(
        Effect.gen(function* () {
          const { address } = yield* HttpServer.HttpServer
          const origin = `http://127.0.0.1:${"port" in address ? address.port : 0}`
          const quick = () => fetch(`${origin}/quick`).then((response) => response.text())
          const sendRequests = Effect.promise(() =>
            Promise.all([
              fetch(`${origin}/api/catch/secret-token?x=1`).then((response) => response.text()),
              ...Array.from({ length: 20 }, (_, index) =>
                new Promise((resolve) => setTimeout(resolve, index * 20)).then(quick)
              )
            ])
          )
          const lines = yield* toldOf(sendRequests, /held for \d+ ms \(\d+ ms of work\) by GET \/api\/catch\/…$/)
          assert.notInclude(lines.join("\n"), "secret-token")
          yield* observe
          const metrics = page("text")
          assert.match(metrics, /millrace_eventloop_stalls_total [1-9]/)
          assert.match(metrics, /nodejs_eventloop_delay_p99_seconds 0\.[0-9]+/)
        }).pipe(Effect.provide(served))
      )
  )

  it.live("a run is named by what it says of itself, although it is over when it is told", () =>
    watched(
      Effect.gen(function* () {
        assert.notStrictEqual((yield* Scheduler.Scheduler).constructor, Scheduler.MixedScheduler)
        const run = Effect.provideService(
          Effect.andThen(
            Effect.sleep("60 millis"),
            Effect.sync(() => holdFor(300))
          ),
          FiberLabel,
          "run 4711"
        )
        const otherWork = Effect.forEach(Array.from({ length: 20 }), () => Effect.sleep("30 millis"))
        yield* toldOf(Effect.andThen(Effect.forkChild(run), otherWork), /by run 4711$/)
      })
    )
  )

  it.live("percentiles of the delay are worked out when metrics are collected, not at each heartbeat", () =>
    Effect.gen(function* () {
      const histogram = Object.getPrototypeOf(monitorEventLoopDelay()) as { percentile: (of: number) => number }
      const { percentile } = histogram
      const askedPercentiles: Array<number> = []
      histogram.percentile = function (of) {
        askedPercentiles.push(of)
        return percentile.call(this, of)
      }
      let beats = 0
      const stop = onLagReport(() => beats++)
      yield* Effect.gen(function* () {
        yield* eventually(
          "five heartbeats",
          Effect.sync(() => beats),
          (count) => count >= 5
        )
        assert.deepStrictEqual(askedPercentiles, [])
        yield* observe
        assert.deepStrictEqual(askedPercentiles, [50, 99])
      }).pipe(
        watched,
        Effect.ensuring(
          Effect.sync(() => {
            histogram.percentile = percentile
            stop()
          })
        )
      )
    })
  )

  it.live("nothing is told of a loop that is busy but never held", () =>
    watched(
      Effect.gen(function* () {
        yield* Effect.forEach(Array.from({ length: 40 }), () =>
          Effect.andThen(
            Effect.sync(() => holdFor(10)),
            Effect.sleep("1 millis")
          )
        )
        const lines = yield* Lines
        // A machine that stands still itself is told too, with no work behind it.
        const worked = lines.filter((line) => Number(/\((\d+) ms of work/.exec(line)?.[1]) > 200)
        assert.deepStrictEqual(worked, [])
      })
    )
  )
})
