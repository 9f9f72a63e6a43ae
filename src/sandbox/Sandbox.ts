// Scripts of automations, in processes of their own (developer-api.md 8).
//
// runSync   one expression (script conditions, `set_code`, number code values, `assignment_code`)
// runMany   the same expression over many rows in one round trip; a row that fails does not fail the others
// runAsync  a statement block with top-level `return` and `await` (`custom_code`), with `http`, `api` and `sleep`
//
// Every evaluation has a context of its own. Errors: `ScriptError` (the script's fault, with message and line),
// `ScriptResourceLimit` (never retried, step error `actions_resource_limit_exceeded`), `SandboxUnavailable` (nothing ran).
import { Context, Effect, Layer, Pool, Queue, Result, Schema } from "effect"
import { AppConfig } from "../Config.ts"
import { programs } from "./bundle.ts"
import type { Limits } from "./limits.ts"
import type { Call, Done, LogLine, Outcome } from "./protocol.ts"
import {
  ApiCall,
  type AsyncRequest,
  type Evaluation,
  HostCallError,
  HttpCall,
  type ManyRequest,
  ScriptError,
  ScriptResourceLimit,
  type ScriptResult,
  type SyncRequest
} from "./Script.ts"
import { makeWorker, SandboxUnavailable, type Worker } from "./Worker.ts"

export type { Limits } from "./limits.ts"
export type { LogLine } from "./protocol.ts"
export * from "./Script.ts"
export { SandboxUnavailable } from "./Worker.ts"

const decodeHttp = Schema.decodeUnknownEffect(HttpCall)
const decodeApi = Schema.decodeUnknownEffect(ApiCall)

type Failure = ScriptError | ScriptResourceLimit | SandboxUnavailable

const GRACE_MILLIS = 2000
const SCRIPTS_PER_PROCESS = 2000
const ROWS_PER_TRIP = 500
const TOLD = { cpu: "CPU time", wall: "wall time", memory: "memory" } as const

const limitError = (which: "cpu" | "wall" | "memory", limits: Limits, logs: ReadonlyArray<LogLine>) => {
  const most = { cpu: `${limits.cpuMillis} ms`, wall: `${limits.wallMillis} ms`, memory: `${limits.memoryMiB} MiB` }[
    which
  ]
  return new ScriptResourceLimit({ which, message: `The script used more than its ${most} of ${TOLD[which]}`, logs })
}

const errorOf = (outcome: Extract<Outcome, { ok: false }>, limits: Limits, logs: ReadonlyArray<LogLine>) =>
  "limit" in outcome
    ? limitError(outcome.limit, limits, logs)
    : new ScriptError({ message: outcome.message, line: outcome.line, logs })

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
        asyncProcesses: config.scriptAsyncProcesses
      })
    })
  )
}

export interface SandboxOptions {
  readonly sync: Limits
  readonly async: Limits
  readonly syncProcesses: number
  readonly asyncProcesses: number
}

const pool = (limits: Limits, max: number, scriptsPerIsolate: number) =>
  Pool.makeWithTTL({
    acquire: Effect.flatMap(
      Effect.tryPromise({
        try: programs,
        catch: (e) => new SandboxUnavailable({ message: `The script environment could not be built: ${e}` })
      }),
      ({ realm, runner }) =>
        makeWorker(runner, { type: "init", code: realm, memoryMiB: limits.memoryMiB, scriptsPerIsolate })
    ),
    min: 1,
    max,
    timeToLive: "1 minute"
  })

/** Lends a process; takes it out of service when it overran, was lost, or has served long enough. */
const lend = <A, E>(
  workers: Pool.Pool<Worker, SandboxUnavailable>,
  use: (worker: Worker) => Effect.Effect<readonly [A, ended: boolean], E>
): Effect.Effect<A, E | SandboxUnavailable> =>
  Effect.scoped(
    Effect.gen(function* () {
      const worker = yield* Pool.get(workers)
      const invalidate = Pool.invalidate(workers, worker)
      const [answer, ended] = yield* use(worker).pipe(
        Effect.onInterrupt(() => invalidate),
        Effect.tapError(() => invalidate)
      )
      if (ended || worker.served() >= SCRIPTS_PER_PROCESS) yield* invalidate
      return answer
    })
  )

/** The services without configuration; scoped. */
export const make = Effect.fnUntraced(function* (options: SandboxOptions) {
  const syncPool = yield* pool(options.sync, options.syncProcesses, 32)
  const asyncPool = yield* pool(options.async, options.asyncProcesses, 1)

  const checkSource = (source: string, limits: Limits) =>
    Buffer.byteLength(source) > limits.sourceBytes
      ? Effect.fail(
          new ScriptError({ message: `The source is larger than ${limits.sourceBytes} bytes`, line: null, logs: [] })
        )
      : Effect.void

  const settings = (request: SyncRequest, limits: Limits, simulate: boolean) =>
    JSON.stringify({
      bindings: request.bindings,
      collect: request.collect ?? [],
      resultBytes: limits.resultBytes,
      logBytes: limits.logBytes,
      simulate
    })

  const resultOf = (done: Done, limits: Limits): Effect.Effect<ScriptResult, ScriptError | ScriptResourceLimit> => {
    const [outcome] = done.outcomes
    if (outcome === undefined) return Effect.fail(limitError("memory", limits, done.logs))
    if (!outcome.ok) return Effect.fail(errorOf(outcome, limits, done.logs))
    const { logs, cpuMillis, wallMillis } = done
    return Effect.succeed({ ...JSON.parse(outcome.text), logs, cpuMillis, wallMillis })
  }

  const lost = (limits: Limits) => (error: { readonly late: boolean }) =>
    Effect.fail(limitError(error.late ? "wall" : "memory", limits, []))

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
    const done = yield* lend(syncPool, (worker) =>
      worker.request(message, limits.wallMillis + GRACE_MILLIS, () => {}).pipe(Effect.map((d) => [d, d.ended] as const))
    ).pipe(Effect.catchTag("WorkerLost", lost(limits)))
    return yield* resultOf(done, limits)
  })

  const trip = (source: string, rows: ManyRequest["rows"], limits: Limits) => {
    const names = Object.keys(rows[0] ?? {})
    const values = rows.map((row) => names.map((name) => row[name] ?? null))
    const message = { type: "many", source, names, rows: JSON.stringify(values), limits } as const
    return lend(syncPool, (worker) =>
      worker
        .request(message, rows.length * limits.wallMillis + GRACE_MILLIS, () => {})
        .pipe(Effect.map((d) => [d, d.ended] as const))
    ).pipe(
      Effect.catchTag("WorkerLost", (error) =>
        Effect.succeed({
          outcomes: [{ ok: false, limit: error.late ? "wall" : "memory" }] as ReadonlyArray<Outcome>,
          logs: []
        })
      )
    )
  }

  const runMany = Effect.fnUntraced(function* (request: ManyRequest) {
    const limits = { ...options.sync, ...request.limits }
    const results: Array<Result.Result<Evaluation, ScriptError | ScriptResourceLimit>> = []
    const checked = yield* Effect.result(checkSource(request.source, limits))
    if (Result.isFailure(checked)) return request.rows.map(() => Result.fail(checked.failure))
    for (let at = 0; at < request.rows.length; at += ROWS_PER_TRIP) {
      const rows = request.rows.slice(at, at + ROWS_PER_TRIP)
      const done = yield* trip(request.source, rows, limits)
      for (const outcome of done.outcomes)
        results.push(
          outcome.ok ? Result.succeed(JSON.parse(outcome.text)) : Result.fail(errorOf(outcome, limits, done.logs))
        )
      const last = results.at(-1)
      if (done.outcomes.length < rows.length && last !== undefined)
        return [...results, ...Array.from({ length: request.rows.length - results.length }, () => last)]
    }
    return results
  })

  const unreadable = () => Effect.fail(new HostCallError({ message: "The call cannot be read" }))

  const answer = Effect.fnUntraced(function* (
    request: AsyncRequest,
    limits: Limits,
    call: Call
  ): Effect.fn.Return<string, HostCallError> {
    if (call.kind === "api") {
      const asked = yield* decodeApi(call.payload).pipe(Effect.catch(unreadable))
      return JSON.stringify(yield* request.api({ ...asked, position: call.position }))
    }
    const { binary, ...asked } = yield* decodeHttp(call.payload).pipe(Effect.catch(unreadable))
    if (request.simulate === true && asked.method !== "GET")
      return yield* new HostCallError({ message: "In a simulation only GET reaches the outside" })
    const { body, headers, status } = yield* request.http(asked)
    if (body.byteLength > limits.httpResponseBytes)
      return yield* new HostCallError({ message: `The response is larger than ${limits.httpResponseBytes} bytes` })
    return JSON.stringify({ status, headers, body: Buffer.from(body).toString(binary ? "base64" : "utf8") })
  })

  const runAsync = Effect.fnUntraced(function* (request: AsyncRequest) {
    const limits = { ...options.async, ...request.limits }
    yield* checkSource(request.source, limits)
    const text = settings(request, limits, request.simulate === true)
    const message = { type: "run", mode: "async", source: request.source, settings: text, limits } as const
    const serve = (worker: Worker, call: Call) =>
      answer(request, limits, call).pipe(
        Effect.match({
          onSuccess: (text) => worker.reply({ type: "reply", call: call.call, ok: true, text }),
          onFailure: (error) => worker.reply({ type: "reply", call: call.call, ok: false, text: error.message })
        }),
        Effect.catchCause(() =>
          Effect.sync(() => worker.reply({ type: "reply", call: call.call, ok: false, text: "The call failed" }))
        )
      )
    const done = yield* lend(asyncPool, (worker) =>
      Effect.scoped(
        Effect.gen(function* () {
          const calls = yield* Queue.unbounded<Call>()
          const next = Effect.flatMap(Queue.take(calls), (call) => Effect.forkScoped(serve(worker, call)))
          yield* Effect.forkScoped(Effect.forever(next))
          const onCall = (call: Call) => void Queue.offerUnsafe(calls, call)
          const done = yield* worker.request(message, limits.wallMillis + GRACE_MILLIS, onCall)
          return [done, done.ended] as const
        })
      )
    ).pipe(Effect.catchTag("WorkerLost", lost(limits)))
    return yield* resultOf(done, limits)
  })

  return Sandbox.of({ runSync, runMany, runAsync })
})
