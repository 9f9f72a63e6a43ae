// Creates the namespace where it is missing and registers our search attributes; both may be there already.
// Temporal Cloud refuses both to clients: then an operator has prepared them (docs/operations.md), and work goes on.
import type { NativeConnection } from "@temporalio/worker"
import { Effect, Schedule } from "effect"
import { searchAttributes, type TemporalSettings } from "../../../temporal.config.ts"
import { callTemporal, TemporalFailed } from "./TemporalFailed.ts"

const KEYWORD = 2

const GrpcStatus = {
  invalidArgument: 3,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  unimplemented: 12
} as const

const codeOf = (error: TemporalFailed): number | undefined => (error.cause as { code?: number } | undefined)?.code

const tolerate =
  (...codes: ReadonlyArray<number>) =>
  <A>(self: Effect.Effect<A, TemporalFailed>) =>
    Effect.catchIf(
      self,
      (error) => codes.includes(codeOf(error) ?? -1),
      () => Effect.void
    )

/** Retries for a while: the server's caches lag behind a registration. */
const catchUp = Schedule.upTo(Schedule.spaced("100 millis"), { duration: "5 seconds" })

const ensureNamespace = Effect.fnUntraced(function* (connection: NativeConnection, settings: TemporalSettings) {
  const { workflowService } = connection
  const { namespace } = settings
  const isRegistered = yield* callTemporal(() => workflowService.describeNamespace({ namespace })).pipe(
    Effect.as(true),
    tolerate(GrpcStatus.notFound)
  )
  if (isRegistered === true) return
  yield* callTemporal(() =>
    workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: (settings.retentionDays * 86_400) as never }
    })
  ).pipe(tolerate(GrpcStatus.alreadyExists))
})

/** Search attributes of ours that the namespace does not have. Needs no more than the right to list workflows. */
export const unknownAttributes = Effect.fnUntraced(function* (
  { workflowService }: Pick<NativeConnection, "workflowService">,
  namespace: string
) {
  const checkAttribute = (name: string) =>
    callTemporal(() => workflowService.countWorkflowExecutions({ namespace, query: `${name} = "none"` })).pipe(
      Effect.as(true),
      Effect.catchIf(
        (error) => codeOf(error) === GrpcStatus.invalidArgument,
        () => Effect.succeed(false)
      )
    )
  const attributeChecks = yield* Effect.forEach(searchAttributes, checkAttribute, {
    concurrency: searchAttributes.length
  })
  return searchAttributes.filter((_, index) => attributeChecks[index] !== true)
})

/** Fails with instructions if a search attribute is missing: without it no workflow could be started. */
const ensureKnown = Effect.fnUntraced(function* (connection: NativeConnection, namespace: string) {
  const missing = yield* unknownAttributes(connection, namespace)
  if (missing.length === 0) return
  const how = missing.map((name) => `--name ${name} --type Keyword`).join(" ")
  return yield* new TemporalFailed({
    cause: new Error(
      `search attributes are missing: temporal operator search-attribute create --namespace ${namespace} ${how}`
    )
  })
})

const ensureSearchAttributes = Effect.fnUntraced(function* (connection: NativeConnection, namespace: string) {
  const { operatorService } = connection
  const tolerateRefusal = tolerate(GrpcStatus.alreadyExists, GrpcStatus.permissionDenied, GrpcStatus.unimplemented)
  const attributeList = yield* callTemporal(() => operatorService.listSearchAttributes({ namespace })).pipe(
    tolerateRefusal
  )
  // Temporal Cloud lists none to clients: a query shows which ones are missing.
  if (attributeList === undefined) return yield* ensureKnown(connection, namespace)
  const present = attributeList.customAttributes ?? {}
  const missing = searchAttributes.filter((name) => !(name in present))
  if (missing.length === 0) return
  yield* callTemporal(() =>
    operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD]))
    })
  ).pipe(tolerateRefusal)
})

/** True if the message says that the namespace was not found, rather than a workflow in it. */
const namesNamespace = (message: string) => {
  const [, after] = message.toLowerCase().split("namespace ", 2)
  return after?.includes(" not found") === true
}

/** Checks that a poll of the namespace would not be refused. */
const ensureUsable = Effect.fnUntraced(function* (connection: NativeConnection, namespace: string) {
  yield* callTemporal(() =>
    connection.workflowService.getWorkflowExecutionHistory({ namespace, execution: { workflowId: "none" } })
  ).pipe(
    Effect.catchIf(
      (error) => codeOf(error) === GrpcStatus.notFound && !namesNamespace(error.message),
      () => Effect.void
    )
  )
})

export const prepareNamespace = Effect.fnUntraced(function* (
  connection: NativeConnection,
  settings: TemporalSettings
): Effect.fn.Return<void, TemporalFailed> {
  yield* ensureNamespace(connection, settings)
  yield* Effect.andThen(
    ensureSearchAttributes(connection, settings.namespace),
    ensureUsable(connection, settings.namespace)
  ).pipe(Effect.retry(catchUp))
})
