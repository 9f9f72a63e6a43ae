// Run by the launcher before anything is made or started (decisions P15): says which settings cannot be read, as JSON, and ends with 1 where
// there are any. Only the sources know what each may be.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { inForce } from "./ground/config/inForce.ts"

inForce.pipe(
  Effect.tap(({ problems }) =>
    Effect.sync(() => {
      process.stdout.write(JSON.stringify(problems))
      process.exitCode = problems.length === 0 ? 0 : 1
    })
  ),
  NodeRuntime.runMain
)
