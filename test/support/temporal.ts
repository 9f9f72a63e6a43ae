// The run's Temporal server: its address, a connection as a layer, and names that no other test uses.
import { randomUUID } from "node:crypto"
import { NativeConnection } from "@temporalio/worker"
import { Context, Effect, Layer, Schedule } from "effect"
import { inject } from "vitest"
import { BOUND } from "./eventually.ts"

/** Host and port of the server started by the global setup. */
export const temporalAddress = (): string => inject("temporalAddress")

/** A task queue (or a prefix of workflow ids) of one test's own. */
export const freshName = (prefix = "test"): string => `${prefix}-${randomUUID()}`

/** One connection for client and worker, closed with the layer. */
export class TestConnection extends Context.Service<TestConnection, NativeConnection>()(
  "millrace/test/support/TestConnection"
) {
  static readonly layer = Layer.effect(
    TestConnection,
    Effect.acquireRelease(
      Effect.promise(() => NativeConnection.connect({ address: temporalAddress() })),
      (connection) => Effect.promise(() => connection.close())
    )
  )
}

/** A namespace of a test's own, usable once this resolves; it stays until the run ends. */
export const freshNamespace = Effect.gen(function* () {
  const { workflowService } = yield* TestConnection
  const namespace = freshName("namespace")
  yield* Effect.promise(() =>
    workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } })
  )
  yield* Effect.tryPromise(() =>
    workflowService.getWorkflowExecutionHistory({ namespace, execution: { workflowId: "none" } })
  ).pipe(
    Effect.flip,
    Effect.filterOrFail(({ cause }) => !/namespace .* not found/i.test(String(cause))),
    Effect.retry(Schedule.upTo(Schedule.spaced("50 millis"), { duration: BOUND })),
    Effect.orDie
  )
  return namespace
})
