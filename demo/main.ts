// npm run demo: imports a public data set into the service that runs here, with hooks and an automation on, and says whether
// every event arrived. It works on the service's own address and database; `npm start` lets webhooks reach its receiver.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config, Console, Effect, Layer, Logger } from "effect"
import { Command, Flag } from "effect/cli"
import { AppConfig } from "../src/platform/config/Config.ts"
import { IMPORTERS } from "./importer.ts"
import { rows } from "./movies.ts"
import { makeTenant, OperatorLayer } from "./operator.ts"
import { startReceiver } from "./receiver.ts"
import { refusalLines, table } from "./report.ts"
import { DemoFailed, runDemo } from "./run.ts"

/** Lifts the organization's limit of webhook executions for each app and minute. */
const WEBHOOKS_PER_MINUTE = 1_000_000

const flags = {
  rows: Flag.Int("rows").pipe(
    Flag.withDescription("How many rows of the data set, from its beginning"),
    Flag.withDefault(rows.length)
  ),
  importers: Flag.Int("importers").pipe(
    Flag.withDescription("People who import side by side; each has a rate limit of its own"),
    Flag.withDefault(IMPORTERS)
  ),
  patience: Flag.Int("patience").pipe(
    Flag.withDescription("Seconds to wait for a service that does not answer, or for events that do not come"),
    Flag.withDefault(300)
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for scripts"), Flag.withDefault(false))
}

const receiverAddress = Effect.gen(function* () {
  const address = yield* Config.String("DEMO_RECEIVER").pipe(Config.withDefault("127.0.0.1:8099"))
  const [, port] = /^127\.0\.0\.1:(\d+)$/.exec(address) ?? []
  if (port === undefined) return yield* new DemoFailed({ message: "DEMO_RECEIVER: expected 127.0.0.1:<port>" })
  return Number(port)
})

const demo = Command.make("demo", flags, (options) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* AppConfig
    const receiver = yield* startReceiver(yield* receiverAddress)
    const selectedRows = rows.slice(0, options.rows)
    const tenant = yield* makeTenant("Movie archive", Math.max(1, options.importers), WEBHOOKS_PER_MINUTE)
    const result = yield* runDemo({
      baseUrl,
      tenant,
      receiver,
      rows: selectedRows,
      patienceMillis: options.patience * 1000
    })
    if (options.json) yield* Console.log(JSON.stringify(result, undefined, 2))
    else {
      yield* Console.log(`\n${table(result.lines)}`)
      if (result.refusals.length > 0) yield* Console.log(`\nRefused:\n${refusalLines(result.refusals).join("\n")}`)
      const repeats = Object.entries(result.repeats).map(([why, n]) => `${n} × ${why}`)
      if (repeats.length > 0) yield* Console.log(`\nCalls repeated: ${repeats.join(", ")}`)
    }
    if (result.faults.length > 0) return yield* new DemoFailed({ message: result.faults.join("\n") })
    if (!options.json)
      yield* Console.log("\nEvery event arrived at least once; none is missing, nothing was done twice.")
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription("Import a public data set with hooks and an automation on"),
  Command.provide(OperatorLayer.pipe(Layer.provide(Logger.layer([]))))
)

Command.run(demo, { version: "0.2.0" }).pipe(
  Effect.catch((error) =>
    Effect.andThen(
      Console.error(`demo: ${(error as { message?: string }).message ?? String(error)}`),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  ),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
