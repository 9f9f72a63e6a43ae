// The harness itself: one real Temporal server, reached by address, with names of a test's own.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { freshNamespace, TestConnection } from "./temporal.ts"

layer(TestConnection.layer, { excludeTestServices: true })("the test Temporal", (it) => {
  it.effect("answers with its version", () =>
    Effect.gen(function* () {
      const { workflowService } = yield* TestConnection
      const { serverVersion } = yield* Effect.promise(() => workflowService.getSystemInfo({}))
      assert.match(serverVersion, /^1\./)
    })
  )

  it.effect("gives a namespace of one's own", () =>
    Effect.gen(function* () {
      const { workflowService } = yield* TestConnection
      const namespace = yield* freshNamespace
      const { executions } = yield* Effect.promise(() => workflowService.listWorkflowExecutions({ namespace }))
      assert.deepStrictEqual(executions, [])
    })
  )
})
