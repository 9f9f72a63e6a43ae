// Reports the settings that cannot be read, as JSON, and ends with 1 if there are any. The launcher runs it before anything is made or
// started (decisions P15): only the sources know the allowed values of each.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { effectiveSettings } from "./platform/config/effectiveSettings.ts"

effectiveSettings.pipe(
  Effect.tap(({ problems }) =>
    Effect.sync(() => {
      process.stdout.write(JSON.stringify(problems))
      process.exitCode = problems.length === 0 ? 0 : 1
    })
  ),
  NodeRuntime.runMain
)
