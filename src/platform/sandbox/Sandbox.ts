// Scripts of automations, in processes of their own (developer-api.md 8).
//
// runSync   one expression (script conditions, `set_code`, number code values, `assignment_code`)
// runMany   the same expression over many rows in one round trip; a row that fails does not fail the others
// runAsync  a statement block with top-level `return` and `await` (`custom_code`), with `http`, `api` and `sleep`
//
// Every evaluation has a context of its own, every organization processes of its own; places are given to organizations in turn
// (decisions P9, A22). Errors: `ScriptError` (the script's fault, with its message and place),
// `ScriptResourceLimit` (never retried, step error `actions_resource_limit_exceeded`), `SandboxUnavailable` (nothing ran).
import { Context, Effect, Layer, Queue, Result } from "effect"
import { AppConfig } from "../config/Config.ts"
import type { Limits } from "../config/sandboxLimits.ts"
import { type Confinement, confinement } from "../confinement/Confinement.ts"
import { histogram } from "../metrics/instruments.ts"
import { timed } from "../metrics/timed.ts"
import { answerCall, quota } from "./hostCalls.ts"
import type { ScriptCall, ScriptDone, ScriptOutcome } from "./protocol.ts"
import type {
  AsyncRequest,
  Evaluation,
  ManyRequest,
  ScriptError,
  ScriptResourceLimit,
  ScriptResult,
  SyncRequest
} from "./Script.ts"
import type { SandboxUnavailable, Worker, WorkerLost } from "./ScriptProcess.ts"
import { errorOf, faultOf, limitError, lossOf, resultIn } from "./scriptFailures.ts"
import { makeScriptPlaces } from "./scriptPlaces.ts"
import { oneTrip, tripOf } from "./scriptTrips.ts"

export type { Limits } from "../config/sandboxLimits.ts"
export * from "./Script.ts"
export { SandboxUnavailable } from "./ScriptProcess.ts"

type Failure = ScriptError | ScriptResourceLimit | SandboxUnavailable

const durations = histogram("millrace.script.duration")

const GRACE_MILLIS = 2000
/** Processes kept for organizations that may come again, for each that may work at once. */
const KEPT = { sync: 3, async: 1 } as const
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly runSync: (request: SyncRequest) => Effect.Effect<ScriptResult, Failure>
    /** Results in the order of the rows. After a row that exceeds a limit the rest fail with it unevaluated. */
    readonly runMany: (
      request: ManyRequest
    ) => Effect.Effect<ReadonlyArray<Result.Result<Evaluation, ScriptError | ScriptResourceLimit>>, SandboxUnavailable>
    readonly runAsync: (request: AsyncRequest) => Effect.Effect<ScriptResult, Failure>
  }
>()("millrace/sandbox/Sandbox") {
  static readonly layer = Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const config = yield* AppConfig
      return yield* make({
        sync: config.scriptSync,
        async: config.scriptAsync,
        syncProcesses: config.scriptSyncProcesses,
        asyncProcesses: config.scriptAsyncProcesses,
        spareProcesses: config.scriptSpareProcesses,
        confined: yield* Effect.orDie(confinement(config.scriptConfinement))
      })
    })
  )
}

export interface SandboxOptions {
  readonly sync: Limits
  readonly async: Limits
  readonly syncProcesses: number
  readonly asyncProcesses: number
  /** Processes of each kind kept ready for an organization that has none; one where absent. */
  readonly spareProcesses?: number
  /** Found out where absent. */
  readonly confined?: Confinement
}

/** The services without configuration; scoped. */
export const make = Effect.fnUntraced(function* (options: SandboxOptions) {
  const confined = options.confined ?? (yield* Effect.orDie(confinement("auto")))
  const spare = options.spareProcesses !== 0
  const lendSync = yield* makeScriptPlaces("scripts_sync", confined, options.sync, {
    slots: options.syncProcesses,
    kept: KEPT.sync,
    scriptsPerIsolate: 32,
    spare
  })
  const lendAsync = yield* makeScriptPlaces("scripts_async", confined, options.async, {
    slots: options.asyncProcesses,
    kept: KEPT.async,
    scriptsPerIsolate: 1,
    spare
  })

  const checkSource = (source: string, limits: Limits) =>
    Buffer.byteLength(source) > limits.sourceBytes
      ? Effect.fail(faultOf(`The source is larger than ${limits.sourceBytes} bytes`))
      : Effect.void

  const settings = (request: SyncRequest, limits: Limits, simulate: boolean, secrets = {}) =>
    JSON.stringify({
      secrets,
      bindings: request.bindings,
      collect: request.collect ?? [],
      resultBytes: limits.resultBytes,
      logBytes: limits.logBytes,
      simulate
    })

  const resultOf = (
    done: ScriptDone,
    limits: Limits
  ): Effect.Effect<ScriptResult, ScriptError | ScriptResourceLimit> => {
    const [outcome] = done.outcomes
    if (outcome === undefined) return Effect.fail(limitError("memory", limits, done.logs))
    if (outcome.kind !== "result") return Effect.fail(errorOf(outcome, limits, done.logs))
    const { logs, cpuMillis, wallMillis } = done
    return Effect.map(Effect.fromResult(resultIn(outcome.text, logs)), (result) => ({
      ...result,
      logs,
      cpuMillis,
      wallMillis
    }))
  }

  const lost = (limits: Limits) => (error: WorkerLost) => Effect.fail(lossOf(error, limits))

  const runSync = Effect.fnUntraced(function* (request: SyncRequest) {
    const limits = { ...options.sync, ...request.limits }
    yield* checkSource(request.source, limits)
    const message = {
      type: "run",
      mode: "sync",
      source: request.source,
      settings: settings(request, limits, false),
      limits
    } as const
    const scriptDone = yield* lendSync(request.orgId, (worker) =>
      worker.request(message, limits.wallMillis + GRACE_MILLIS, () => {}).pipe(Effect.map((d) => [d, d.ended] as const))
    ).pipe(Effect.catchTag("WorkerLost", lost(limits)))
    return yield* resultOf(scriptDone, limits)
  })

  const trip = (orgId: number, source: string, rows: ManyRequest["rows"], limits: Limits) => {
    const message = { type: "many", source, ...tripOf(rows), limits } as const
    return lendSync(orgId, (worker) =>
      worker
        .request(message, rows.length * limits.wallMillis + GRACE_MILLIS, () => {})
        .pipe(Effect.map((d) => [d, d.ended] as const))
    ).pipe(
      Effect.catchTag("WorkerLost", (error) =>
        Effect.succeed({ outcomes: [] as ReadonlyArray<ScriptOutcome>, logs: [], loss: lossOf(error, limits) })
      )
    )
  }

  const runMany = Effect.fnUntraced(function* (request: ManyRequest) {
    const limits = { ...options.sync, ...request.limits }
    const results: Array<Result.Result<Evaluation, ScriptError | ScriptResourceLimit>> = []
    const checked = yield* Effect.result(checkSource(request.source, limits))
    if (Result.isFailure(checked)) return request.rows.map(() => Result.fail(checked.failure))
    while (results.length < request.rows.length) {
      const rows = oneTrip(request.rows, results.length)
      const tripDone = yield* trip(request.orgId, request.source, rows, limits)
      for (const outcome of tripDone.outcomes.slice(0, rows.length))
        results.push(
          outcome.kind === "result"
            ? resultIn(outcome.text, tripDone.logs)
            : Result.fail(errorOf(outcome, limits, tripDone.logs))
        )
      const lastOutcome = tripDone.outcomes.at(-1)
      // No answer for a row, or a limit: the rest fails with it. Fewer answers than rows are all that one message holds.
      if (lastOutcome === undefined || lastOutcome.kind === "limit") {
        const failed = Result.fail(
          "loss" in tripDone
            ? tripDone.loss
            : lastOutcome === undefined
              ? limitError("memory", limits, tripDone.logs)
              : limitError(lastOutcome.limit, limits, tripDone.logs)
        )
        return [...results, ...Array.from({ length: request.rows.length - results.length }, () => failed)]
      }
    }
    return results
  })

  const runAsync = Effect.fnUntraced(function* (request: AsyncRequest) {
    const limits = { ...options.async, ...request.limits }
    yield* checkSource(request.source, limits)
    const text = settings(request, limits, request.simulate === true, request.secrets)
    const message = { type: "run", mode: "async", source: request.source, settings: text, limits } as const
    const serve = (worker: Worker, call: ScriptCall) =>
      answerCall(request, limits, call).pipe(
        Effect.match({
          onSuccess: (text) => ({ ok: true, text }),
          onFailure: (error) => ({ ok: false, text: error.message })
        }),
        Effect.catchCause(() => Effect.succeed({ ok: false, text: "The call failed" })),
        Effect.flatMap((answered) => worker.reply({ type: "reply", call: call.call, ...answered }))
      )
    const scriptDone = yield* lendAsync(request.orgId, (worker) =>
      Effect.scoped(
        Effect.gen(function* () {
          const callQuota = quota(limits)
          const calls = yield* Queue.unbounded<ScriptCall>()
          const next = Effect.flatMap(Queue.take(calls), (call) =>
            Effect.forkScoped(
              Effect.ensuring(
                serve(worker, call),
                Effect.sync(() => callQuota.answered(call))
              )
            )
          )
          yield* Effect.forkScoped(Effect.forever(next))
          const onCall = (call: ScriptCall) => {
            callQuota.admit(call)
            Queue.offerUnsafe(calls, call)
          }
          const processAnswer = yield* worker.request(message, limits.wallMillis + GRACE_MILLIS, onCall)
          return [processAnswer, processAnswer.ended] as const
        })
      )
    ).pipe(Effect.catchTag("WorkerLost", lost(limits)))
    return yield* resultOf(scriptDone, limits)
  })

  const measureRun = (mode: "sync" | "async") => timed((seconds, outcome) => durations.observe(seconds, mode, outcome))
  return Sandbox.of({
    runSync: (request) => measureRun("sync")(runSync(request)),
    runMany: (request) => measureRun("sync")(runMany(request)),
    runAsync: (request) => measureRun("async")(runAsync(request))
  })
})
